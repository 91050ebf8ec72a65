// Parses options of Weir's gateway from YAML, the form in which behaviours and profiles name them.
import type { Algorithm } from "../../limiter/core/algorithms.ts";
import type { GatewayOptions } from "../../limiter/core/config.ts";
import { decode } from "../../lab/scenario/read/decode.ts";

/** The options that decide how a limit counts. */
export interface LimitOptions extends Pick<
  GatewayOptions,
  "burst" | "queue" | "fixedWindowStart" | "sentinelMark" | "imitation"
> {
  readonly algorithm: Algorithm;
}

const known = new Map<string, LimitOptions>();

/** `gateway`: the fields of a world's `gateway` map, such as `algorithm: gcra, burst: 5`. */
export function readLimitOptions(gateway: string): LimitOptions {
  const options = known.get(gateway) ?? read(gateway);
  known.set(gateway, options);
  return options;
}

function read(gateway: string): LimitOptions {
  const { scenario, problems } = decode("options.yaml", scenarioOf(gateway));
  const options = scenario?.variants[0]?.world.configuration?.options;
  if (options === undefined || options.algorithm === null)
    throw new Error(`${gateway}: ${problems.map(({ message }) => message).join("; ")}`);
  const { algorithm, burst, queue, fixedWindowStart, sentinelMark, imitation } = options;
  return { algorithm, burst, queue, fixedWindowStart, sentinelMark, imitation };
}

const scenarioOf = (gateway: string): string => `title: options
world:
  apis: { orders: { listen: /orders } }
  keys: { alice: { apis: [orders], rate: 5, per: 1 } }
  gateway: { ${gateway} }
traffic:
  - { as: alice, send: GET /orders, burst: 1 }
expect:
  - { id: one, count: { status: 200 }, equals: 1 }
`;
