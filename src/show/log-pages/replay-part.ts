// The result of weir replay as part of a report page.
import type {
  PeaksFigure,
  RowsFigure,
  TimelinesFigure,
} from "../../lab/report/measured-figures.ts";
import type { MeasuredPart, MeasuredSection } from "../../lab/report/measured.ts";
import type { ReplayedCandidate, ReplayResult } from "../../studies/replay/result.ts";
import { percent, thousands } from "../../kit/reading/legible.ts";
import { timeText } from "../../kit/reading/periods.ts";
import {
  candidateColumns,
  costText,
  delayText,
  retriesOf,
  retryColumns,
  retryTitle,
  sizeText,
  titleOf,
} from "../../studies/replay/text.ts";
import { endpointColumns } from "../../studies/replay/configuration-text.ts";
import { leadWithAnswer } from "../answers/answer.ts";
import { clientWords } from "../answers/words.ts";
import { binsOf } from "./bins.ts";
import { countsFigure, sumBins } from "./refused-over-time.ts";
import { sideSection } from "./side-section.ts";
import { doubtsOf, lineOf, logFacts, sentencesOf, tableOf } from "./words.ts";

/** The maximum number of bins in a chart: a day in steps of 5 minutes. For more than 50 charts it is 100. */
const MOST_BINS = 300;
const MANY_CHARTS = 50;
const BINS_OF_MANY = 100;
/** The maximum number of rows in a table of clients, because `--top` may list a million clients. */
const MOST_CLIENTS = 100;
const MOST_ROWS = 1000;

export interface ReplayCharts {
  readonly peaks: readonly PeaksFigure[];
  /** Timelines by the index of the candidate. */
  readonly timelines: ReadonlyMap<number, TimelinesFigure>;
  /** Why timelines are missing. */
  readonly timelineNotes: readonly string[];
}

export function replayPart(
  result: ReplayResult,
  charts: ReplayCharts,
  problems: readonly string[],
  argv: readonly string[],
): MeasuredPart {
  const { answer, isInterrupted, logs } = result;
  const part: MeasuredPart = {
    title: "Limits on the requests of a log",
    headline: "",
    word: isInterrupted ? "partial" : null,
    doubts: [
      ...(isInterrupted ? ["The replay was interrupted: later requests are missing."] : []),
      ...doubtsOf(problems),
    ],
    summary: [`${lineOf(sizeText(result))}.`],
    sections: result.requests === 0 ? [] : sectionsOf(result, charts),
    facts: logFacts(logs, argv),
  };
  return leadWithAnswer(part, answer);
}

const sectionsOf = (result: ReplayResult, charts: ReplayCharts): readonly MeasuredSection[] =>
  [
    candidateSection(result),
    retrySection(result),
    peaksSection(charts.peaks),
    overTimeSection(result),
    clientSection(result, charts),
    ...result.candidates.map(configurationSection),
  ].flatMap((section) => section ?? []);

function candidateSection(result: ReplayResult): MeasuredSection {
  return {
    title: "All candidates",
    notes: sentencesOf([
      ...costText(result),
      ...(result.cost === null
        ? []
        : ['"most in a window" has the most units that one client spends within any window']),
      ...delayText(result.candidates),
    ]).map(lineOf),
    figures: [sharesFigure(result)],
    tables: [tableOf(candidateColumns(result), 2)],
  };
}

function configurationSection({
  configuration,
  endpoints,
}: ReplayedCandidate): MeasuredSection | null {
  if (configuration === null) return null;
  const section = sideSection(`Limits of ${configuration.name}`, configuration);
  return endpoints.length === 0
    ? section
    : {
        ...section,
        tables: [...section.tables, tableOf(endpointColumns(endpoints.slice(0, MOST_CLIENTS)), 1)],
      };
}

function sharesFigure({ candidates, requests }: ReplayResult): RowsFigure {
  const shares = (candidate: ReplayedCandidate): readonly number[] =>
    candidate.placements.map(({ refused }) => (100 * refused) / requests);
  const most = Math.max(...candidates.flatMap(shares));
  const isPlaced = candidates.some((candidate) => new Set(shares(candidate)).size > 1);
  return {
    kind: "rows",
    title: `Refused requests${!isPlaced ? "" : "; circles: for other times within their seconds"}`,
    unit: "refused, % of the requests",
    scale: "linear",
    from: 0,
    to: most === 0 ? 100 : 1.05 * most,
    band: null,
    references: [],
    rows: candidates.map((candidate) => {
      const { placements, refused, refusedShare } = candidate;
      return {
        what: lineOf(titleOf(candidate)),
        isControl: false,
        value: `${thousands(refused)}, ${percent(refusedShare)}`,
        tone: "control",
        marks: [
          {
            shape: "bar",
            from: 0,
            to: (100 * refused) / requests,
            tone: "refused",
            tip: `${thousands(refused)} of ${thousands(requests)} requests are refused`,
          },
          ...(!isPlaced
            ? []
            : placements.map((placed) => ({
                shape: "dot" as const,
                from: (100 * placed.refused) / requests,
                to: (100 * placed.refused) / requests,
                tone: "control" as const,
                tip: `${thousands(placed.refused)} are refused if requests of one second are ${placementText(placed.placement)}`,
              }))),
        ],
      };
    }),
  };
}

