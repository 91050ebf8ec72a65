// A result in words, as tables whose numbers are aligned.
import {
  countText,
  cut,
  LONGEST_CLIENT,
  many,
  oneLine,
  type Paint,
  percent,
  thousands,
  type Tone,
} from "../../kit/reading/legible.ts";
import { table, wrapAll, type TableColumn } from "../../kit/reading/table.ts";
import { configurationText } from "./configuration-text.ts";
import { logTitle } from "./log-file.ts";
import { lineNoun } from "./row-format.ts";
import { seconds, timeText } from "../../kit/reading/periods.ts";
import type { ReplayedCandidate, ReplayedLog, UnansweredReplay } from "./result.ts";

/** Most candidates whose refused clients are listed: lists for more candidates would fill the screen. */
const CANDIDATES_WITH_CLIENTS = 3;
const MOST_LOGS = 10;

/** Renders a result for a terminal of `width` columns. A wider table continues below. */
export function replayText(
  result: UnansweredReplay,
  paint: Paint,
  areClientsWanted: boolean,
  width = Number.POSITIVE_INFINITY,
): readonly string[] {
  const { logs, candidates, requests, lastAt } = result;
  const shown = logs.slice(0, MOST_LOGS);
  const head = wrapAll(
    [
      ...shown.map((log) => oneLine(logText(log))),
      ...(logs.length > MOST_LOGS ? [`and ${many(logs.length - MOST_LOGS, "more log")}`] : []),
      sizeText(result),
      ...(result.isInterrupted
        ? [`interrupted: only requests until ${lastAt === null ? "the first" : timeText(lastAt)}`]
        : []),
    ],
    width,
  );
  if (requests === 0) return head;
  const limits = new Set(candidates.map(({ limit, world }) => limit ?? world));
  const hasClients =
    areClientsWanted || limits.size === 1 || candidates.length <= CANDIDATES_WITH_CLIENTS;
  const detailed = hasClients ? candidates : [];
  return [
    ...head,
    "",
    ...candidateTable(result, paint, width),
    ...costText(result),
    ...delayText(candidates),
    ...retryText(candidates, paint, width),
    ...detailed.flatMap((candidate) => clientText(candidate, paint, width)),
    ...candidates.flatMap((candidate) => configurationText(candidate, paint, width)),
    ...(detailed.length === 0 ? ["", "--top N prints the refused clients of each candidate"] : []),
  ];
}

/** How many requests of which clients were replayed, and of what time. */
export function sizeText({
  requests,
  clients,
  key,
  firstAt,
  lastAt,
}: Pick<UnansweredReplay, "requests" | "clients" | "key" | "firstAt" | "lastAt">): string {
  const ofClients =
    key === "none"
      ? "as one client"
      : `of ${thousands(clients)} ${clients === 1 ? "client" : "clients"} by ${oneLine(key)}`;
  return `${countText(requests, "request")} ${ofClients}${firstAt === null || lastAt === null ? "" : `, ${timeText(firstAt)} to ${timeText(lastAt)} UTC`}`;
}

export function logText({ file, format, lines, requests, ...rest }: ReplayedLog): string {
  const counts = [
    `${thousands(lines)} ${lineNoun(format)}${lines === 1 ? "" : "s"}`,
    ...(rest.unreadable === 0 ? [] : [`${thousands(rest.unreadable)} unreadable`]),
    ...(rest.withoutKey === 0 ? [] : [`${thousands(rest.withoutKey)} without a key`]),
    ...(rest.withoutEndpoint === 0
      ? []
      : [`${thousands(rest.withoutEndpoint)} without a method and path`]),
    ...(rest.notSelected === 0 ? [] : [`${thousands(rest.notSelected)} not selected`]),
  ];
  const isPartly = counts.length > 1 ? `, ${thousands(requests)} replayed` : "";
  const start = rest.takesDurationOff ? "; timestamps are ends, so durations are subtracted" : "";
  const ends =
    rest.withoutDuration === 0
      ? ""
      : rest.takesDurationOff
        ? `, except for ${thousands(rest.withoutDuration)} without a duration`
        : `; ${thousands(rest.withoutDuration)} without a duration are charged when they arrive`;
  const costs = [
    ...(rest.withoutCost === 0 ? [] : [`${thousands(rest.withoutCost)} without a cost cost 1`]),
    ...(rest.roundedCosts === 0
      ? []
      : [`${thousands(rest.roundedCosts)} with decimals cost the next integer`]),
  ].map((text) => `; ${text}`);
  return `${logTitle(file)}: ${format}, ${counts.join(", ")}${isPartly}${start}${ends}${costs.join("")}`;
}

