// Runs one piece of long work in each turn of the event loop, so that other requests wait for at most one piece.
import { setImmediate as nextTurn } from "node:timers/promises";

let last: Promise<void> = Promise.resolve();

export function ownTurn(): Promise<void> {
  last = last.then(() => nextTurn());
  return last;
}
