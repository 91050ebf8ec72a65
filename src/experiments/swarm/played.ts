// A generated scenario, decoded from its text and played: what is tested is what the file would do.
import { playVirtual } from "../../drivers/virtual.ts";
import type { History } from "../../scenario/history.ts";
import { plan } from "../../scenario/plan/plan.ts";
import type { Variant } from "../../scenario/types.ts";
import { asScenario, NAME, type RawScenario } from "./as-scenario.ts";
import { variantOf } from "./trial.ts";

export interface Played {
  readonly text: string;
  readonly variant: Variant;
  readonly history: History;
}

export function played(raw: RawScenario, seed = 1): Played {
  const text = asScenario(raw);
  const variant = variantOf(text);
  return { text, variant, history: playVirtual(variant, plan(variant, NAME, seed)) };
}
