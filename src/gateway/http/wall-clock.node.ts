// The clock of a served gateway.
import { performance } from "node:perf_hooks";
import { micros, type Micros } from "../../kit/units.ts";

/**
 * Real time in whole microseconds since the Unix epoch. It counts on from the start of the process, so
 * that no correction of the machine's clock ever turns a window back.
 */
export const wallClock = (): Micros =>
  micros(Math.round((performance.timeOrigin + performance.now()) * 1_000));

/**
 * A clock that is read once in each turn of the event loop: requests that have come in together are decided
 * at one moment.
 */
export function turnClock(read: () => Micros): () => Micros {
  let nowUs: Micros | null = null;
  const forget = (): void => {
    nowUs = null;
  };
  return () => {
    if (nowUs !== null) return nowUs;
    setImmediate(forget);
    return (nowUs = read());
  };
}
