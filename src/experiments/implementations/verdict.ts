// What a behaviour shows of an implementation. Its documentation and the algorithm that it claims decide, never taste.
import type { Manifest } from "../../implementations/manifest.ts";
import type { Result } from "../../scenario/verdict.ts";

/** Worst first. */
export const VERDICTS = [
  "contradicts",
  "failed",
  "differs",
  "documented",
  "open",
  "unsupported",
  "holds",
] as const;
export type ImplementationVerdict = (typeof VERDICTS)[number];

export const MARKS: Readonly<Record<ImplementationVerdict, string>> = {
  contradicts: "X",
  failed: "!",
  differs: "d",
  documented: "~",
  open: "?",
  unsupported: "-",
  holds: "+",
};

export const MEANINGS: Readonly<Record<ImplementationVerdict, string>> = {
  contradicts: "contradicts its own documentation",
  failed: "could not be run",
  differs: "differs, and its documentation has nothing about it",
  documented: "differs as documented",
  open: "left open by real time",
  unsupported: "cannot be expressed",
  holds: "holds",
};

export interface JudgedBehaviour {
  readonly behaviour: string; // the id of its scenario, without the folder
  readonly verdict: ImplementationVerdict;
  /** The expected and the observed values, or why it was not run. */
  readonly evidence: readonly string[];
  /** The sentence of the documentation that decides, and its place; null: none. */
  readonly sentence: string | null;
  readonly source: string | null;
  /** Of a contradiction. */
  readonly confirmed: Confirmation | null;
}

/** How a contradiction was seen again. */
export interface Confirmation {
  readonly seeds: readonly number[]; // that show it, of those that were tried
  readonly tried: number;
  readonly inRealTime: boolean | null; // null: not tried
  readonly scenario: string | null; // the smallest that shows it
  readonly decisions: readonly string[];
  readonly again: string; // a command
}

type Claim = Manifest["claims"][string];

/** `isOfModel`: the algorithm that it claims differs from the behaviour in the same way. */
export function judge(
  behaviour: string,
  result: Result,
  claim: Claim | null,
  isOfModel: boolean,
): JudgedBehaviour {
  const judged = {
    behaviour,
    evidence: evidenceOf(result),
    sentence: claim?.sentence ?? null,
    source: claim?.source ?? null,
    confirmed: null,
  };
  switch (result.outcome) {
    case "pass":
      return { ...judged, verdict: "holds", evidence: [] };
    case "unsupported":
      return { ...judged, verdict: "unsupported" };
    case "error":
      return { ...judged, verdict: "failed" };
    case "vacuous":
    case "inconclusive":
      return { ...judged, verdict: "open" };
    case "fail":
      break;
  }
  if (claim?.holds === true) return { ...judged, verdict: "contradicts" };
  if (claim !== null) return { ...judged, verdict: "documented" };
  return isOfModel
    ? { ...judged, verdict: "documented", sentence: "The algorithm that it claims differs too." }
    : { ...judged, verdict: "differs" };
}

const evidenceOf = ({ verdicts, unsupported }: Result): readonly string[] => [
  ...unsupported,
  ...verdicts
    .filter(({ outcome }) => outcome !== "pass")
    .map(
      ({ expectation, expected, observed }) =>
        `${expectation}: expected ${expected}, observed ${observed}`,
    ),
];
