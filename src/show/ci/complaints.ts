// Expectations that do not hold: one complaint for each line of a scenario file, however many variants fail there.
import { isGood } from "../../lab/check/counts.ts";
import type { Outcome, Result, Verdict } from "../../lab/scenario/verdict.ts";
import { replay, WORST_FIRST } from "../result-text.ts";

export interface Complaint {
  readonly scenario: string;
  readonly file: string;
  readonly line: number;
  readonly outcome: Outcome;
  readonly expectation: string;
  readonly expected: string;
  readonly observed: string;
  readonly variants: number;
  readonly variant: string; // the first one with the worst outcome; `expected` and `observed` are of this variant
  readonly again: string; // the command that runs the variant again
}

type Wrong = Pick<Verdict, "line" | "outcome" | "expectation" | "expected" | "observed">;

const NO_EXPECTATION: Wrong = {
  line: 1,
  outcome: "vacuous",
  expectation: "something is expected of every variant",
  expected: "an expectation",
  observed: "none",
};

/** The verdicts that keep a variant from passing. */
export const wrongIn = ({ verdicts }: Result): readonly Wrong[] =>
  verdicts.length === 0 ? [NO_EXPECTATION] : verdicts.filter(({ outcome }) => outcome !== "pass");

/** The complaints of a run, the worst first; equally bad ones are in the order of the run. */
export function complaintsOf(results: readonly Result[]): readonly Complaint[] {
  const all = results
    .filter((result) => !isGood(result))
    .flatMap((result) => wrongIn(result).map((wrong) => ({ result, wrong })));
  const byLine = Map.groupBy(all, ({ result, wrong }) =>
    JSON.stringify([result.file, wrong.line, wrong.expectation]),
  );
  return [...byLine.values()].map(complaintOf).toSorted(byOutcome);
}

function complaintOf(
  group: readonly { readonly result: Result; readonly wrong: Wrong }[],
): Complaint {
  const [first] = group.toSorted((one, other) => byOutcome(one.wrong, other.wrong));
  const { result, wrong } = first!;
  const { scenario, file, variant } = result;
  const variants = new Set(group.map((one) => one.result.variant)).size;
  return { scenario, file, ...wrong, variants, variant, again: replay(result) };
}

const byOutcome = (one: Pick<Wrong, "outcome">, other: Pick<Wrong, "outcome">): number =>
  WORST_FIRST.indexOf(one.outcome) - WORST_FIRST.indexOf(other.outcome);
