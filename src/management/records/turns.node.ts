// Work on what is large waits its turn, one piece in each turn of the event loop: however much of it comes at once,
// whoever else is served waits for one piece.
import { setImmediate as nextTurn } from "node:timers/promises";

let last: Promise<void> = Promise.resolve();

export function ownTurn(): Promise<void> {
  last = last.then(() => nextTurn());
  return last;
}
