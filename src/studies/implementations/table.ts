// Formats the results of implementations for a terminal: a table of marks, and every contradiction with its evidence.
import { localCommand } from "../../kit/command-line.ts";
import { many, type Paint } from "../../kit/reading/legible.ts";
import { listInLines, table, type TableColumn } from "../../kit/reading/table.ts";
import type {
  Confirmation,
  ImplementationRun,
  ImplementationsRun,
  JudgedBehaviour,
} from "./result.ts";
import { NO_PROOFS, type SavedProofs } from "./saved-proof.ts";
import { LOOKS, MARKS, MEANINGS, VERDICTS, type ImplementationVerdict } from "./verdict.ts";

/** Formats the results that follow the answer. Behaviours are numbered columns, because their names are long. */
export function tableText(
  run: ImplementationsRun,
  { paint, width, hasLegend }: MarksPrint,
  proofs: SavedProofs = NO_PROOFS,
): readonly string[] {
  const { behaviours, implementations } = run;
  const played = implementations.filter(({ missing }) => missing === null);
  return [
    ...(played.length === 0 ? [] : marksText(run, played, { paint, width }, proofs)),
    ...(hasLegend
      ? [
          ...behaviours.map(
            ({ id, title }, index) => `${`${index + 1}`.padStart(4)}  ${id}: ${title}`,
          ),
          ...VERDICTS.toReversed().map((verdict) => `   ${MARKS[verdict]}  ${MEANINGS[verdict]}`),
        ]
      : footnotes(run, width)),
    ...reasonsText(run, played, paint),
    ...played.flatMap((each) => evidenceText(each, paint)),
    ...implementations.flatMap(({ id, missing }) =>
      missing === null ? [] : [`not run: ${id}: ${missing}`],
    ),
    ...proofsText(played, proofs),
    footerText(run),
  ];
}

interface MarksPrint extends MarksWidth {
  /** Whether every behaviour and every mark has a line of its own. */
  readonly hasLegend: boolean;
}

interface MarksWidth {
  readonly paint: Paint;
  readonly width: number;
}

/** The names of the numbered behaviours, and the marks that occur. */
function footnotes({ behaviours, footer }: ImplementationsRun, width: number): readonly string[] {
  const marks = VERDICTS.toReversed().filter((verdict) => footer[verdict] > 0);
  return [
    behaviours.map(({ id }, index) => `${index + 1} ${id}`),
    marks.map((verdict) => `${MARKS[verdict]} ${MEANINGS[verdict]}`),
  ].flatMap((items) => listInLines(items, width));
}

/** The most implementations whose reasons are printed: more reasons would fill the terminal. */
const MOST_WITH_REASONS = 4;

/** Lists why behaviours cannot be expressed, by the numbers of their columns. */
function reasonsText(
  { behaviours }: ImplementationsRun,
  played: readonly ImplementationRun[],
  paint: Paint,
): readonly string[] {
  const meaning = paint(LOOKS.unsupported, MEANINGS.unsupported);
  const open = played.filter(({ verdicts }) =>
    verdicts.some(({ verdict }) => verdict === "unsupported"),
  );
  if (open.length > MOST_WITH_REASONS)
    return [`${meaning}: for the reasons, add --json or --html, or run one implementation`];
  return open.flatMap(({ id, verdicts }) => {
    const columnsOf = new Map<string, number[]>(); // columns by reason
    for (const { behaviour, verdict, evidence } of verdicts) {
      if (verdict !== "unsupported") continue;
      const reason = evidence.join("; ");
      const column = behaviours.findIndex((each) => each.id === behaviour) + 1;
      columnsOf.set(reason, [...(columnsOf.get(reason) ?? []), column]);
    }
    return [...columnsOf].map(
      ([reason, columns]) => `${meaning}: ${id}, ${columns.join(", ")}: ${reason}`,
    );
  });
}

/** Lines about the saved results of `weir implementations prove`. */
const proofsText = (played: readonly ImplementationRun[], proofs: SavedProofs): readonly string[] =>
  played.flatMap(({ id }) => {
    const proof = proofs.get(id);
    return proof === undefined ? [] : [`profile of ${id}: ${proof.sentence} (${proof.file})`];
  });

const LONGEST_VERSION = 16;

export const shortVersion = (version: string): string =>
  version.length > LONGEST_VERSION ? `${version.slice(0, LONGEST_VERSION - 3)}...` : version;

