// A thread that sleeps until the next arrival and wakes the load generator. The timers of an event loop are exact only
// to a millisecond, and many responses take less; polling the clock would use a whole core.
import { parentPort } from "node:worker_threads";
import { clockUs } from "./sender-usage.node.ts";

export interface Alarms {
  readonly plannedUs: Float64Array; // memory that both threads share
  readonly startUs: number; // when the plan begins, by `clockUs`
  readonly state: Int32Array; // shared; whether a wake-up is pending, and the value that the thread waits on
}

export const WAKING = 0;
const NEVER_CHANGED = 1;

const SOON_US = 20; // for waits up to this the thread does not sleep: it would wake too late

parentPort?.on("message", ({ plannedUs, startUs, state }: Alarms) => {
  for (let next = 0; next < plannedUs.length;) {
    const waitUs = startUs + plannedUs[next]! - clockUs();
    if (waitUs > SOON_US) Atomics.wait(state, NEVER_CHANGED, 0, waitUs / 1_000);
    const nowUs = clockUs() - startUs;
    const before = next;
    while (next < plannedUs.length && plannedUs[next]! <= nowUs) next++;
    if (next > before && Atomics.compareExchange(state, WAKING, 0, 1) === 0)
      parentPort!.postMessage(null, []);
  }
});
