// Writes the world of a cell as a scenario in YAML, and decodes it.
import { TRAITS } from "../../limiter/core/algorithms.ts";
import { plan } from "../../lab/scenario/plan/plan.ts";
import { decode } from "../../lab/scenario/read/decode.ts";
import type { Flow, Plan, Variant } from "../../lab/scenario/types.ts";
import type { Model } from "../../lab/sim/engine.ts";
import { periodicSync } from "../../lab/sim/models/periodic-sync.ts";
import { perNode } from "../../lab/sim/models/per-node.ts";
import type { Contender, ParetoFleet, ModelName, ParetoSuite } from "./suite.ts";
import { KEY } from "./traffic.ts";

const ID = "regressions/pareto";

interface CellWorld {
  readonly algorithm: Contender;
  readonly fleet: ParetoFleet;
  readonly keys: number;
}

export interface RunSetting {
  readonly variant: Variant;
  readonly plan: Plan;
  readonly model: Model | null;
}

/** Decodes the world once. The returned function builds a run of that world from traffic and a seed. */
export function settingsOf(
  world: CellWorld,
  suite: Pick<ParetoSuite, "rate" | "perMs" | "store">,
): (traffic: readonly Flow[], seed: number) => RunSetting {
  const { scenario, problems } = decode(`scenarios/${ID}.yaml`, worldText(world, suite));
  if (scenario === null) throw new Error(problems.map(({ message }) => message).join("; "));
  const [base] = scenario.variants;
  return (traffic, seed) => {
    const variant = { ...base!, traffic };
    return { variant, plan: plan(variant, ID, seed), model: modelOf(world.algorithm) };
  };
}

const MODEL_OF: Readonly<Record<ModelName, () => Model>> = {
  per_node: perNode,
  "periodic_sync 50ms": () => periodicSync(50_000),
  "periodic_sync 10ms": () => periodicSync(10_000),
};

const isModel = (name: Contender): name is ModelName => name in MODEL_OF;

const modelOf = (name: Contender): Model | null => (isModel(name) ? MODEL_OF[name]() : null);

/** The gateway's options: defaults with two exceptions, which docs/answer/pareto.md explains. */
function gatewayFields(algorithm: Contender, rate: number): readonly string[] {
  if (isModel(algorithm)) return ["algorithm: drl"];
  const { options } = TRAITS[algorithm];
  return [
    `algorithm: ${algorithm}`,
    ...(options.includes("fixedWindowStart") ? ["fixed_window_start: clock"] : []),
    ...(options.includes("burst") ? [`burst: ${Math.max(1, Math.round(rate / 10))}`] : []),
  ];
}

function worldText(
  { algorithm, fleet, keys }: CellWorld,
  { rate, perMs, store }: Pick<ParetoSuite, "rate" | "perMs" | "store">,
): string {
  const { gateways, weights, skewMs } = fleet;
  const skew = skewMs.map((ms) => `${ms}ms`).join(", ");
  return [
    `id: ${ID}`,
    "title: one cell",
    "proves: [LIM-C11]",
    "world:",
    "  apis: { orders: { listen: /orders } }",
    `  keys: { ${KEY}: { apis: [orders], rate: ${rate}, per: ${perMs / 1000}, count: ${keys} } }`,
    `  gateway: { ${gatewayFields(algorithm, rate).join(", ")} }`,
    `  fleet: { nodes: ${gateways}, balancer: weighted, weights: [${weights.join(", ")}], skew: [${skew}] }`,
    `  store: ${store}`,
    "traffic:",
    `  - { name: none, as: ${KEY}, send: GET /orders, burst: 1 }`,
    "expect:",
    "  - { id: nothing, count: {}, atLeast: 0, among: { atLeast: 1 } }",
    "",
  ].join("\n");
}
