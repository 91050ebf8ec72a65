// Counts over all worlds of a swarm: what passed, examined nothing, or stayed undecided.
import type { DecisionCounts } from "../../lab/check/counts.ts";
import { many, percentText } from "../../kit/reading/legible.ts";
import type { SwarmTrial } from "./trial.ts";

/** The number of worlds by result. Inconclusive and vacuous worlds are skipped: they prove nothing about decisions. */
export interface WorldCounts {
  readonly passed: number;
  readonly failed: number;
  readonly skipped: number;
  readonly inconclusive: number; // the specification leaves too many decisions open
  readonly vacuous: number; // no decision was compared
}

/** The worlds in which a rule passed, examined nothing or stayed undecided. */
export interface RuleCounts {
  readonly rule: string;
  readonly passed: number;
  readonly vacuous: number;
  readonly inconclusive: number;
}

export type TalliedTrial = Pick<SwarmTrial, "failure" | "decisions" | "verdicts">;

export class SwarmTally {
  readonly #worlds = { passed: 0, failed: 0, inconclusive: 0, vacuous: 0 };
  readonly #decisions = { compared: 0, open: 0 };
  readonly #rules = new Map<string, { pass: number; vacuous: number; inconclusive: number }>();

  add(trial: TalliedTrial): void {
    this.#worlds[worldOutcome(trial)] += 1;
    this.#decisions.compared += trial.decisions.compared;
    this.#decisions.open += trial.decisions.open;
    for (const { expectation, outcome } of trial.verdicts) {
      const counts = this.#rules.get(expectation) ?? { pass: 0, vacuous: 0, inconclusive: 0 };
      this.#rules.set(expectation, counts);
      if (outcome !== "fail" && outcome !== "error") counts[outcome] += 1;
    }
  }

  get worlds(): WorldCounts {
    const { inconclusive, vacuous } = this.#worlds;
    return { ...this.#worlds, skipped: inconclusive + vacuous };
  }

  get decisions(): DecisionCounts {
    return { ...this.#decisions };
  }

  /** All rules, first the rule that passed in most worlds. */
  get rules(): readonly RuleCounts[] {
    return [...this.#rules]
      .map(([rule, { pass: passed, vacuous, inconclusive }]): RuleCounts => ({
        rule,
        passed,
        vacuous,
        inconclusive,
      }))
      .toSorted((one, other) => other.passed - one.passed);
  }
}

/** The result of a world. Only decisions must be compared in each world; another rule may examine nothing. */
function worldOutcome({
  failure,
  decisions,
  verdicts,
}: TalliedTrial): Exclude<keyof WorldCounts, "skipped"> {
  if (failure !== null) return "failed";
  if (verdicts.some(({ outcome }) => outcome === "inconclusive")) return "inconclusive";
  return decisions.compared === 0 ? "vacuous" : "passed";
}

const COLUMNS = ["passed", "vacuous", "inconclusive"] as const;

export const tallyLines = ({ decisions, rules, worlds }: SwarmTally): readonly string[] => [
  `${decisions.open} of ${many(decisions.compared, "compared decision")} ${decisions.open === 1 ? "is" : "are"} open (${percentText(decisions.open, decisions.compared)})`,
  `  ${COLUMNS.join("  ")}`,
  ...rules.map(
    (counts) =>
      `  ${COLUMNS.map((name) => String(counts[name]).padStart(name.length)).join("  ")}  ${counts.rule}`,
  ),
  ...linesOfSkipped(worlds),
];

function linesOfSkipped({ skipped, inconclusive, vacuous }: WorldCounts): readonly string[] {
  const parts = [
    ...(inconclusive === 0
      ? []
      : [`${many(inconclusive, "inconclusive world")} (too many decisions are open)`]),
    ...(vacuous === 0 ? [] : [`${many(vacuous, "vacuous world")} (no decision was compared)`]),
  ];
  return skipped === 0 ? [] : [`skipped: ${parts.join(", ")}`];
}
