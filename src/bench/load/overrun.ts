// Whether an open loop followed its plan well enough to measure its target.
import type { Quantiles } from "./load.ts";

const LATEST_P99_US = 5_000;
const FULL = 0.9;

export function describeOverrun(late: Quantiles | null, busy: number): string | null {
  if (busy >= FULL)
    return `the load generator's event loop was busy for ${Math.round(busy * 100)} % of the time: offer less, or give it a core`;
  if (late !== null && late.p99Us > LATEST_P99_US)
    return `one arrival in a hundred was sent ${(late.p99Us / 1_000).toFixed(1)} ms or more after its time: the machine is too busy for its load generator`;
  return null;
}
