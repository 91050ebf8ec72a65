// The world of a cell, read as that of a scenario is.
import { TRAITS } from "../../core/algorithms.ts";
import { plan } from "../../scenario/plan/plan.ts";
import { decode } from "../../scenario/read/decode.ts";
import type { Flow, Plan, Variant } from "../../scenario/types.ts";
import type { Model } from "../../sim/engine.ts";
import { periodicSync } from "../../sim/models/periodic-sync.ts";
import { perNode } from "../../sim/models/per-node.ts";
import type { Counted, Fleet, ModelName, ParetoSuite } from "./suite.ts";
import { KEY } from "./traffic.ts";

const ID = "regressions/pareto";

export interface World {
  readonly algorithm: Counted;
  readonly fleet: Fleet;
  readonly keys: number;
}

/** What one run plays. */
export interface Setting {
  readonly variant: Variant;
  readonly plan: Plan;
  readonly model: Model | null;
}

/** Read once: runs differ by their traffic and their seed. */
export function settingsOf(
  world: World,
  suite: Pick<ParetoSuite, "rate" | "perMs" | "store">,
): (traffic: readonly Flow[], seed: number) => Setting {
  const { scenario, problems } = decode(`scenarios/${ID}.yaml`, worldText(world, suite));
  if (scenario === null) throw new Error(problems.map(({ message }) => message).join("; "));
  const [read] = scenario.variants;
  return (traffic, seed) => {
    const variant = { ...read!, traffic };
    return { variant, plan: plan(variant, ID, seed), model: modelOf(world.algorithm) };
  };
}

const MODEL_OF: Readonly<Record<ModelName, () => Model>> = {
  per_node: perNode,
  "periodic_sync 50ms": () => periodicSync(50_000),
  "periodic_sync 10ms": () => periodicSync(10_000),
};

const isModel = (name: Counted): name is ModelName => name in MODEL_OF;

const modelOf = (name: Counted): Model | null => (isModel(name) ? MODEL_OF[name]() : null);

/** As the gateway does it unless told otherwise, with two exceptions that docs/pareto.md gives reasons for. */
function gatewayWords(algorithm: Counted, rate: number): readonly string[] {
  if (isModel(algorithm)) return ["algorithm: drl"];
  const { options } = TRAITS[algorithm];
  return [
    `algorithm: ${algorithm}`,
    ...(options.includes("fixedWindowStart") ? ["fixed_window_start: clock"] : []),
    ...(options.includes("burst") ? [`burst: ${Math.max(1, Math.round(rate / 10))}`] : []),
  ];
}

function worldText(
  { algorithm, fleet, keys }: World,
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
    `  gateway: { ${gatewayWords(algorithm, rate).join(", ")} }`,
    `  fleet: { nodes: ${gateways}, balancer: weighted, weights: [${weights.join(", ")}], skew: [${skew}] }`,
    `  store: ${store}`,
    "traffic:",
    `  - { name: none, as: ${KEY}, send: GET /orders, burst: 1 }`,
    "expect:",
    "  - { id: nothing, count: {}, atLeast: 0, among: { atLeast: 1 } }",
    "",
  ].join("\n");
}
