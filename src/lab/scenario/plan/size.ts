// The size of a run, computed from its flows before anything is planned.
import { SECOND } from "../../../kit/units.ts";
import { wholeFlows } from "../flows.ts";
import type { Flow, Scenario, Variant } from "../types.ts";

/** Planned requests. Retries come in addition, because they depend on refusals. */
export const countPlannedRequests = ({ traffic, calls }: Variant): number =>
  calls.length + wholeFlows(traffic).reduce((sum, flow) => sum + countArrivals(flow), 0);

/** The number of requests of a flow; for a random shape, its mean. */
export function countArrivals({ shape, clients }: Pick<Flow, "shape" | "clients">): number {
  switch (shape.kind) {
    case "burst":
    case "every":
      return shape.count;
    case "rate":
    case "poisson":
    case "population":
      return (shape.rate * shape.forUs) / SECOND;
    case "cron":
      return Math.ceil(shape.forUs / shape.everyUs) * shape.count * clients;
    case "stages":
      return shape.stages.reduce(
        (sum, { fromRate, toRate, forUs }) => sum + (((fromRate + toRate) / 2) * forUs) / SECOND,
        0,
      );
    case "on_off":
      return (shape.rate * shape.forUs * shape.onUs) / (shape.onUs + shape.offUs) / SECOND;
    case "trace":
      return shape.timesUs.length;
  }
}

// A test compares this constant with real histories (test/cli/run-size.test.ts).
/** The least memory for one request while its history is recorded and checked, measured once. */
export const BYTES_A_REQUEST = 500;

export interface RunSize {
  readonly requests: number; // of all variants
  readonly variants: number;
  readonly bytes: number; // least memory in use at once
}

/** `needsAllHistories`: variants are compared, so all histories are retained until the last variant has run. */
export function sizeOf(
  { variants }: Pick<Scenario, "variants">,
  needsAllHistories: boolean,
): RunSize {
  const requests = variants.map(countPlannedRequests);
  const all = requests.reduce((sum, each) => sum + each, 0);
  const held = needsAllHistories ? all : Math.max(0, ...requests);
  return { requests: Math.round(all), variants: variants.length, bytes: held * BYTES_A_REQUEST };
}
