// The resource usage of the load generator itself.
import { performance } from "node:perf_hooks";
import { micros } from "../../../kit/units.ts";
import type { LoadFigures } from "./load.ts";

export const EVERY_MS = 250; // between two reports of progress

/** A monotonic clock that is the same in all threads. */
export const clockUs = (): number => Number(process.hrtime.bigint()) / 1_000;

export function measureSender(): () => Pick<LoadFigures, "cpuUs" | "busy"> {
  const cpu = process.cpuUsage();
  const loop = performance.eventLoopUtilization();
  return () => {
    const { user, system } = process.cpuUsage(cpu);
    return {
      cpuUs: micros(user + system),
      busy: performance.eventLoopUtilization(loop).utilization,
    };
  };
}