function marksText(
  { behaviours }: ImplementationsRun,
  played: readonly ImplementationRun[],
  { paint, width }: MarksWidth,
  proofs: SavedProofs,
): readonly string[] {
  const words = (title: string, of: (each: ImplementationRun) => string): TableColumn => ({
    title,
    cells: played.map(of),
    isNumber: false,
  });
  const verdictOf = ({ verdicts }: ImplementationRun, id: string) =>
    verdicts.find(({ behaviour }) => behaviour === id)?.verdict;
  const about = [
    words("implementation", ({ id }) => id),
    words("version", ({ version }) => shortVersion(version)),
    words("clock", ({ clock }) => clock),
    ...(proofs.size === 0 ? [] : [words("profile", ({ id }) => proofs.get(id)?.verdict ?? "")]),
  ];
  const marks = behaviours.map(({ id }, index) =>
    words(`${index + 1}`, (each) => {
      const verdict = verdictOf(each, id);
      return verdict === undefined ? "" : MARKS[verdict];
    }),
  );
  return table(
    [...about, ...marks],
    paint,
    (row, column) => {
      const behaviour = behaviours[column - about.length];
      const verdict = behaviour === undefined ? undefined : verdictOf(played[row]!, behaviour.id);
      return verdict === undefined ? null : LOOKS[verdict];
    },
    { width, named: 1 },
  );
}

const SHOWN: readonly ImplementationVerdict[] = ["contradicts", "failed", "differs"];

const evidenceText = ({ id, verdicts }: ImplementationRun, paint: Paint): readonly string[] =>
  verdicts
    .filter(({ verdict }) => SHOWN.includes(verdict))
    .toSorted((a, b) => SHOWN.indexOf(a.verdict) - SHOWN.indexOf(b.verdict))
    .flatMap((each, index, all) =>
      isSameFailure(each, all[index - 1])
        ? []
        : behaviourText(
            id,
            each,
            all.slice(index + 1).filter((other) => isSameFailure(other, each)).length,
            paint,
          ),
    );

/** Whether two behaviours failed in the same way, as with a program that does not start. */
const isSameFailure = (one: JudgedBehaviour, other: JudgedBehaviour | undefined): boolean =>
  one.verdict === "failed" &&
  other?.verdict === "failed" &&
  one.evidence.join("\n") === other.evidence.join("\n");

function behaviourText(
  id: string,
  judged: JudgedBehaviour,
  more: number, // how many further behaviours have the same failure
  paint: Paint,
): readonly string[] {
  const { behaviour, verdict, evidence, sentence, source, confirmed, again } = judged;
  return [
    `${paint(LOOKS[verdict], MEANINGS[verdict])}: ${id}, ${behaviour}${more === 0 ? "" : ` and ${more} more`}`,
    ...evidence.map((line) => `  ${line}`),
    ...(sentence === null
      ? []
      : [`  its documentation: ${sentence}${source === null ? "" : ` (${source})`}`]),
    ...(confirmed === null
      ? []
      : [
          `  ${formatConfirmation(confirmed)}`,
          ...confirmed.decisions.map((line) => `    ${line}`),
          ...reductionText(confirmed),
        ]),
    `  again: ${localCommand(again)}`,
  ];
}

const reductionText = ({ reduction, scenario }: Confirmation): readonly string[] =>
  scenario === null
    ? [`  ${reduction}`]
    : [
        `  ${reduction}:`,
        ...scenario
          .trimEnd()
          .split("\n")
          .map((line) => `    ${line}`),
      ];

/** Writes a confirmation, such as "seen again with 3 of 3 other seeds, and in real time". */
export const formatConfirmation = ({ seeds, tried, inRealTime }: Confirmation): string =>
  `seen again with ${seeds.length} of ${many(tried, "other seed")}${realText(inRealTime)}`;

const realText = (inRealTime: boolean | null): string =>
  inRealTime === null ? "" : inRealTime ? ", and in real time" : ", and not in real time";

const SUMS: readonly (readonly [ImplementationVerdict, string])[] = [
  ["holds", "holds"],
  ["contradicts", "contradicts its documentation"],
  ["documented", "differs as documented"],
  ["differs", "differs"],
  ["unsupported", "unsupported"],
  ["open", "open"],
  ["failed", "failed"],
];

const footerText = ({ footer }: ImplementationsRun): string =>
  [
    ...SUMS.map(([verdict, words]) => `${footer[verdict]} ${words}`),
    `${footer.run} run`,
    `${footer.notRun} not run`,
  ].join(", ");
