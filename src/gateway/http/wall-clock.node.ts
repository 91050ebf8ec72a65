import { performance } from "node:perf_hooks";
import { micros, type Micros } from "../../core/units.ts";

/**
 * Real time in whole microseconds since the Unix epoch. It counts on from the start of the process, so
 * that no correction of the machine's clock ever turns a window back.
 */
export const wallClock = (): Micros =>
  micros(Math.round((performance.timeOrigin + performance.now()) * 1_000));
