// A result in words: one table with all candidates, and what its columns mean.
import {
  countText,
  cut,
  many,
  oneLine,
  type Paint,
  percent,
  thousands,
} from "../../kit/reading/legible.ts";
import { table, wrapAll } from "../../kit/reading/table.ts";
import { shortDuration } from "../replay/candidates.ts";
import { micros } from "../../kit/units.ts";
import { drawsOf, middleOf, valuesOf } from "./draw-values.ts";
import type { DrawFigures, TryRow, UnansweredTry } from "./result.ts";

export interface TryColumn {
  readonly title: string;
  readonly about: string;
  readonly isNumber: boolean;
  readonly of: (row: TryRow) => string;
}

const column = (title: string, about: string, of: TryColumn["of"], isNumber = true): TryColumn => ({
  title,
  about,
  isNumber,
  of,
});

/** Writes a number between 0 and 1 with at most three decimals. */
const index = (value: number): string => String(Number(value.toFixed(3)));

export function durationText(us: number | null): string {
  if (us === null) return "never";
  if (us === 0) return "0 s";
  return us < 1000 ? "<1 ms" : `${Number((us / 1_000_000).toPrecision(3))} s`;
}

const LIMIT = column("limit", "of each client", ({ limit }) => limit);
const LIMITER = column(
  "by",
  "the algorithm, or the profile or the file of a limiter of others",
  (row) => byText(row),
  false,
);
const RETRY = column(
  "retry",
  "what clients do with a refused request",
  ({ retry }) => retry,
  false,
);

/** A figure of each draw: the middle one, and from which to which, if they differ. */
const figureColumn = (
  title: string,
  about: string,
  valueOf: (draw: DrawFigures) => number,
  text: (value: number) => string,
  hasRange = false,
): TryColumn =>
  column(title, about, (row) => {
    const values = valuesOf(row, valueOf);
    const middle = text(middleOf(values));
    const [least, most] = [text(Math.min(...values)), text(Math.max(...values))];
    return !hasRange || least === most ? middle : `${middle} (${least} to ${most})`;
  });

const waitText = (us: number): string => durationText(Number.isFinite(us) ? us : null);

const WAITS: readonly TryColumn[] = [
  figureColumn(
    "half wait",
    "from when a request is due to its admission, at most, of half of the requests",
    ({ successUs }) => successUs.median ?? Number.POSITIVE_INFINITY,
    waitText,
    true,
  ),
  figureColumn(
    "99 % wait",
    "the same, of 99 % of the requests",
    ({ successUs }) => successUs.p99 ?? Number.POSITIVE_INFINITY,
    waitText,
    true,
  ),
];

const columnsOfFigures = (
  window: string,
  hasGaveUp: boolean,
  hasWaits: boolean,
): readonly TryColumn[] => [
  figureColumn(
    "admitted",
    "requests that an attempt got admitted",
    ({ admitted }) => admitted,
    thousands,
  ),
  figureColumn(
    "share",
    "of the requests",
    ({ admitted, requests }) => admitted / Math.max(1, requests),
    percent,
  ),
  figureColumn(
    "refusals",
    "refused attempts",
    ({ refusedAttempts }) => refusedAttempts,
    thousands,
    true,
  ),
  ...(hasGaveUp
    ? [
        figureColumn(
          "gave up",
          "requests that no attempt got admitted",
          ({ gaveUp }) => gaveUp,
          thousands,
          true,
        ),
      ]
    : []),
  figureColumn(
    `most in ${window}`,
    "admitted from one budget in any window of the limit",
    ({ mostInWindow }) => mostInWindow,
    thousands,
    true,
  ),
  ...(hasWaits ? WAITS : []),
  figureColumn(
    "fairness",
    "Jain's index over the shares of requests that clients got admitted: 1 if all are equal",
    ({ fairness }) => fairness,
    index,
  ),
  figureColumn(
    "sent in 1s",
    "attempts of all clients, the most in any second",
    ({ peakSent }) => peakSent,
    thousands,
  ),
  figureColumn(
    "served in 1s",
    "of all clients, the most in any second",
    ({ peakAdmitted }) => peakAdmitted,
    thousands,
  ),
  column(
    "commands",
    "of the store for each attempt, those inside scripts too; empty for profiles",
    (row) =>
      row.commands === null
        ? ""
        : String(Number(middleOf(valuesOf(row, ({ commands }) => commands ?? 0)).toFixed(2))),
  ),
];

/** The columns that need no explanation: limit and limiter. */
const NAMED_BY = 2;

type TableFacts = Pick<UnansweredTry, "candidates" | "retries">;

const namingColumns = ({ retries }: TableFacts): readonly TryColumn[] =>
  retries.length === 1 ? [LIMIT, LIMITER] : [LIMIT, LIMITER, RETRY];

/** The columns of the table, with one for the kind of retry if several kinds are compared. */
export function columnsOf(result: TableFacts): readonly TryColumn[] {
  const [first, ...others] = new Set(result.candidates.map(({ perUs }) => perUs));
  const window = first === undefined || others.length > 0 ? "window" : shortDuration(micros(first));
  // Without retries each refused attempt is a request that gave up.
  const hasGaveUp = result.candidates.some((row) =>
    drawsOf(row).some(({ gaveUp, refusedAttempts }) => gaveUp !== refusedAttempts),
  );
  // Without retries and queues a request is admitted at once or never.
  const hasWaits = result.candidates.some(
    (row) =>
      row.retry !== "none" ||
      drawsOf(row).some(({ successUs }) => (successUs.median ?? 0) + (successUs.p99 ?? 0) > 0),
  );
  return [...namingColumns(result), ...columnsOfFigures(window, hasGaveUp, hasWaits)];
}

