// A generated scenario, read as its file would be (test/properties/as-scenario.test.ts) and run.
import { playVirtual } from "#src/lab/drivers/virtual.ts";
import type { History } from "#src/lab/scenario/history.ts";
import { plan } from "#src/lab/scenario/plan/plan.ts";
import type { Variant } from "#src/lab/scenario/types.ts";
import { NAME, type RawScenario } from "#src/studies/swarm/as-scenario.ts";
import { buildVariant } from "#src/studies/swarm/trial.ts";

export interface SwarmRun {
  readonly variant: Variant;
  readonly history: History;
}

export function runWorld(raw: RawScenario, seed = 1): SwarmRun {
  const variant = buildVariant(raw);
  return { variant, history: playVirtual(variant, plan(variant, NAME, seed)) };
}