const REFUSED_COLUMN = 2;

function candidateTable(result: UnansweredReplay, paint: Paint, width: number): readonly string[] {
  const { candidates } = result;
  const toneOf = (row: number, column: number): Tone | null => {
    if (column !== REFUSED_COLUMN) return null;
    return candidates[row]!.refused === 0 ? "good" : "bad";
  };
  return table(candidateColumns(result), paint, toneOf, { width, named: REFUSED_COLUMN });
}

export function candidateColumns(result: UnansweredReplay): readonly TableColumn[] {
  const { candidates, overTime } = result;
  const isInterval = candidates.some(({ placements }) => differ(placements));
  const step = stepText(overTime.stepSeconds);
  const hasUnits = candidates.some(({ units }) => units !== null);
  const isRefusing = candidates.some(({ refused }) => refused > 0);
  const numbers = (title: string, of: (each: ReplayedCandidate) => string): TableColumn => ({
    title,
    cells: candidates.map(of),
    isNumber: true,
  });
  const words = (
    title: string,
    of: (each: ReplayedCandidate, index: number) => string,
  ): TableColumn => ({ title, cells: candidates.map(of), isNumber: false });
  return [
    numbers("limit", ({ limit }) => limit ?? ""),
    words("by", nameOf),
    numbers("refused", ({ refused }) => thousands(refused)),
    ...(isInterval ? [numbers("interval", intervalText)] : []),
    numbers("share", ({ refusedShare }) => percent(refusedShare)),
    numbers("clients", ({ refusedClients }) => thousands(refusedClients)),
    numbers("share", ({ refusedClientShare }) => percent(refusedClientShare)),
    ...(hasUnits
      ? [
          numbers("units refused", ({ units }) => thousands(units?.refused ?? 0)),
          numbers("share", ({ units }) =>
            units === null || units.refused + units.spent === 0
              ? ""
              : percent(units.refused / (units.refused + units.spent)),
          ),
          numbers("most in a window", ({ units }) => thousands(units?.mostInWindow ?? 0)),
          numbers("above the limit", ({ units }) => thousands(units?.aboveLimit ?? 0)),
        ]
      : []),
    ...(isRefusing
      ? [words("first refusal", ({ firstAt }) => (firstAt === null ? "never" : timeText(firstAt)))]
      : []),
    ...(hasUnits || !isRefusing
      ? []
      : [words(`most refused in ${step}`, (_, index) => mostText(result, index))]),
  ];
}

const nameOf = ({ algorithm, profile, world }: ReplayedCandidate): string =>
  world ?? (profile === null ? String(algorithm) : `profile ${profile}`);

export const titleOf = (candidate: ReplayedCandidate): string =>
  candidate.limit === null ? nameOf(candidate) : `${candidate.limit} ${nameOf(candidate)}`;

const refusalsOf = (placements: ReplayedCandidate["placements"]): readonly number[] =>
  placements.map(({ refused }) => refused);

const differ = (placements: ReplayedCandidate["placements"]): boolean =>
  new Set(refusalsOf(placements)).size > 1;

function intervalText({ placements }: ReplayedCandidate): string {
  const refused = refusalsOf(placements);
  const [least, most] = [Math.min(...refused), Math.max(...refused)];
  return least === most ? thousands(least) : `${thousands(least)} to ${thousands(most)}`;
}

function mostText({ overTime }: UnansweredReplay, index: number): string {
  const refused = overTime.refused[index]!;
  const most = Math.max(...refused);
  return most === 0
    ? ""
    : `${thousands(most)}, ${timeText(overTime.startAt[refused.indexOf(most)]!)}`;
}

/** When units are charged. */
export function costText({ cost }: UnansweredReplay): readonly string[] {
  if (cost === null) return [];
  const when =
    cost.charge === "before"
      ? "they are admitted"
      : "they end: they are admitted while a unit is left";
  return ["", `requests cost ${cost.field}, which is spent when ${when}`];
}

/** The waits of each candidate, if several let requests wait. The answer has those of one. */
export function delayText(candidates: readonly ReplayedCandidate[]): readonly string[] {
  const delaying = candidates.filter(({ delayed }) => delayed > 0);
  if (delaying.length < 2) return [];
  return [
    "",
    ...delaying.map(
      (each) =>
        `${titleOf(each)} delays ${thousands(each.delayed)} of the admitted requests, at most ${seconds(each.longestDelayUs)}`,
    ),
  ];
}