export const nameOfTried = (row: TryRow, { retries }: TableFacts): string =>
  `${row.limit} ${byText(row)}${retries.length === 1 ? "" : ` ${row.retry}`}`;

const byText = ({ algorithm, profile, file }: TryRow): string =>
  algorithm ?? (file === null ? `profile ${profile}` : cut(oneLine(file.name)));

/** The limits of the file that count the requests, and what the file leaves open. */
function fileText({ candidates }: UnansweredTry): readonly string[] {
  const file = candidates.find((row) => row.file !== null)?.file ?? null;
  if (file === null) return [];
  return [
    "",
    `limits of ${oneLine(file.name)} that count ${oneLine(file.request)}:`,
    ...file.rules.map(({ limit, rule, file: place, line, status, isDryRun }) =>
      oneLine(
        `  ${limit}  ${rule}, ${place}:${line}, ${isDryRun ? "a dry run" : `refuses with ${status}`}`,
      ),
    ),
    ...file.doubts.map((doubt) => `  ${oneLine(doubt)}`),
  ];
}

/** States the number of requests of each candidate, the number of gateways, and the seeds. */
export function sizeText({ candidates, gateways, seed }: UnansweredTry): string {
  const counts = candidates.flatMap((row) => valuesOf(row, ({ requests }) => requests));
  const [least, most] = [Math.min(...counts), Math.max(...counts)];
  const requests =
    counts.length === 0
      ? "no requests"
      : least === most
        ? countText(least, "request")
        : `${thousands(least)} to ${countText(most, "request")}`;
  return `${requests}, ${many(gateways, "gateway")}, ${seedsText({ candidates, seed })}`;
}

/** The most draws of a candidate: those without a random time have one. */
export const countDrawn = ({ candidates }: Pick<UnansweredTry, "candidates">): number =>
  Math.max(1, ...candidates.map((row) => drawsOf(row).length));

/** "seed 1", or "seeds 1 to 5". */
export function seedsText({
  candidates,
  seed,
}: Pick<UnansweredTry, "candidates" | "seed">): string {
  const draws = countDrawn({ candidates });
  return draws === 1 ? `seed ${seed}` : `seeds ${seed} to ${seed + draws - 1}`;
}

/** What a figure is if a candidate has several draws; may be empty. */
export const noteDraws = (result: UnansweredTry): readonly string[] => {
  const draws = countDrawn(result);
  return draws === 1
    ? []
    : [
        `Each figure is the middle one of ${draws} draws, in parentheses from the least to the most.`,
      ];
};

/** The columns that answers speak of, the most important one first. */
const IMPORTANT = ["refusals", "share", "gave up", "half wait", "99 % wait", "most"];

/** All columns if two tables have room for them, otherwise the most important ones that fit one. */
function fitColumns(
  columns: readonly TryColumn[],
  named: number,
  rows: readonly TryRow[],
  width: number,
): readonly TryColumn[] {
  const GAP = 2;
  const widthOf = (shown: readonly TryColumn[]): number =>
    shown.reduce(
      (sum, { title, of }) =>
        sum + Math.max(title.length, ...rows.map((row) => of(row).length)) + GAP,
      -GAP,
    );
  const names = columns.slice(0, named);
  const others = columns.slice(named);
  if (widthOf([...columns, ...names]) + GAP <= 2 * width) return columns;
  const rankOf = ({ title }: TryColumn): number =>
    IMPORTANT.findIndex((name) => title.startsWith(name));
  const chosen = new Set(names);
  for (const column of others
    .filter((each) => rankOf(each) !== -1)
    .toSorted((a, b) => rankOf(a) - rankOf(b)))
    if (chosen.size === named || widthOf([...chosen, column]) <= width) chosen.add(column);
  return columns.filter((column) => chosen.has(column));
}

interface TryTextOptions {
  /** A wider table has fewer columns, or continues below. */
  readonly width: number;
  readonly hasLegend: boolean;
}

export function tryText(
  result: UnansweredTry,
  paint: Paint,
  { width, hasLegend }: TryTextOptions,
): readonly string[] {
  const { traffic, candidates } = result;
  if (candidates.length === 0) return [traffic, sizeText(result)];
  const all = columnsOf(result);
  const named = namingColumns(result).length;
  const columns = hasLegend ? all : fitColumns(all, named, candidates, width);
  const left = all.length - columns.length;
  return [
    ...wrapAll([traffic, sizeText(result)], width),
    "",
    ...table(
      columns.map(({ title, isNumber, of }) => ({ title, isNumber, cells: candidates.map(of) })),
      paint,
      undefined,
      { width, named },
    ),
    ...fileText(result),
    ...(left === 0 ? [] : ["", `${many(left, "more column")}: --legend or --json`]),
    ...(hasLegend
      ? [
          "",
          ...wrapAll(
            [
              ...noteDraws(result),
              ...columns.slice(NAMED_BY).map(({ title, about }) => `${title}: ${about}`),
            ],
            width,
          ),
        ]
      : []),
  ];
}
