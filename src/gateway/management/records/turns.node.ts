// Queues pieces of large work, one per turn of the event loop: other requests wait for one piece at most.
import { setImmediate as nextTurn } from "node:timers/promises";

let last: Promise<void> = Promise.resolve();

export function ownTurn(): Promise<void> {
  last = last.then(() => nextTurn());
  return last;
}