/** The width of a client's name that leaves room for two timestamps. */
const widthOfClient = (width: number): number =>
  Math.max(LEAST_CLIENT, Math.min(LONGEST_CLIENT, width - 2 * "  2000-01-01 00:00:00".length));
const LEAST_CLIENT = 20;

function clientText(candidate: ReplayedCandidate, paint: Paint, width: number): readonly string[] {
  const { clients, refusedClients } = candidate;
  if (clients.length === 0) return [];
  const numbers = (title: string, cells: readonly string[]): TableColumn => ({
    title,
    cells,
    isNumber: true,
  });
  const words = (title: string, cells: readonly string[]): TableColumn => ({
    title,
    cells,
    isNumber: false,
  });
  const more = refusedClients - clients.length;
  return [
    "",
    `refused most by ${titleOf(candidate)}:`,
    ...table(
      [
        words(
          "client",
          clients.map(({ client }) => cut(oneLine(client), widthOfClient(width))),
        ),
        numbers(
          "requests",
          clients.map(({ requests }) => thousands(requests)),
        ),
        numbers(
          "refused",
          clients.map(({ refused }) => thousands(refused)),
        ),
        numbers(
          "share",
          clients.map(({ requests, refused }) => percent(refused / requests)),
        ),
        words(
          "from",
          clients.map(({ firstAt }) => timeText(firstAt)),
        ),
        words(
          "to",
          clients.map(({ lastAt }) => timeText(lastAt)),
        ),
      ],
      paint,
      undefined,
      { width, named: 1 },
    ),
    ...(more > 0 ? [`and ${thousands(more)} more (--top N)`] : []),
  ];
}

const RETRY_WORDS: Readonly<Record<string, string>> = {
  "retry-after": "wait as long as Retry-After advertises",
  backoff: "back off, first for a second and each time twice as long",
};

interface RetryRow {
  readonly candidate: ReplayedCandidate;
  readonly retries: NonNullable<ReplayedCandidate["retries"]>;
}

export const retriesOf = (candidates: readonly ReplayedCandidate[]): readonly RetryRow[] =>
  candidates.flatMap((candidate) =>
    candidate.retries === null ? [] : [{ candidate, retries: candidate.retries }],
  );

function retryText(
  candidates: readonly ReplayedCandidate[],
  paint: Paint,
  width: number,
): readonly string[] {
  const rows = retriesOf(candidates);
  if (rows.length === 0) return [];
  const fit = { width, named: REFUSED_COLUMN };
  return ["", `${retryTitle(rows)}:`, ...table(retryColumns(rows), paint, undefined, fit)];
}

export function retryTitle([row]: readonly RetryRow[]): string {
  const { behaviour } = row!.retries;
  if (behaviour === "atb")
    return "if clients wait for tokens of their own, whose rate a refusal halves (ATB), and send a request at most 10 times";
  return behaviour === "give-up"
    ? "if refused clients give up, so that each request is sent once"
    : `if refused clients ${RETRY_WORDS[behaviour]}, and send a request at most 10 times`;
}

export function retryColumns(rows: readonly RetryRow[]): readonly TableColumn[] {
  const numbers = (title: string, of: (retries: RetryRow["retries"]) => string): TableColumn => ({
    title,
    cells: rows.map(({ retries }) => of(retries)),
    isNumber: true,
  });
  const limits = rows.map(({ candidate }) => candidate.limit ?? "");
  return [
    { title: "limit", cells: limits, isNumber: true },
    { title: "by", cells: rows.map(({ candidate }) => nameOf(candidate)), isNumber: false },
    numbers("attempts", ({ attempts }) => thousands(attempts)),
    numbers("refused", ({ refusedAttempts }) => thousands(refusedAttempts)),
    numbers("share", ({ attempts, refusedAttempts }) => percent(refusedAttempts / attempts)),
    numbers("admitted later", ({ admittedLater }) => thousands(admittedLater)),
    numbers("gave up", ({ gaveUp }) => thousands(gaveUp)),
    numbers("longest wait", ({ admittedLater, longestWaitUs }) =>
      admittedLater === 0 ? "" : seconds(longestWaitUs),
    ),
  ];
}

function stepText(length: number): string {
  const [unit, size] = STEP_UNITS.find(([, each]) => length % each === 0)!;
  return `${length / size}${unit}`;
}

const STEP_UNITS = [
  ["d", 86_400],
  ["h", 3600],
  ["m", 60],
  ["s", 1],
] as const;
