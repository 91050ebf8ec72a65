// Builds the content of a report page from the results of implementations.
import type { ForeignLimiter, LimitersPart } from "../../lab/report/limiters.ts";
import { groupOf, inGroups } from "./groups.ts";
import type { ImplementationsRun } from "./result.ts";
import { formatConfirmation } from "./table.ts";
import { NO_PROOFS, PROOF_LOOKS, type SavedProof, type SavedProofs } from "./saved-proof.ts";
import { LOOKS, MARKS, MEANINGS, VERDICTS } from "./verdict.ts";

export function runPart(run: ImplementationsRun, proofs: SavedProofs = NO_PROOFS): LimitersPart {
  const { behaviours, implementations, footer, weir, commit, date, seed } = run;
  return {
    summary: [
      `${footer.run} implementations were run, ${footer.notRun} were not.`,
      `${footer.holds} behaviours hold, ${footer.contradicts} contradict the documentation, ${footer.documented} differ as documented, ${footer.differs} differ.`,
    ],
    verdicts: Object.fromEntries(
      VERDICTS.map((verdict) => [
        verdict,
        { mark: MARKS[verdict], meaning: MEANINGS[verdict], look: LOOKS[verdict] },
      ]),
    ),
    behaviours,
    limiters: inGroups(implementations)
      .filter(({ missing }) => missing === null)
      .map(({ id, name, version, kind, language, clock, verdicts }) => ({
        id,
        name,
        version,
        group: groupOf({ id, kind, language }),
        clock,
        proof: proofOf(proofs.get(id)),
        cells: verdicts.map(({ confirmed, sentence, ...judged }) => ({
          ...judged,
          documentation: sentence,
          confirmed: confirmed === null ? null : formatConfirmation(confirmed),
          decisions: confirmed?.decisions ?? [],
          reduction: confirmed?.reduction ?? null,
          scenario: confirmed?.scenario ?? null,
        })),
      })),
    notRun: implementations.flatMap(({ id, missing }) =>
      missing === null ? [] : [[id, missing] as const],
    ),
    facts: [
      ["Weir", weir],
      ["commit", commit ?? "unknown"],
      ["date", date],
      ["seed", String(seed)],
    ],
  };
}

const proofOf = (proof: SavedProof | undefined): ForeignLimiter["proof"] =>
  proof === undefined ? null : { ...proof, look: PROOF_LOOKS[proof.verdict] };
