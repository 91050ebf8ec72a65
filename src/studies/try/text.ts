// A result in words: one table with all candidates, and what its columns mean.
import { many, type Paint, percent, plural, thousands } from "../../kit/reading/legible.ts";
import { table } from "../../kit/reading/table.ts";
import { shortDuration } from "../replay/candidates.ts";
import { micros } from "../../kit/units.ts";
import type { TryRow, UnansweredTry } from "./result.ts";

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
  "the algorithm, or the profile of a limiter of others",
  ({ algorithm, profile }) => algorithm ?? `profile ${profile}`,
  false,
);
const RETRY = column(
  "retry",
  "what clients do with a refused request",
  ({ retry }) => retry,
  false,
);

const columnsOfFigures = (window: string): readonly TryColumn[] => [
  column("admitted", "requests that an attempt got admitted", ({ admitted }) =>
    thousands(admitted),
  ),
  column("share", "of the requests", ({ admitted, requests }) => percent(admitted / requests)),
  column("refusals", "refused attempts", ({ refusedAttempts }) => thousands(refusedAttempts)),
  column("gave up", "requests that no attempt got admitted", ({ gaveUp }) => thousands(gaveUp)),
  column(
    `most in ${window}`,
    "admitted from one budget in any window of the limit",
    ({ mostInWindow }) => thousands(mostInWindow),
  ),
  column(
    "half wait",
    "from when a request is due to its admission, at most, of half of the requests",
    ({ successUs }) => durationText(successUs.median),
  ),
  column("99 % wait", "the same, of 99 % of the requests", ({ successUs }) =>
    durationText(successUs.p99),
  ),
  column(
    "fairness",
    "Jain's index over the shares of requests that clients got admitted: 1 if all are equal",
    ({ fairness }) => index(fairness),
  ),
  column("sent in 1s", "attempts of all clients, the most in any second", ({ peakSent }) =>
    thousands(peakSent),
  ),
  column("served in 1s", "of all clients, the most in any second", ({ peakAdmitted }) =>
    thousands(peakAdmitted),
  ),
  column(
    "commands",
    "of the store for each attempt, those inside scripts too; empty for profiles",
    ({ commands }) => (commands === null ? "" : String(Number(commands.toFixed(2)))),
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
  return [...namingColumns(result), ...columnsOfFigures(window)];
}

export const nameOfTried = (
  { limit, algorithm, profile, retry }: TryRow,
  { retries }: TableFacts,
): string =>
  `${limit} ${algorithm ?? `profile ${profile}`}${retries.length === 1 ? "" : ` ${retry}`}`;

/** States the number of requests of each candidate, the number of gateways, and the seed. */
export function sizeText({ candidates, gateways, seed }: UnansweredTry): string {
  const requests = candidates[0]?.requests;
  const where = many(gateways, "gateway");
  return `${requests === undefined ? "no" : thousands(requests)} ${plural(requests ?? 0, "request")}, ${where}, seed ${seed}`;
}

interface TryTextOptions {
  /** A wider table continues below. */
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
  const columns = columnsOf(result);
  const named = namingColumns(result).length;
  return [
    traffic,
    sizeText(result),
    "",
    ...table(
      columns.map(({ title, isNumber, of }) => ({ title, isNumber, cells: candidates.map(of) })),
      paint,
      undefined,
      { width, named },
    ),
    ...(hasLegend
      ? ["", ...columns.slice(NAMED_BY).map(({ title, about }) => `${title}: ${about}`)]
      : []),
  ];
}
