// Stands where the mutants' switchboard stands, with one mutant in force for good.
import type { AnyFunction, Mutant } from "../../../src/experiments/mutants/mutant.ts";

let mutant: Mutant | null = null;

export function putInForce(chosen: Mutant): void {
  mutant = chosen;
}

export const switched = <F extends AnyFunction>(address: string, right: F): F =>
  mutant?.replaces === address ? (mutant.by(right) as F) : right;

export const switchedMembers = <O extends Readonly<Record<string, AnyFunction>>>(
  address: string,
  members: readonly string[],
  right: O,
): O => ({
  ...right,
  ...Object.fromEntries(
    members.map((name) => [name, switched(`${address}.${name}`, right[name]!)]),
  ),
});
