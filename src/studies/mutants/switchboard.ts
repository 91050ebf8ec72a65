// Switches for functions that a mutant may replace while everything else stays loaded and warm. At most one mutant is
// active at a time. The switchboard also records calls: if a run never calls a function, no mutant of it can change the
// run.
import { handsOn, onlyAnswers } from "./answers.ts";
import type { AnyFunction, Mutant, NamedMutant } from "./mutant.ts";

interface Switch {
  readonly right: AnyFunction;
  inForce: AnyFunction;
}

/** A mutant whose results are compared with those of the right function while a run is watched. */
interface Rival {
  readonly name: string;
  readonly isAlike: (args: readonly never[], answer: unknown) => boolean;
}

const switches = new Map<string, Switch>();

/** Creates a switch for the function at an address. The code that `switched-source.ts` inserts calls this. */
export function createSwitch<F extends AnyFunction>(address: string, right: F): F {
  const own: Switch = { right, inForce: right };
  switches.set(address, own);
  // A run calls `call` thousands of times, so it only forwards.
  const call = (...args: never[]): unknown => own.inForce(...args);
  return call as F;
}

/** Creates switches for some functions of an object. */
export function createSwitches<O extends Readonly<Record<string, AnyFunction>>>(
  address: string,
  members: readonly string[],
  right: O,
): O {
  const entries = members.map((name): [string, AnyFunction] => {
    const own = right[name];
    if (own === undefined) throw new Error(`${address} has no function "${name}"`);
    return [name, createSwitch(`${address}.${name}`, own)];
  });
  return { ...right, ...Object.fromEntries(entries) };
}

/** Runs the action with one mutant active, and restores the original afterwards. Nothing else may run meanwhile. */
export async function runUnder<T>(mutant: Mutant, action: () => T | Promise<T>): Promise<T> {
  const own = switchAt(mutant.replaces);
  mutant.begin?.();
  own.inForce = (...args) => mutant.by(own.right, ...args);
  try {
    return await action();
  } finally {
    own.inForce = own.right;
  }
}

export type IsEqual = (one: unknown, other: unknown) => boolean;

export interface WatchedRun<T> {
  readonly value: T;
  /** Whether this mutant could have changed the run: its function was called and would have returned something else. */
  readonly isTouchedBy: (mutant: NamedMutant) => boolean;
  /** Whether the function of this mutant was called at all. */
  readonly isCalledBy: (mutant: NamedMutant) => boolean;
}

/** Runs the action without a mutant, and records which mutants could have changed it. */
export async function watchRun<T>(
  mutants: readonly NamedMutant[],
  isEqual: IsEqual,
  action: () => T | Promise<T>,
): Promise<WatchedRun<T>> {
  const mutantsByAddress = Map.groupBy(
    mutants.filter(({ replaces }) => onlyAnswers(replaces)),
    ({ replaces }) => replaces,
  );
  for (const mutant of mutants) mutant.begin?.();
  for (const address of mutantsByAddress.keys()) switchAt(address);
  const called = new Set<string>();
  const alike = new Set<string>();
  for (const [address, own] of switches) {
    const rivals = (mutantsByAddress.get(address) ?? []).map((mutant) => ({
      name: mutant.name,
      isAlike: createComparison(
        (...args) => mutant.by(own.right, ...args),
        handsOn(address) ? Object.is : isEqual,
      ),
    }));
    for (const { name } of rivals) alike.add(name);
    own.inForce = watchCalls(own.right, rivals, {
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

/** Wraps the right function: it also reports its first call, and the mutants that would have another result. */
function watchCalls(
  right: AnyFunction,
  rivals: readonly Rival[],
  listener: { readonly isCalled: () => void; readonly differs: (name: string) => void },
): AnyFunction {
  let isCalled = false;
  let alike = rivals;
  return (...args) => {
    if (!isCalled) listener.isCalled();
    isCalled = true;
    let answer: unknown;
    try {
      answer = right(...args);
    } catch (error) {
      // If the right function throws, all mutants differ: only a run of a mutant shows whether it throws too.
      for (const rival of alike) listener.differs(rival.name);
      alike = [];
      throw error;
    }
    for (const rival of alike) {
      if (rival.isAlike(args, answer)) continue;
      listener.differs(rival.name);
      alike = alike.filter((one) => one !== rival);
    }
    return answer;
  };
}

const createComparison =
  (wrong: AnyFunction, isEqual: IsEqual): Rival["isAlike"] =>
  (args, answer) => {
    try {
      const other = wrong(...args);
      return Object.is(other, answer) || (typeof answer === "object" && isEqual(other, answer));
    } catch {
      return false; // an error appears again, and is reported, when the mutant runs
    }
  };

function switchAt(address: string): Switch {
  const own = switches.get(address);
  if (own === undefined) throw new Error(`${address}: no loaded module has this function`);
  return own;
}
