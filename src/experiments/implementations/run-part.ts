// The results of implementations as the content of a report page.
import type { LimitersPart } from "../../report/limiters.ts";
import type { ImplementationsRun } from "./result.ts";
import { formatConfirmation } from "./table.ts";
import { LOOKS, MARKS, MEANINGS, VERDICTS } from "./verdict.ts";

export function runPart(run: ImplementationsRun): LimitersPart {
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
    limiters: implementations
      .filter(({ missing }) => missing === null)
      .map(({ id, name, version, language, clock, verdicts }) => ({
        id,
        name,
        version,
        language,
        clock,
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
