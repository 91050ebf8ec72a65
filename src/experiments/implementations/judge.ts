// What a behaviour shows of an implementation. Its documentation and the algorithm that it claims decide, never taste.
import type { Manifest } from "../../implementations/manifest.ts";
import type { Result } from "../../scenario/verdict.ts";
import type { JudgedBehaviour } from "./result.ts";

type Claim = Manifest["claims"][string];

/** `isOfModel`: the algorithm that it claims differs from the behaviour in the same way. */
export function judge(
  behaviour: string,
  result: Result,
  claim: Claim | null,
  isOfModel: boolean,
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
