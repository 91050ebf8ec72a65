// A key that has not come yet is looked up, and nobody waits for it for ever.
import type { KeySource } from "./ways.node.ts";

const LONGEST_MS = 2_000;

/** Calls `hear` once. Null: the key is known now, and whoever hears it decides at once. */
export function lookUpInTime(
  keys: KeySource,
  credential: string,
  hear: (failure: Error | null) => void,
): void {
  let isOver = false;
  const over = (failure: Error | null): void => {
    if (isOver) return;
    isOver = true;
    clearTimeout(impatience);
    hear(failure);
  };
  const impatience = setTimeout(over, LONGEST_MS, new Error("it takes too long"));
  keys.lookUp(credential, over);
}
