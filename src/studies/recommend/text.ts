// The tables of a recommendation, and what their columns mean.
import {
  countText,
  cut,
  exactPercent,
  many,
  oneLine,
  type Paint,
  percent,
  thousands,
} from "../../kit/reading/legible.ts";
import { table, wrap, wrapAll, type TableColumn } from "../../kit/reading/table.ts";
import { timeText } from "../../kit/reading/periods.ts";
import { logText } from "../replay/text.ts";
import { listAnswers, nameOf, rateText, withAnswers, type AnsweredCandidate } from "./answered.ts";
import type { CutSearch } from "./recommendation.ts";
import type { UnansweredRecommendation, RecommendedCandidate } from "./result.ts";
import { outlierTables } from "./outlier-tables.ts";
import { addTogether } from "./together-text.ts";

type Lines = readonly string[];

/** Renders the tables for a terminal of `width` columns; wider ones continue below. */
export function recommendationText(
  result: UnansweredRecommendation,
  paint: Paint,
  { width = Number.POSITIVE_INFINITY, hasLegend = false } = {},
): readonly string[] {
  const { logs, badRequests } = result;
  const answers = listAnswers(result);
  const dependence = dependenceColumns(result);
  const tableWith = (title: string, columns: readonly TableColumn[], named = 1): Lines => [
    "",
    ...wrap(`${title}:`, width),
    ...table(columns, paint, undefined, { width, named }),
  ];
  return [
    ...wrapAll(
      [
        ...logs.map((log) => oneLine(logText(log))),
        sizeText(result),
        ...(badRequests === 0
          ? []
          : [
              `${thousands(badRequests)} of them are labelled as bad; all shares are of the others`,
            ]),
        ...omissionText(result),
      ],
      width,
    ),
    ...tableWith(targetText(result), candidateColumns(result), 2),
    ...(dependence === null ? [] : tableWith(dependenceText(result), dependence, 2)),
    ...wrapAll([...noneText(result), ...placementText(result)], width),
    ...outlierTables(result).flatMap(({ title, columns, named }) =>
      tableWith(title, columns, named),
    ),
    ...wrapAll(burstText(result), width),
    ...answers.flatMap((chosen) =>
      isOneBudget(result) || chosen.edge.length === 0
        ? []
        : tableWith(edgeTitle(chosen), edgeColumns(chosen)),
    ),
    ...answers.flatMap((chosen) =>
      badRequests === 0 ? [] : tableWith(badTitle(chosen), badColumns(chosen, result)),
    ),
    ...fileText(result, paint),
    ...(hasLegend ? wrapAll(["", ...LEGEND], width) : []),
  ];
}

/** The meaning of each column. */
export const LEGEND: readonly string[] = [
  "limit: the smallest rate that meets the target, for each client",
  "refused: requests of this log that it refuses",
  "clients: clients with a refused request; in the second table, the smallest rate for the share of clients alone",
  "knee: the rate above which each step saves few requests",
  "most in window: the most requests of a client that the algorithm can admit in any window",
  "requests: the smallest rate for the share of requests alone",
  "95 % of draws: the rates that 95 % of random draws of the clients need",
  "placements: the rates for other times of requests within their seconds",
  "peak: the smallest rate that refuses no request of the client",
  "advised, others, outliers: the limit of the answer, and requests that it refuses of all others and of the outliers",
];

/** Whether all requests share one limit, so that sentences do not mention clients. */
export const isOneBudget = ({ key }: Pick<UnansweredRecommendation, "key">): boolean =>
  key === "none";

export const sizeText = ({ key, firstAt, lastAt, ...of }: UnansweredRecommendation): string =>
  `${countText(of.requests + of.badRequests, "request")} ${isOneBudget({ key }) ? "as one client" : `by ${oneLine(key)}`}, ${timeText(firstAt)} to ${timeText(lastAt)} UTC`;

/** Which requests of the logs are not in the tables. */
export function omissionText({ leftOut }: UnansweredRecommendation): readonly string[] {
  if (leftOut.length === 0) return [];
  const requests = leftOut.reduce((sum, each) => sum + each.requests, 0);
  return [`${countText(requests, "request")} of ${countText(leftOut.length, "client")} left out`];
}

