// The results of implementations on a report page: a table of marks for all, and one of evidence for each verdict.
import type { MeasuredPart, MeasuredSection } from "../../report/measured.ts";
import type { ImplementationsRun } from "./result.ts";
import { MARKS, MEANINGS, VERDICTS, type ImplementationVerdict } from "./verdict.ts";

export function runPart(run: ImplementationsRun): MeasuredPart {
  const { behaviours, implementations, footer, weir, commit, date, seed } = run;
  const played = implementations.filter(({ missing }) => missing === null);
  const legend = VERDICTS.toReversed().map((verdict) => `${MARKS[verdict]} ${MEANINGS[verdict]}`);
  return {
    title: "Implementations",
    headline: "Other people's limiters",
    word: null,
    doubts: [],
    summary: [
      `${footer.run} implementations were run, ${footer.notRun} were not.`,
      `${footer.holds} behaviours hold, ${footer.contradicts} contradict the documentation, ${footer.documented} differ as documented, ${footer.differs} differ.`,
    ],
    sections: [
      {
        title: "All behaviours",
        notes: [`${legend.join("; ")}.`],
        figures: [],
        tables: [
          {
            heads: ["behaviour", "what it is", ...played.map(({ id }) => id)],
            rows: behaviours.map(({ id, title }) => [
              id,
              title,
              ...played.map(({ verdicts }) => {
                const judged = verdicts.find(({ behaviour }) => behaviour === id);
                return judged === undefined ? "" : MARKS[judged.verdict];
              }),
            ]),
            folded: null,
            names: 2,
          },
        ],
      },
      ...VERDICTS.filter((verdict) => verdict !== "holds").flatMap((verdict) =>
        sectionOf(run, verdict),
      ),
    ],
    facts: [
      ["Weir", weir],
      ["commit", commit ?? "unknown"],
      ["date", date],
      ["seed", String(seed)],
      ...implementations.map(
        ({ id, version, clock, missing }) => [id, missing ?? `${version}, ${clock} clock`] as const,
      ),
    ],
  };
}

const FOLDED: readonly ImplementationVerdict[] = ["documented", "open", "unsupported"];

function sectionOf(
  { implementations }: ImplementationsRun,
  verdict: ImplementationVerdict,
): readonly MeasuredSection[] {
  const rows = implementations.flatMap(({ id, verdicts }) =>
    verdicts
      .filter((judged) => judged.verdict === verdict)
      .map(({ behaviour, evidence, sentence, confirmed }) => [
        id,
        behaviour,
        evidence.join("; "),
        sentence ?? "",
        confirmed?.again ?? "",
      ]),
  );
  if (rows.length === 0) return [];
  const title = MEANINGS[verdict];
  return [
    {
      title: `${title[0]!.toUpperCase()}${title.slice(1)}`,
      notes: [],
      figures: [],
      tables: [
        {
          heads: ["implementation", "behaviour", "evidence", "documentation", "again"],
          rows,
          folded: FOLDED.includes(verdict) ? `${rows.length} of them` : null,
          names: 2,
        },
      ],
    },
  ];
}
