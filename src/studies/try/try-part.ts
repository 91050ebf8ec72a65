// The result on a report page: one table, and the attempts over time as small charts of the same scale.
import { portableCommand } from "../../kit/command-line.ts";
import type { MeasuredPart } from "../../lab/report/measured.ts";
import { clientsSection } from "./clients-section.ts";
import { attemptsFigure, herdSection, stormSection } from "./retry-sections.ts";
import type { UnansweredTry, TryRow } from "./result.ts";
import { columnsOf, countDrawn, noteDraws, nameOfTried, seedsText, sizeText } from "./text.ts";

export function tryPart(result: UnansweredTry, argv: readonly string[]): MeasuredPart {
  const { candidates, traffic, isInterrupted } = result;
  const columns = columnsOf(result);
  const hasOneLimit = new Set(candidates.map(({ limit }) => limit)).size === 1;
  const hasRetries = result.retries.length > 1;
  // Of three columns of names the limit can be left out, if it is in all charts.
  const shown = hasOneLimit && hasRetries ? columns.slice(1) : columns;
  const binS = (candidates[0]?.overTime.binUs ?? 1) / 1_000_000;
  const bins = Math.max(1, ...candidates.map(({ overTime }) => overTime.admitted.length));
  const later = candidates.filter(({ overTime }) => overTime.later > 0).length;
  const top = Math.max(0, ...candidates.flatMap((row) => ratesOf(row, bins, attemptsAt)));
  const overTimeScale = { binS, top };
  return {
    title: "Limits on the same traffic",
    headline: "What each limit does with the same traffic",
    word: isInterrupted ? "partial" : null,
    doubts: isInterrupted ? ["The run was interrupted: candidates are missing."] : [],
    summary: [traffic, `${sizeText(result)}.`],
    sections: [
      {
        title: "All candidates",
        notes: [...noteDraws(result)],
        figures: [],
        tables: [
          {
            heads: shown.map(({ title }) => title.replace(" in ", " in\u00a0")),
            rows: candidates.map((row) => shown.map(({ of }) => of(row).replace(" (", "\n("))),
            folded: null,
            names: hasRetries && !hasOneLimit ? 3 : 2,
          },
        ],
      },
      {
        title: "Attempts over time",
        notes: [
          ...noteFirstDraw(result),
          "Retries are attempts too. All charts have one scale: a peak after a quiet time is clients that return together.",
          ...(later === 0
            ? []
            : [
                `Attempts after ${bins * binS} s are not drawn; ${later} of the candidates have some.`,
              ]),
        ],
        figures: candidates.map((row) =>
          attemptsFigure(nameOfTried(row, result), bins, overTimeScale, [
            { what: "admitted", values: ratesOf(row, bins, ({ admitted }, bin) => admitted[bin]) },
            { what: "refused", values: ratesOf(row, bins, ({ refused }, bin) => refused[bin]) },
            ...(row.lost === 0
              ? []
              : [{ what: "lost", values: ratesOf(row, bins, ({ lost }, bin) => lost[bin]) }]),
          ]),
        ),
        tables: [],
      },
      ...(candidates.every(({ herd }) => herd === null)
        ? []
        : [stormSection(result, bins, overTimeScale), herdSection(result)]),
      clientsSection(result),
    ],
    facts: [
      ["command", portableCommand(argv)],
      ["random times", seedsText(result)],
      ...columns.slice(2).map(({ title, about }) => [title, about] as const),
    ],
  };
}

/** Charts and clients are those of one run. */
const noteFirstDraw = (result: UnansweredTry): readonly string[] =>
  countDrawn(result) === 1 ? [] : [`All charts have the draw of seed ${result.seed}.`];

type ValueAt = (overTime: TryRow["overTime"], bin: number) => number | undefined;

const attemptsAt: ValueAt = ({ admitted, refused, lost }, bin) =>
  (admitted[bin] ?? 0) + (refused[bin] ?? 0) + (lost[bin] ?? 0);

/** Values per second, one for each bin. */
const ratesOf = ({ overTime }: TryRow, bins: number, valueAt: ValueAt): readonly number[] =>
  Array.from({ length: bins }, (_, bin) =>
    Number((((valueAt(overTime, bin) ?? 0) * 1_000_000) / overTime.binUs).toPrecision(4)),
  );
