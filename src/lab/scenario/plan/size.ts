// The size of a run before anything of it is built: computed from its flows, without planning them.
import { SECOND } from "../../../kit/units.ts";
import { wholeFlows } from "../flows.ts";
import type { Flow, Scenario, Variant } from "../types.ts";

/** Requests that are planned; retries, which follow from refusals, come on top. */
export const countPlannedRequests = ({ traffic, calls }: Variant): number =>
  calls.length + wholeFlows(traffic).reduce((sum, flow) => sum + countArrivals(flow), 0);

/** Of a random shape it is the mean. */
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

// A test compares it with the size of a history (test/cli/run-size.test.ts).
/** The least memory of one request while its history is recorded and checked, as measured once. */
export const BYTES_A_REQUEST = 500;

export interface RunSize {
  readonly requests: number; // in all variants
  readonly variants: number;
  readonly bytes: number; // that are held at once, at least
}

/** `needsAllHistories`: the variants are compared, so that all histories are retained until the last variant has run. */
export function sizeOf(
  { variants }: Pick<Scenario, "variants">,
  needsAllHistories: boolean,
): RunSize {
  const requests = variants.map(countPlannedRequests);
  const all = requests.reduce((sum, each) => sum + each, 0);
  const held = needsAllHistories ? all : Math.max(0, ...requests);
  return { requests: Math.round(all), variants: variants.length, bytes: held * BYTES_A_REQUEST };
}