/** The section on the retries of refused clients; null if retries are not simulated. */
function retrySection({ candidates }: ReplayResult): MeasuredSection | null {
  const rows = retriesOf(candidates);
  if (rows.length === 0) return null;
  return {
    title: "If refused clients retry",
    notes: sentencesOf([retryTitle(rows)]),
    figures: [],
    tables: [tableOf(retryColumns(rows), 2)],
  };
}

const placementText = (name: string): string =>
  name.startsWith("at random") ? `placed ${name}` : name;

export function peaksSection(
  peaks: readonly PeaksFigure[],
  notes: readonly string[] = [],
): MeasuredSection | null {
  if (peaks.length === 0) return null;
  const hasRules = peaks.some(({ rules }) => rules.length > 0);
  return {
    title: "Clients, and a limit that moves",
    notes: [
      hasRules
        ? "The counts for sliding_log and fixed_window are exact, and equal those of weir replay at the same limit. There are counts for each limit up to 1,024, and above that for about every 2 %. Other algorithms have no such counts: replay them with the limit that you choose."
        : "Requests have costs, so their order decides what a limit refuses: replay the limit that you choose.",
      ...notes,
    ],
    figures: peaks,
    tables: [],
  };
}

function overTimeSection(result: ReplayResult): MeasuredSection | null {
  const { overTime, candidates, firstAt, lastAt } = result;
  if (firstAt === null || lastAt === null) return null;
  const timesUs = overTime.startAt.map((at) => Date.parse(at) * 1000);
  const mostBins = candidates.length > MANY_CHARTS ? BINS_OF_MANY : MOST_BINS;
  const bins = binsOf(timesUs[0]!, timesUs.at(-1)!, mostBins, overTime.stepSeconds);
  const sum = (counts: readonly number[]): readonly number[] => sumBins(bins, timesUs, counts);
  const refused = candidates.map((_, index) => sum(overTime.refused[index]!));
  const most = refused.reduce((top, values) => Math.max(top, ...values), 0);
  return {
    title: "Refused over time",
    notes: ["The charts of candidates have one scale, which is not that of all requests."],
    figures: [
      countsFigure(bins, {
        title: "All requests",
        what: "offered",
        values: sum(overTime.requests),
        top: null,
      }),
      ...candidates.map((candidate, index) =>
        countsFigure(bins, {
          title: `${lineOf(titleOf(candidate))}: ${thousands(candidate.refused)} refused, of ${thousands(candidate.refusedClients)} ${candidate.refusedClients === 1 ? "client" : "clients"}`,
          what: "refused",
          values: refused[index]!,
          top: Math.max(1, most),
        }),
      ),
    ],
    tables: [],
  };
}

function clientSection(
  { candidates }: ReplayResult,
  { timelines, timelineNotes }: ReplayCharts,
): MeasuredSection | null {
  const hurt = candidates.filter(({ clients }) => clients.length > 0);
  if (hurt.length === 0) return null;
  return {
    title: "Clients that are refused most",
    notes: timelineNotes,
    figures: [...timelines.values()],
    tables: hurt.map((candidate) => {
      const clients = candidate.clients.slice(0, Math.min(MOST_CLIENTS, MOST_ROWS / hurt.length));
      const column = (title: string, cells: readonly string[]) => ({
        title,
        cells,
        isNumber: true,
      });
      return tableOf(
        [
          column(
            "client",
            clients.map(({ client }) => clientWords(client)),
          ),
          column(
            "requests",
            clients.map(({ requests }) => thousands(requests)),
          ),
          column(
            "refused",
            clients.map(({ refused }) => thousands(refused)),
          ),
          column(
            "share",
            clients.map(({ requests, refused }) => percent(refused / requests)),
          ),
          column(
            "from, UTC",
            clients.map(({ firstAt }) => timeText(firstAt)),
          ),
          column(
            "to, UTC",
            clients.map(({ lastAt }) => timeText(lastAt)),
          ),
        ],
        1,
        `Refused most by ${lineOf(titleOf(candidate))}`,
      );
    }),
  };
}
