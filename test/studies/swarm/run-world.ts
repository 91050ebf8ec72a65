// A generated scenario, decoded from its text and run: properties test what the file would do.
import { playVirtual } from "#src/lab/drivers/virtual.ts";
import type { History } from "#src/lab/scenario/history.ts";
import { plan } from "#src/lab/scenario/plan/plan.ts";
import type { Variant } from "#src/lab/scenario/types.ts";
import { formatScenario, NAME, type RawScenario } from "#src/studies/swarm/as-scenario.ts";
import { variantOf } from "#src/studies/swarm/trial.ts";

export interface SwarmRun {
  readonly text: string;
  readonly variant: Variant;
  readonly history: History;
}

export function runWorld(raw: RawScenario, seed = 1): SwarmRun {
  const text = formatScenario(raw);
  const variant = variantOf(text);
  return { text, variant, history: playVirtual(variant, plan(variant, NAME, seed)) };
}
