// The clock of a served gateway.
import { performance } from "node:perf_hooks";
import { micros, type Micros } from "../../kit/units.ts";

/**
 * Unix time in microseconds: that of the process's start and what has passed since, so that corrections of the
 * machine's clock never turn a window back.
 */
export const wallClock = (): Micros =>
  micros(Math.round((performance.timeOrigin + performance.now()) * 1_000));

/** A clock that is read once per turn of the event loop, so that requests that arrive together have the same time. */
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
