// A result in words: one table with all candidates, and what its columns mean.
import { many, plural, type Paint } from "../../kit/reading/legible.ts";
import { table } from "../../kit/reading/table.ts";
import { percent, thousands } from "../replay/table.ts";
import type { TryResult, TryRow } from "./result.ts";

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

const COLUMNS: readonly TryColumn[] = [
  column("limit", "of each client", ({ limit }) => limit),
  column(
    "by",
    "the algorithm, or the profile of a limiter of others",
    ({ algorithm, profile }) => algorithm ?? `profile ${profile}`,
    false,
  ),
  column("admitted", "requests that an attempt got admitted", ({ admitted }) =>
    thousands(admitted),
  ),
  column("share", "of the requests", ({ admitted, requests }) => percent(admitted / requests)),
  column("429s", "refused attempts", ({ refusedAttempts }) => thousands(refusedAttempts)),
  column("gave up", "requests that no attempt got admitted", ({ gaveUp }) => thousands(gaveUp)),
  column("most", "admitted from one budget in any window of the limit", ({ mostInWindow }) =>
    thousands(mostInWindow),
  ),
  column(
    "wait p50",
    "from when a request is due to its admission, of half of the requests",
    (row) => durationText(row.successUs.median),
  ),
  column("p99", "the same, of 99 % of the requests", ({ successUs }) =>
    durationText(successUs.p99),
  ),
  column(
    "fairness",
    "Jain's index over the shares of requests that clients got admitted: 1 if all are equal",
    ({ fairness }) => index(fairness),
  ),
  column("peak sent", "attempts of all clients in any second", ({ peakSent }) =>
    thousands(peakSent),
  ),
  column("served", "admitted of all clients in any second", ({ peakAdmitted }) =>
    thousands(peakAdmitted),
  ),
  column(
    "commands",
    "of the store for each attempt, those inside scripts too; empty for profiles",
    ({ commands }) => (commands === null ? "" : String(Number(commands.toFixed(2)))),
  ),
];

const RETRY = column(
  "retry",
  "what clients do with a refused request",
  ({ retry }) => retry,
  false,
);

/** The columns of the table, with one for the kind of retry if several kinds are compared. */
export const columnsOf = ({ retries }: TryResult): readonly TryColumn[] =>
  retries.length === 1
    ? COLUMNS
    : [...COLUMNS.slice(0, NAMED_BY), RETRY, ...COLUMNS.slice(NAMED_BY)];

export const nameOfTried = (
  { limit, algorithm, profile, retry }: TryRow,
  { retries }: TryResult,
): string =>
  `${limit} ${algorithm ?? `profile ${profile}`}${retries.length === 1 ? "" : ` ${retry}`}`;

/** The number of first columns that name a candidate: limit and limiter. */
const NAMED_BY = 2;

/** States the number of requests of each candidate, the number of gateways, and the seed. */
export function sizeText({ candidates, gateways, seed }: TryResult): string {
  const requests = candidates[0]?.requests;
  const where = many(gateways, "gateway");
  return `${requests === undefined ? "no" : thousands(requests)} ${plural(requests ?? 0, "request")}, ${where}, seed ${seed}`;
}

/** Renders a result for a terminal of `width` columns. A wider table continues below. */
export function tryText(
  result: TryResult,
  paint: Paint,
  width = Number.POSITIVE_INFINITY,
): readonly string[] {
  const { traffic, candidates } = result;
  const isEmpty = candidates.length === 0;
  return [
    traffic,
    sizeText(result),
    ...(isEmpty ? [] : ["", ...tableText(result, paint, width), "", ...legend(result)]),
  ];
}

function tableText(result: TryResult, paint: Paint, width: number): readonly string[] {
  const columns = columnsOf(result);
  const named = columns.includes(RETRY) ? NAMED_BY + 1 : NAMED_BY;
  return table(
    columns.map(({ title, isNumber, of }) => ({
      title,
      isNumber,
      cells: result.candidates.map(of),
    })),
    paint,
    undefined,
    { width, named },
  );
}

const legend = (result: TryResult): readonly string[] =>
  columnsOf(result)
    .slice(NAMED_BY)
    .map(({ title, about }) => `${title}: ${about}`);
