// The page of `weir replay --html`: the result and charts. Peaks are counted while the logs are read. For timelines of
// the clients that are refused most, the logs are read a second time.
import { PeakCounts, type PeakWindow } from "../show/log-pages/peaks.ts";
import { replayPart, type ReplayCharts } from "../show/log-pages/replay-part.ts";
import { timelineSpan, Timelines } from "../show/log-pages/timelines.ts";
import { lineOf } from "../show/log-pages/words.ts";
import { clientWords } from "../show/answers/words.ts";
import { isFailure } from "../kit/reading/failure.ts";
import type { Micros } from "../kit/units.ts";
import { micros } from "../kit/units.ts";
import { shortDuration, type Candidate, type LimitSize } from "../studies/replay/candidates.ts";
import { canReopen, type LogSource } from "../studies/replay/log-source.node.ts";
import { AS_LOGGED, placementsFrom, type Placement } from "../studies/replay/placements.ts";
import {
  readLogs,
  type ReplayOutcome,
  type ReplayProgress,
  type RequestConsumer,
} from "../studies/replay/replay-logs.node.ts";
import type { ReplayQuestion } from "../studies/replay/replay.ts";
import { mostRefused, type ReplayResult } from "../studies/replay/result.ts";
import { thousands } from "../kit/reading/legible.ts";
import { titleOf } from "../studies/replay/text.ts";
import type { TimelinesFigure } from "../lab/report/measured-figures.ts";
import type { MeasuredPart } from "../lab/report/measured.ts";

/** The most windows on the page. Each has an interactive chart, and more charts would fill the page. */
const MOST_WINDOWS = 4;
const MOST_CANDIDATES = 12;
const MOST_CLIENTS = 8;

export interface ReplayPage {
  readonly start: (isWholeSeconds: boolean) => RequestConsumer;
  readonly part: (
    result: ReplayResult,
    outcome: ReplayOutcome,
    problems: readonly string[],
  ) => Promise<MeasuredPart>;
}

export function replayPage(
  question: ReplayQuestion,
  sources: readonly LogSource[],
  progress: ReplayProgress,
): ReplayPage {
  let peaks: PeakCounts | null = null;
  return {
    start(isWholeSeconds) {
      peaks = new PeakCounts(
        windowsOf(question.candidates),
        placementsOf(question, isWholeSeconds),
        () => question.clients.count,
      );
      return peaks;
    },
    async part(result, outcome, problems) {
      const charts = {
        peaks: result.requests === 0 ? [] : peaks!.figures(shortDuration),
        ...(await timelinesOf(question, sources, progress, result, outcome)),
      };
      return replayPart(result, charts, problems, process.argv.slice(2));
    },
  };
}

const placementsOf = ({ seed }: ReplayQuestion, isWholeSeconds: boolean): readonly Placement[] =>
  isWholeSeconds ? placementsFrom(seed) : [AS_LOGGED];

/** The windows of the candidates with their rates; one minute if all candidates are worlds. */
function windowsOf(candidates: readonly Candidate[]): readonly PeakWindow[] {
  const rates = new Map<Micros, number[]>();
  for (const candidate of candidates) {
    for (const { rate, perUs } of limitsOf(candidate))
      rates.set(perUs, [...new Set([...(rates.get(perUs) ?? []), rate])]);
  }
  if (rates.size === 0) return [{ perUs: micros(60_000_000), rates: [] }];
  return [...rates].slice(0, MOST_WINDOWS).map(([perUs, own]) => ({ perUs, rates: own }));
}

function limitsOf(candidate: Candidate): readonly LimitSize[] {
  if (candidate.kind === "limit") return [candidate.limit];
  return candidate.kind === "rules" ? candidate.configuration.rules.map(({ limit }) => limit) : [];
}

type TimelineCharts = Pick<ReplayCharts, "timelines" | "timelineNotes">;

async function timelinesOf(
  question: ReplayQuestion,
  sources: readonly LogSource[],
  progress: ReplayProgress,
  result: ReplayResult,
  { replay }: ReplayOutcome,
): Promise<TimelineCharts> {
  const none = (note: string): TimelineCharts => ({ timelines: new Map(), timelineNotes: [note] });
  const refusing = replay.runs.flatMap(({ candidate, tallies }, index) => {
    const listed = Math.min(MOST_CLIENTS, result.candidates[index]!.clients.length);
    return listed === 0 ? [] : [{ candidate, index, clients: mostRefused(tallies[0]!, listed) }];
  });
  if (refusing.length === 0) return { timelines: new Map(), timelineNotes: [] };
  if (result.isInterrupted) return none("Timelines are missing, because it was interrupted.");
  if (!sources.every(canReopen))
    return none("Timelines are missing: they need logs that can be read twice, such as files.");
  const wanted = refusing.slice(0, MOST_CANDIDATES);
  const isWholeSeconds = result.timestamps === "whole seconds";
  let timelines: Timelines | null = null;
  const again = await readLogs(
    sources,
    question,
    () =>
      (timelines = new Timelines(
        wanted,
        question,
        placementsOf(question, isWholeSeconds)[0]!,
        replay,
        () => question.clients.count,
      )),
    progress,
  );
  progress.report(0);
  if (isFailure(again)) return none(`Timelines are missing: ${lineOf(again.message)}.`);
  const rows = (timelines as Timelines | null)!.timelines();
  const charts = wanted.map(({ index, clients }, at): [number, TimelinesFigure] => {
    const candidate = result.candidates[index]!;
    return [
      index,
      {
        kind: "timelines",
        title: `Refused most by ${lineOf(titleOf(candidate))}`,
        ...timelineSpan(replay),
        rows: clients.map((_, row) => {
          const { client, refused, requests } = candidate.clients[row]!;
          const name = clientWords(client);
          const what = `${thousands(refused)} of ${thousands(requests)} refused: ${name}`;
          return { name, what, ...rows[at]![row]! };
        }),
      },
    ];
  });
  return {
    timelines: new Map(charts),
    timelineNotes: [
      "A client with few requests has a mark for each of them. Others have bars, and each row has a scale of its own.",
      ...(refusing.length > wanted.length
        ? [`${wanted.length} of ${refusing.length} candidates have timelines.`]
        : []),
    ],
  };
}
