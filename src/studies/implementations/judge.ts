// Compares the result of a behaviour with what the implementation promises: by its documentation and by the algorithm
// that it claims, and by nothing else.
import type { Manifest } from "../../lab/implementations/manifest.ts";
import type { Result } from "../../lab/scenario/verdict.ts";
import type { JudgedBehaviour } from "./result.ts";

type Claim = Manifest["claims"][string];

/** `ofModel`: the result of the claimed algorithm at exact times; null: it was not run, because nothing differs. */
export function judge(
  behaviour: string,
  result: Result,
  claim: Claim | null,
  ofModel: Result | null,
): Omit<JudgedBehaviour, "again"> {
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
      return { ...judged, verdict: "open" };
    case "inconclusive":
      if (claim?.holds === true || ofModel === null || !differsAlike(result, ofModel))
        return { ...judged, verdict: "open" };
      break;
    case "fail":
      break;
  }
  if (claim?.holds === true) return { ...judged, verdict: "contradicts" };
  if (claim !== null) return { ...judged, verdict: "documented" };
  return ofModel?.outcome === "fail"
    ? { ...judged, verdict: "documented", sentence: "The algorithm that it claims differs too." }
    : { ...judged, verdict: "differs" };
}

/**
 * Whether an inconclusive result is a difference all the same. Late requests leave expectations open; but if the
 * claimed algorithm fails such an expectation at exact times, with the same observed values, lateness is not the cause.
 */
const differsAlike = ({ verdicts }: Result, model: Result): boolean =>
  verdicts.some(({ outcome, expectation, observed }) =>
    model.verdicts.some(
      (exact) =>
        outcome !== "pass" &&
        exact.outcome === "fail" &&
        exact.expectation === expectation &&
        observed.startsWith(`${exact.observed};`),
    ),
  );

const evidenceOf = ({ verdicts, unsupported }: Result): readonly string[] => [
  ...unsupported,
  ...verdicts
    .filter(({ outcome }) => outcome !== "pass")
    .map(({ outcome, expectation, expected, observed }) =>
      outcome === "error" ? observed : `${expectation}: expected ${expected}, observed ${observed}`,
    ),
];
