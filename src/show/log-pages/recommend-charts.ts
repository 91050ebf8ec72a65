// Charts on the page of weir recommend that are not in the document: when the chosen limit refuses, the clients at its
// edge, and all clients by the most that they send.
import type { Micros } from "../../kit/units.ts";
import {
  shortDuration,
  startCandidate,
  type ReplayLimit,
} from "../../studies/replay/candidates.ts";
import { AS_LOGGED, placementsFrom } from "../../studies/replay/placements.ts";
import { thousands } from "../../kit/reading/legible.ts";
import { listRefused } from "../../studies/recommend/choice.ts";
import type { Recommendation } from "../../studies/recommend/recommendation.ts";
import { listShipped, type ShippedLimit } from "../../studies/recommend/shipped.ts";
import type { ShownName } from "../../studies/recommend/result.ts";
import { rateText } from "../../studies/recommend/answered.ts";
import type { LoggedTraffic } from "../../studies/recommend/traffic.ts";
import type {
  DatedFigure,
  PeaksFigure,
  TimelineRow,
  TimelinesFigure,
} from "../../lab/report/measured-figures.ts";
import { binOf, binsOf, lengthText } from "./bins.ts";
import { PeakCounts } from "./peaks.ts";
import { TimelineBuilder, timelineSpan } from "./timelines.ts";
import { clientWords } from "../answers/words.ts";

const MOST_WINDOWS = 4;
const MOST_BINS = 300;
const MOST_CLIENTS = 16;

export interface RecommendCharts {
  readonly peaks: readonly PeaksFigure[];
  readonly answers: readonly AnswerCharts[]; // in the order of the limits to ship
}

export interface AnswerCharts {
  readonly overTime: DatedFigure; // when the limit refuses
  readonly edge: TimelinesFigure | null;
}

export function recommendCharts(
  recommendation: Recommendation,
  traffic: LoggedTraffic,
  isWholeSeconds: boolean,
  seed: number,
  shownName: ShownName,
): RecommendCharts {
  return {
    peaks: peaksOf(recommendation, traffic, isWholeSeconds, seed),
    answers: listShipped(recommendation).map((each) => ({
      overTime: overTimeOf(each, recommendation, traffic),
      edge: each.edge.length === 0 ? null : edgeOf(each, recommendation, traffic, shownName),
    })),
  };
}

/** The figures of peaks. Each first displays the recommended limit of its window. */
function peaksOf(
  { searches, decided, advice }: Recommendation,
  traffic: LoggedTraffic,
  isWholeSeconds: boolean,
  seed: number,
): readonly PeaksFigure[] {
  const rates = new Map<Micros, number[]>();
  for (const { perUs, found } of searches) {
    const advised = advice.filter((each) => each.perUs === perUs).map(({ rate }) => rate);
    const own = rates.get(perUs) ?? advised;
    rates.set(perUs, own);
    if (found !== null) own.push(found.limit.limit.rate);
  }
  const windows = [...rates].slice(0, MOST_WINDOWS).map(([perUs, own]) => ({ perUs, rates: own }));
  const placements = isWholeSeconds ? placementsFrom(seed) : [AS_LOGGED];
  const clients = decided.names.length;
  const peaks = new PeakCounts(windows, placements, () => clients);
  for (const [index, placement] of placements.entries())
    peaks.decideColumns(index, index === 0 ? decided.columns : traffic.columns(placement, clients));
  return peaks.figures(shortDuration);
}

/** Calls `note` for each request of a client, with the decision of the limit. */
function decideClient(
  limit: ReplayLimit,
  { decided: { columns, names } }: Recommendation,
  id: number,
  note: (atUs: number, isRefused: boolean) => void,
): void {
  const limiter = startCandidate(limit, { clients: { names: [names[id]!] }, targets: null });
  limiter.makeRoom(1);
  for (const us of columns.atUs.subarray(columns.starts[id], columns.starts[id + 1]))
    note(us, limiter.decide(0, 0, us) > 0);
}

function overTimeOf(
  found: ShippedLimit,
  recommendation: Recommendation,
  { firstUs, lastUs }: LoggedTraffic,
): DatedFigure {
  const bins = binsOf(firstUs, lastUs, MOST_BINS, 1);
  const admitted = Array.from({ length: bins.count }, () => 0);
  const refused = [...admitted];
  for (const us of recommendation.decided.columns.atUs) admitted[binOf(bins, us)]!++;
  for (const id of listRefused(found, recommendation))
    decideClient(found.limit, recommendation, id, (us, isRefused) => {
      if (!isRefused) return;
      const bin = binOf(bins, us);
      refused[bin]!++;
      admitted[bin]!--;
    });
  return {
    kind: "time",
    shows: "demand",
    title: "Requests under this limit",
    unit: `requests in each ${lengthText(bins.binS)}`,
    startS: bins.startS,
    untilS: bins.count * bins.binS,
    binS: bins.binS,
    bars: [
      { what: "admitted", values: admitted },
      { what: "refused", values: refused },
    ],
    curves: [],
    lines: [],
    limits: [],
    spans: [],
    marks: [],
    top: null,
  };
}

function edgeOf(
  { limit, edge }: ShippedLimit,
  recommendation: Recommendation,
  traffic: LoggedTraffic,
  shownName: ShownName,
): TimelinesFigure {
  const { decided, requestsOf } = recommendation;
  return {
    kind: "timelines",
    title: "Clients at the edge of this limit",
    ...timelineSpan(traffic),
    rows: edge.slice(0, MOST_CLIENTS).map(({ client, peak, refused }): TimelineRow => {
      const timeline = new TimelineBuilder(traffic);
      decideClient(limit, recommendation, client, (us, isRefused) => timeline.note(us, isRefused));
      const name = clientWords(shownName(decided.names[client]!));
      const needs = peak === null ? "no rate is enough" : `needs ${rateText(peak)}`;
      const what = `${needs}, ${thousands(refused)} of ${thousands(requestsOf[client]!)} refused: ${name}`;
      return { name, what, ...timeline.build() };
    }),
  };
}