export function targetText(result: UnansweredRecommendation): string {
  const { key, target, requests, clients, candidates, advice } = result;
  const forRequests = `smallest rates that refuse at most ${exactPercent(target.requests)} of ${countText(requests, "request")}`;
  const of = isOneBudget({ key })
    ? forRequests
    : `${forRequests}, and requests of at most ${exactPercent(target.clients)} of ${countText(clients, "client")}`;
  const isLongRun =
    candidates.some(({ below }) => below === "long run") ||
    advice.some(({ longRun }) => longRun !== null);
  return isLongRun ? `${of}, in the log and in the long run ("refused" is of the log)` : of;
}

const badTitle = (candidate: RecommendedCandidate): string =>
  `bad requests that ${nameOf(candidate)} refuses by rate, and what it costs the others`;

/** The points of a candidate's curve, with its own rate if it has one. */
export function pointsOf(candidate: RecommendedCandidate): RecommendedCandidate["curve"] {
  const { rate, refused, refusedClients, badRefused, badRefusedClients, curve } = candidate;
  if (rate === null) return curve;
  const own = { rate, refused, refusedClients, badRefused, badRefusedClients };
  return [...curve.filter((point) => point.rate !== rate), own].toSorted((a, b) => a.rate - b.rate);
}

export function badColumns(
  candidate: RecommendedCandidate,
  { requests, clients, badRequests, badClients }: UnansweredRecommendation,
): readonly TableColumn[] {
  const points = pointsOf(candidate);
  type Point = (typeof points)[number];
  const numbers = (title: string, of: (point: Point) => string): TableColumn => ({
    title,
    cells: points.map(of),
    isNumber: true,
  });
  return [
    numbers("rate", (point) => thousands(point.rate)),
    numbers("bad", (point) => thousands(point.badRefused)),
    numbers("share", (point) => percent(point.badRefused / badRequests)),
    numbers("clients", (point) => thousands(point.badRefusedClients)),
    numbers("share", (point) => percent(point.badRefusedClients / badClients)),
    numbers("others", (point) => thousands(point.refused)),
    numbers("share", (point) => percent(point.refused / requests)),
    numbers("clients", (point) => thousands(point.refusedClients)),
    numbers("share", (point) => percent(point.refusedClients / clients)),
  ];
}

function fileText({ files }: UnansweredRecommendation, paint: Paint): readonly string[] {
  if (files.length === 0) return [];
  return [
    "",
    ...table(
      [
        { title: "file", cells: files.map(({ file }) => file), isNumber: false },
        {
          title: "",
          cells: files.map(({ isWritten, about }) =>
            oneLine(isWritten ? about : `not written: ${about}`),
          ),
          isNumber: false,
        },
      ],
      paint,
    ),
  ];
}

const nameWithout = (each: RecommendedCandidate | AnsweredCandidate): string =>
  "without" in each ? `without ${each.without}` : nameOf(each);

/** The columns with what each candidate refuses at its rate. */
export function candidateColumns(document: UnansweredRecommendation): readonly TableColumn[] {
  const { key } = document;
  const candidates = withAnswers(document);
  const numbers = columnsOf(candidates);
  const columns = [
    numbers("limit", ({ limit }) => limit),
    { title: "by", cells: candidates.map(nameWithout), isNumber: false },
    numbers("refused", ({ refused, refusedShare }) => withShare(refused, refusedShare)),
    ...(isOneBudget({ key })
      ? []
      : [
          numbers("clients", ({ refusedClients, refusedClientShare }) =>
            withShare(refusedClients, refusedClientShare),
          ),
        ]),
    numbers("knee", ({ knee }) => (knee === null ? "none" : thousands(knee.rate))),
    numbers("most in window", ({ mostInWindow }) =>
      mostInWindow === null ? "" : thousands(mostInWindow),
    ),
  ];
  return addTogether(columns, document);
}

/** The columns that show how rates change with the target, the clients and the placement; null: nothing to show. */
export function dependenceColumns({
  key,
  candidates,
}: UnansweredRecommendation): readonly TableColumn[] | null {
  const isByClient = !isOneBudget({ key });
  const isPlaced = candidates.some(differsByPlacement);
  const found = candidates.filter(({ rate }) => rate !== null);
  if (found.length === 0 || !(isByClient || isPlaced)) return null;
  const numbers = columnsOf(found);
  return [
    numbers("limit", ({ limit }) => limit),
    { title: "by", cells: found.map(nameOf), isNumber: false },
    ...(isByClient
      ? [
          numbers("requests", ({ rateForRequests }) => rateText(rateForRequests)),
          numbers("clients", ({ rateForClients }) => rateText(rateForClients)),
          numbers("95 % of draws", ({ interval }) => intervalText(interval)),
        ]
      : []),
    ...(isPlaced ? [numbers("placements", placementsText)] : []),
  ];
}

