// The requests of described traffic, as its scenario plans them.
import { micros, SECOND } from "../../kit/units.ts";
import { decode } from "../../lab/scenario/read/decode.ts";
import { plan } from "../../lab/scenario/plan/plan.ts";
import type { RulesReader } from "../../lab/scenario/read/rules.ts";
import type { Plan, Scenario, Variant } from "../../lab/scenario/types.ts";
import { formatTry, trafficText, TRY_ID } from "./as-scenario.ts";
import { drawFirstBurst } from "./draws.ts";
import type { DescribedTraffic, TryQuestion } from "./question.ts";
import { startFile } from "./tried-file.ts";

export function scenarioOf(question: TryQuestion, seed: number): Scenario {
  const text = formatTry(question, drawFirstBurst(question, seed), null);
  const readRules: RulesReader = () => startFile(question.file!);
  const { scenario, problems } = decode(`${TRY_ID}.yaml`, text, undefined, readRules);
  if (scenario === null) throw new Error(problems.map(({ message }) => message).join("; "));
  return scenario;
}

interface PlannedTraffic {
  readonly about: string; // in a sentence or two
  readonly variant: Variant;
  readonly plan: Plan;
}

/** Plans requests of clients that never retry. Each client has an address, unless some share one. */
export function planDescribed(traffic: DescribedTraffic, seed: number): PlannedTraffic {
  const question: TryQuestion = {
    ...traffic,
    ...ONE_CANDIDATE,
    perAddress: traffic.perAddress ?? 1,
  };
  const { id, variants } = scenarioOf(question, seed);
  const [variant] = variants;
  return { about: trafficText(question, ""), variant: variant!, plan: plan(variant!, id, seed) };
}

/** The scenario needs a limit, which decides nothing here. */
const ONE_CANDIDATE = {
  retries: [{ name: "none", behaviour: { kind: "ignore" } }],
  isSequential: false,
  gateways: 1,
  limits: [{ rate: 1, perUs: micros(SECOND) }],
  limiters: [{ kind: "algorithm", name: "sliding_log", burst: null }],
} as const satisfies Partial<TryQuestion>;
