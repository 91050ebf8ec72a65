// A generated scenario, decoded from its text and played: what is tested is what the file would do.
import { playVirtual } from "../drivers/virtual.ts";
import { decode } from "../scenario/read/decode.ts";
import type { History } from "../scenario/history.ts";
import { plan } from "../scenario/plan/plan.ts";
import { formatProblem } from "../scenario/read/source.ts";
import type { Filter, Variant } from "../scenario/types.ts";
import { asScenario, NAME, type RawScenario } from "./as-scenario.ts";

export interface Played {
  readonly text: string;
  readonly variant: Variant;
  readonly history: History;
}

export function variantOf(text: string): Variant {
  const { scenario, problems } = decode(`scenarios/${NAME}.yaml`, text);
  if (scenario === null) throw new Error(`${problems.map(formatProblem).join("\n")}\n\n${text}`);
  return scenario.variants[0]!;
}

export function played(raw: RawScenario, seed = 1): Played {
  const text = asScenario(raw);
  const variant = variantOf(text);
  return { text, variant, history: playVirtual(variant, plan(variant, NAME, seed)) };
}

export const EVERYTHING: Filter = {
  flow: null,
  as: null,
  api: null,
  endpoint: null,
  status: null,
  stage: null,
  during: null,
  gateway: null,
};
