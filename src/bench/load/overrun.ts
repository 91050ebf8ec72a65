// Whether an open loop kept to its plan well enough to say anything about its target.
import type { Quantiles } from "./load.ts";

const LATEST_P99_US = 5_000;
const FULL = 0.9;

export function describeOverrun(late: Quantiles | null, busy: number): string | null {
  if (busy >= FULL)
    return `the sender's own event loop was busy for ${Math.round(busy * 100)} % of the time: offer less, or give it a core`;
  if (late !== null && late.p99Us > LATEST_P99_US)
    return `one arrival in a hundred was sent ${(late.p99Us / 1_000).toFixed(1)} ms or more after its time: the machine is too busy for its sender`;
  return null;
}
