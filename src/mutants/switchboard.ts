// Functions that a mutant may replace while everything else stays as it is, loaded and warm. One mutant
// at a time is in force. It also notes who was called: a run that never met a function cannot tell how
// that function answers.
import type { AnyFunction, Mutant } from "./mutant.ts";

interface Switch {
  readonly right: AnyFunction;
  inForce: AnyFunction;
  called: boolean;
}

const switches = new Map<string, Switch>();

/** Stands where the function stood. Called once for each address, by the text of `switched-source.ts`. */
export function switched<F extends AnyFunction>(address: string, right: F): F {
  const own: Switch = { right, inForce: right, called: false };
  switches.set(address, own);
  const stand = (...args: never[]): unknown => {
    own.called = true;
    return own.inForce(...args);
  };
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

/** Does something with one mutant in force, and sets everything right again. */
export function under<T>(mutant: Mutant, action: () => T): T {
  const own = switchAt(mutant.replaces);
  own.inForce = mutant.by(own.right);
  try {
    return action();
  } finally {
    own.inForce = own.right;
  }
}

/** The addresses that the action has called, with no mutant in force. */
export function callsOf<T>(action: () => T): { readonly value: T; readonly calls: Set<string> } {
  for (const own of switches.values()) own.called = false;
  const value = action();
  const calls = [...switches].flatMap(([address, { called }]) => (called ? [address] : []));
  return { value, calls: new Set(calls) };
}

function switchAt(address: string): Switch {
  const own = switches.get(address);
  if (own === undefined) throw new Error(`${address}: nothing that was loaded has this function`);
  return own;
}
