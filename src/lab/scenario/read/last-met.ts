// The last time at which a request of a plan may be in flight.
import { SECOND } from "../../../kit/units.ts";
import type { Flow, TrafficShape } from "../types.ts";
import type { World } from "../world.ts";

/** Time in which requests in flight after the last arrival get their responses, unless they are throttled. */
const LONGEST_WAY_US = 60 * SECOND;

/** The time after which an injected fault affects no request; infinity if it cannot be known. */
export function lastMetUs(flows: readonly Flow[], { configuration, environment }: World): number {
  const isThrottled =
    configuration === null ||
    [...configuration.keys.values(), ...configuration.policies.values()].some(
      ({ throttle }) => throttle !== null,
    );
  if (isThrottled || flows.some(({ behaviour: { kind } }) => kind !== "ignore"))
    return Number.POSITIVE_INFINITY;
  const { networkUs, storeUs, upstreamUs, storeCost } = environment;
  const takesTime =
    storeCost.perCommandUs + storeCost.perEntryUs > 0 ||
    [networkUs, storeUs, upstreamUs].some((way) => way.kind !== "constant" || way.us > 0);
  return (
    flows.reduce((last, { atUs, shape }) => Math.max(last, atUs + lastOf(shape)), 0) +
    (takesTime ? LONGEST_WAY_US : 0)
  );
}

/** The last instant of a shape at which a request may arrive. A shape with a duration excludes its end. */
function lastOf(shape: TrafficShape): number {
  switch (shape.kind) {
    case "burst":
      return 0;
    case "every":
      return (shape.count - 1) * shape.intervalUs;
    case "rate":
    case "poisson":
    case "population":
    case "on_off":
      return shape.forUs - 1;
    case "cron":
      return shape.forUs + shape.jitterUs - 1;
    case "stages":
      return shape.stages.reduce((sum, { forUs }) => sum + forUs, 0) - 1;
    case "trace":
      return shape.timesUs.at(-1) ?? 0;
  }
}