/** Explains the columns of `dependenceColumns`. */
export const dependenceText = ({ key }: UnansweredRecommendation): string =>
  isOneBudget({ key })
    ? "rates by the time within a second at which requests arrive"
    : "rates for the share of requests alone, for the share of clients alone, and for random draws of clients";

const columnsOf =
  (candidates: readonly RecommendedCandidate[]) =>
  (title: string, of: (each: RecommendedCandidate) => string): TableColumn => ({
    title,
    cells: candidates.map(of),
    isNumber: true,
  });

const withShare = (count: number, share: number): string =>
  `${thousands(count)} (${percent(share)})`;

export function intervalText(interval: RecommendedCandidate["interval"]): string {
  if (interval === null) return "";
  const { low, high } = interval;
  if (low === null) return "none";
  return high === null ? `${thousands(low)} or more` : `${thousands(low)} to ${thousands(high)}`;
}

const ratesOf = ({ placements }: RecommendedCandidate): readonly (number | null)[] =>
  placements.map(({ rate }) => rate);

const differsByPlacement = (candidate: RecommendedCandidate): boolean =>
  new Set(ratesOf(candidate)).size > 1;

function placementsText(candidate: RecommendedCandidate): string {
  const rates = ratesOf(candidate);
  if (rates.length === 0) return "";
  const numbers = rates.filter((rate) => rate !== null);
  const [least, most] = [Math.min(...numbers), Math.max(...numbers)];
  if (numbers.length < rates.length) return `${thousands(least)} to none`;
  return least === most ? thousands(least) : `${thousands(least)} to ${thousands(most)}`;
}

export function noneText({ candidates, requests }: UnansweredRecommendation): readonly string[] {
  const none = candidates.filter(({ rate }) => rate === null);
  if (none.length === 0) return [];
  return [
    "",
    ...none.map(
      (candidate) =>
        `no rate of ${nameOf(candidate)} per ${candidate.limit.split("/")[1]} meets the target: each one up to 1,000,000,000 refuses ${thousands(candidate.refused)} of ${thousands(requests)} requests or more`,
    ),
  ];
}

export function placementText({
  timestamps,
  candidates,
  cut: cutSearch,
}: UnansweredRecommendation): readonly string[] {
  if (timestamps === "finer" || cutSearch?.isPlaced === false) return [];
  const how = "spread evenly, all at once and at random";
  return [
    "",
    candidates.some(differsByPlacement)
      ? `timestamps are whole seconds: "placements" has the rates for requests of one second ${how}; all other numbers are for requests spread evenly`
      : `timestamps are whole seconds, which makes no difference here: requests of one second ${how} need the same rates`,
  ];
}

/** States how far an interrupted search got. */
export function cutText({ searched, of, isPlaced, isAdvised }: CutSearch): string {
  if (searched < of) return `${searched} of ${many(of, "candidate")} were searched`;
  if (!isPlaced)
    return "all candidates were searched, but only for requests spread evenly within their seconds";
  return isAdvised
    ? "only the burst is missing"
    : "all candidates were searched, but not the outliers of each window";
}

/** The bucket that clients need in the long run. */
export function burstText({ burst }: UnansweredRecommendation): readonly string[] {
  if (burst === null) return [];
  const { limit, client } = burst;
  const forWhom = client === null ? "" : ` for ${cut(oneLine(client))}`;
  return [
    "",
    `burst: a bucket that is filled by ${limit}, which clients need in their busiest such time, has to hold ${thousands(burst.burst)}${forWhom} (--limit ${limit} --algorithm gcra --burst ${burst.burst})`,
  ];
}

const edgeTitle = (candidate: RecommendedCandidate): string =>
  `clients at the edge of ${candidate.limit} ${nameOf(candidate)}; a peak is the smallest rate that refuses none of their requests`;

export function edgeColumns({ edge }: RecommendedCandidate): readonly TableColumn[] {
  const numbers = (title: string, of: (each: (typeof edge)[number]) => string): TableColumn => ({
    title,
    cells: edge.map(of),
    isNumber: true,
  });
  return [
    { title: "client", cells: edge.map(({ client }) => cut(oneLine(client))), isNumber: false },
    numbers("requests", ({ requests }) => thousands(requests)),
    numbers("peak", ({ peak }) => rateText(peak)),
    numbers("refused", ({ refused }) => thousands(refused)),
  ];
}
