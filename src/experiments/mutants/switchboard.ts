// Functions that a mutant may replace while everything else stays as it is, loaded and warm. One mutant
// at a time is in force. It also notes who was called: a run that never met a function cannot tell how
// that function answers.
import { handsOn, onlyAnswers } from "./answers.ts";
import type { AnyFunction, Mutant, NamedMutant } from "./mutant.ts";

interface Switch {
  readonly right: AnyFunction;
  inForce: AnyFunction;
}

/** A mutant of a function that only answers, while a run is watched. */
interface Rival {
  readonly name: string;
  readonly answersAs: (args: readonly never[], answer: unknown) => boolean;
}

const switches = new Map<string, Switch>();

/** Stands where the function stood. Called once for each address, by the text of `switched-source.ts`. */
export function switched<F extends AnyFunction>(address: string, right: F): F {
  const own: Switch = { right, inForce: right };
  switches.set(address, own);
  // A run calls it thousands of times, so it does nothing else.
  const stand = (...args: never[]): unknown => own.inForce(...args);
  return stand as F;
}

/** The same for some members of an object of functions. */
export function switchedMembers<O extends Readonly<Record<string, AnyFunction>>>(
  address: string,
  members: readonly string[],
  right: O,
): O {
  const stands = members.map((name): [string, AnyFunction] => {
    const own = right[name];
    if (own === undefined) throw new Error(`${address} has no member "${name}"`);
    return [name, switched(`${address}.${name}`, own)];
  });
  return { ...right, ...Object.fromEntries(stands) };
}

/** Does something with one mutant in force, and sets everything right again: nothing else may go on meanwhile. */
export async function under<T>(mutant: Mutant, action: () => T | Promise<T>): Promise<T> {
  const own = switchAt(mutant.replaces);
  own.inForce = mutant.by(own.right);
  try {
    return await action();
  } finally {
    own.inForce = own.right;
  }
}

export type IsEqual = (one: unknown, other: unknown) => boolean;

export interface Watched<T> {
  readonly value: T;
  /** Whether this mutant could have changed it: its function was called, and would have answered otherwise. */
  readonly isTouchedBy: (mutant: NamedMutant) => boolean;
  /** Whether its function was called at all. */
  readonly isCalledBy: (mutant: NamedMutant) => boolean;
}

/** Does something with no mutant in force, and notes what each of them could have changed. */
export async function watched<T>(
  mutants: readonly NamedMutant[],
  isEqual: IsEqual,
  action: () => T | Promise<T>,
): Promise<Watched<T>> {
  const asked = Map.groupBy(
    mutants.filter(({ replaces }) => onlyAnswers(replaces)),
    ({ replaces }) => replaces,
  );
  for (const address of asked.keys()) switchAt(address);
  const called = new Set<string>();
  const alike = new Set<string>();
  for (const [address, own] of switches) {
    const rivals = (asked.get(address) ?? []).map((mutant) => ({
      name: mutant.name,
      answersAs: answersAs(mutant.by(own.right), handsOn(address) ? Object.is : isEqual),
    }));
    for (const { name } of rivals) alike.add(name);
    own.inForce = noting(own.right, rivals, {
      isCalled: () => void called.add(address),
      differs: (name) => void alike.delete(name),
    });
  }
  try {
    const value = await action();
    const isCalledBy = ({ replaces }: NamedMutant): boolean => called.has(replaces);
    return {
      value,
      isCalledBy,
      isTouchedBy: (mutant) => isCalledBy(mutant) && !alike.has(mutant.name),
    };
  } finally {
    for (const own of switches.values()) own.inForce = own.right;
  }
}

/** The right function, which tells that it is called, and which of the rivals would have answered otherwise. */
function noting(
  right: AnyFunction,
  rivals: readonly Rival[],
  tell: { readonly isCalled: () => void; readonly differs: (name: string) => void },
): AnyFunction {
  let isCalled = false;
  let left = rivals;
  return (...args) => {
    if (!isCalled) tell.isCalled();
    isCalled = true;
    let answer: unknown;
    try {
      answer = right(...args);
    } catch (error) {
      // Whether they refuse as well is seen where they are played.
      for (const rival of left) tell.differs(rival.name);
      left = [];
      throw error;
    }
    for (const rival of left) {
      if (rival.answersAs(args, answer)) continue;
      tell.differs(rival.name);
      left = left.filter((one) => one !== rival);
    }
    return answer;
  };
}

const answersAs =
  (wrong: AnyFunction, isEqual: IsEqual): Rival["answersAs"] =>
  (args, answer) => {
    try {
      const other = wrong(...args);
      return Object.is(other, answer) || (typeof answer === "object" && isEqual(other, answer));
    } catch {
      return false; // it will throw again where it is played, and be told there
    }
  };

function switchAt(address: string): Switch {
  const own = switches.get(address);
  if (own === undefined) throw new Error(`${address}: nothing that was loaded has this function`);
  return own;
}
