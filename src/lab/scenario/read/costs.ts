// Writes the cost of a flow's requests (LIM-C19) into a header, and sets the gateway option that names this header, so
// that a scenario works with every driver without setting the option.
import { MOST_COST, parseCost } from "../../../limiter/core/cost.ts";
import type { Configuration } from "../../../limiter/core/config.ts";
import type { Problem } from "../../../kit/reading/problems.ts";
import { COST_HEADER } from "../history.ts";
import type { Fault, Flow } from "../types.ts";
import type { World } from "../world.ts";
import { scn } from "./codes.ts";

interface CostedRun {
  readonly configuration: World["configuration"];
  readonly faults: readonly Fault[];
  readonly traffic: readonly Flow[];
}

export function applyCosts(
  { configuration, faults, traffic }: CostedRun,
  problems: Problem[],
): CostedRun {
  const option = configuration?.options.costHeader ?? null;
  const usesCost = traffic.some(({ cost }) => cost !== undefined);
  const header = option ?? (usesCost ? COST_HEADER : null);
  if (header === null) return { configuration, faults, traffic };
  return {
    configuration: configuration === null ? null : withCostHeader(configuration, header),
    faults: faults.map((fault) =>
      fault.kind === "configure"
        ? { ...fault, configuration: withCostHeader(fault.configuration, header) }
        : fault,
    ),
    traffic: traffic.map((flow) => withCost(flow, header, problems)),
  };
}

/** Sets `cost_header` if it is unset. A world's text may lack the option, so this is needed after each reading. */
export const withCostHeader = (
  configuration: Configuration,
  header: string | null,
): Configuration => ({
  ...configuration,
  options: { ...configuration.options, costHeader: configuration.options.costHeader ?? header },
});

/** The flow with its cost as a header. Without `cost`, a cost in the flow's own headers applies. */
function withCost(flow: Flow, header: string, problems: Problem[]): Flow {
  const { cost, headers, name, item = 0 } = flow;
  const own = Object.entries(headers).find(([each]) => each.toLowerCase() === header);
  if (cost === undefined) {
    const stated = own === undefined ? null : parseCost(own[1]);
    return stated === null || stated === 1 ? flow : { ...flow, cost: stated };
  }
  if (own !== undefined)
    scn(
      problems,
      "SCN-VALUE",
      ["traffic", item, "cost"],
      `flow "${name}" states its cost twice: as cost, and in the header ${own[0]}`,
      `remove one; the header may have any text, and cost is an integer from 1 to ${MOST_COST}`,
    );
  return { ...flow, headers: { ...headers, [header]: String(cost) } };
}
