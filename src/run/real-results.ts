// What variants that were asked of a driver in real time came to, whether they could be played or not.
import type { Reason } from "../drivers/support.ts";
import { stretchVariant } from "../drivers/stretch.ts";
import { scenarioReport } from "../report/build/report-of.ts";
import type { ScenarioReport } from "../report/model.ts";
import type { History } from "../scenario/history.ts";
import type { Scenario, Variant } from "../scenario/types.ts";
import { NO_TOTALS, worst, type Result } from "../scenario/verdict.ts";
import { isLeftOpen } from "./left-open.ts";
import { judged } from "./pipeline.ts";

export type PlayedOrNot =
  | { readonly kind: "unsupported"; readonly variant: Variant; readonly against: readonly Reason[] }
  | {
      readonly kind: "played";
      readonly variant: Variant;
      readonly history: History;
      readonly isStoreLate: boolean;
    }
  | { readonly kind: "broken"; readonly variant: Variant; readonly why: string };

export interface AskedOfReal {
  readonly driver: string;
  readonly seed: number;
  readonly stretch: number;
  /** Capabilities, or drivers, whose absence is a failure. */
  readonly required: ReadonlySet<string>;
  readonly isDrawn?: boolean;
}

export interface ToldOfReal {
  readonly results: readonly Result[];
  readonly part: ScenarioReport | null; // null: nothing is drawn, or nothing of it
}

/** Of those that are meant; others were played to be compared with. */
export function toldInReal(
  asked: AskedOfReal,
  scenario: Scenario,
  meant: ReadonlySet<string>,
  outcomes: readonly PlayedOrNot[],
  source: string,
): ToldOfReal {
  // What was played is what is judged, and what is told.
  const slower = {
    ...scenario,
    variants: scenario.variants.map((variant) => stretchVariant(variant, asked.stretch)),
  };
  const slow = ({ name }: Variant): Variant => slower.variants.find((one) => one.name === name)!;
  const played = outcomes.flatMap((outcome) =>
    outcome.kind === "played" ? [{ variant: slow(outcome.variant), history: outcome.history }] : [],
  );
  const results = new Map(
    judged(slower, played).runs.map(({ result }) => [result.variant, result]),
  );
  const runs = outcomes
    .filter(({ variant }) => meant.has(variant.name))
    .map((outcome) => ({
      variant: slow(outcome.variant),
      history: outcome.kind === "played" ? outcome.history : null,
      result: resultOf(asked, scenario, outcome, results),
    }));
  const { isDrawn = false } = asked;
  return {
    results: runs.map(({ result }) => result),
    // Of a sample most scenarios have nothing to tell.
    part: isDrawn && runs.length > 0 ? scenarioReport({ scenario: slower, runs }, source) : null,
  };
}

function resultOf(
  asked: AskedOfReal,
  scenario: Scenario,
  outcome: PlayedOrNot,
  results: ReadonlyMap<string, Result>,
): Result {
  if (outcome.kind === "played") {
    const result = {
      ...results.get(outcome.variant.name)!,
      ...(asked.stretch === 1 ? {} : { stretch: asked.stretch }),
    };
    return outcome.isStoreLate ? markInconclusive(result) : result;
  }
  const none = notPlayed(asked, scenario, outcome.variant);
  if (outcome.kind === "broken") return broken(none, outcome.why);
  const unsupported = outcome.against.map(({ text }) => text);
  return outcome.against.some(({ missing }) => asked.required.has(missing))
    ? broken({ ...none, unsupported }, unsupported.join("; "))
    : { ...none, unsupported };
}

/** With a late store the gateway decided by itself: the run shows nothing of the world in the file. */
function markInconclusive(result: Result): Result {
  const verdicts = result.verdicts.map((verdict) =>
    verdict.outcome === "pass"
      ? verdict
      : {
          ...verdict,
          outcome: "inconclusive" as const,
          observed: `the store was late: ${verdict.observed}`,
        },
  );
  return {
    ...result,
    verdicts,
    outcome: worst(verdicts.map(({ outcome }) => outcome).concat("inconclusive")),
    undecided: result.requests,
  };
}

/** How many times as slow a variant is run again if the machine was too busy for a verdict. */
const PATIENCE = [2, 4] as const;

const openIn = ({ results }: ToldOfReal): number =>
  results.filter(isLeftOpen).reduce((open, { undecided }) => open + undecided + 1, 0);

const hasFailed = ({ results }: ToldOfReal): boolean =>
  results.some(({ outcome }) => outcome === "fail" || outcome === "error");

/**
 * Runs a scenario again, and slower, as long as decisions or verdicts are open and that helps, and returns the run with the fewest of
 * them. A failure always stays: it ends the repetition.
 */
export async function runUntilDecided<T extends { readonly told: ToldOfReal }>(
  run: (by: number) => Promise<T>,
  isOver: () => boolean,
): Promise<{ readonly best: T; readonly before: number }> {
  let best = await run(1);
  let least = openIn(best.told);
  let before = 0;
  for (const by of PATIENCE) {
    if (hasFailed(best.told) || least === 0) break;
    const again = await run(by);
    if (isOver()) break;
    before++;
    const open = openIn(again.told);
    const isNoBetter = open >= least;
    if (hasFailed(again.told) || open <= least) {
      best = again;
      least = open;
    }
    // Every decision is exact, and a verdict is open all the same: it asks for an edge that no real clock meets.
    if (isNoBetter && again.told.results.every(({ undecided }) => undecided === 0)) break;
  }
  return { best, before };
}

const notPlayed = (
  { driver, seed }: AskedOfReal,
  { id, file }: Scenario,
  { name, axes }: Variant,
): Result => ({
  scenario: id,
  file,
  variant: name,
  axes,
  driver,
  seed,
  outcome: "unsupported",
  unsupported: [],
  verdicts: [],
  because: [],
  decidedBy: [],
  ...NO_TOTALS,
  undecided: 0,
  virtualUs: 0,
});

const broken = (result: Result, why: string): Result => ({
  ...result,
  outcome: "error",
  verdicts: [
    {
      expectation: "the scenario is played",
      line: 1,
      proves: [],
      outcome: "error",
      observed: why,
      expected: "a history",
      examined: 0,
      evidence: [],
      evidenceTotal: 0,
      requests: [],
    },
  ],
});
