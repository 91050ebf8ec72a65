// Looks up a key that this gateway does not have yet, within a time limit.
import type { KeySource } from "./ways.node.ts";

const LONGEST_MS = 2_000;

/** Calls `done` once. Null: the key is known now, and the caller decides at once. */
export function lookUpInTime(
  keys: KeySource,
  credential: string,
  done: (failure: Error | null) => void,
): void {
  let isOver = false;
  const over = (failure: Error | null): void => {
    if (isOver) return;
    isOver = true;
    clearTimeout(timer);
    done(failure);
  };
  const timer = setTimeout(over, LONGEST_MS, new Error("it takes too long"));
  keys.lookUp(credential, over);
}
