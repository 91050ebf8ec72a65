// Replaces the mutants' switchboard: one mutant is active until the process ends.
import type { AnyFunction, Mutant } from "#src/studies/mutants/mutant.ts";

let mutant: Mutant | null = null;

export function putInForce(chosen: Mutant): void {
  mutant = chosen;
}

export const createSwitch = <F extends AnyFunction>(address: string, right: F): F =>
  mutant?.replaces === address ? (((...args) => mutant!.by(right, ...args)) as F) : right;

export const createSwitches = <O extends Readonly<Record<string, AnyFunction>>>(
  address: string,
  members: readonly string[],
  right: O,
): O => ({
  ...right,
  ...Object.fromEntries(
    members.map((name) => [name, createSwitch(`${address}.${name}`, right[name]!)]),
  ),
});
