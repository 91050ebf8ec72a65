// The largest page that weir replay can save: every part has its most entries, and numbers that do not compress well.
import { expect, test } from "vitest";
import { rng } from "#src/kit/chance/rng.ts";
import { limitsCounted } from "#src/show/log-pages/peaks.ts";
import { replayPart, type ReplayCharts } from "#src/show/log-pages/replay-part.ts";
import { addAnswer } from "#src/show/answers/answer.ts";
import { answerReplay } from "#src/show/answers/replay.ts";
import type { ReplayedCandidate, UnansweredReplay } from "#src/studies/replay/result.ts";
import type { PeaksFigure, TimelinesFigure } from "#src/lab/report/measured-figures.ts";
import { partOfMeasured } from "#src/show/html/measured.ts";
import { pageText } from "#src/show/page/page-text.node.ts";

const random = rng(1, "log-page/size");
const upTo = (most: number): number => Math.floor(random.next() * most);
const many = <Item>(length: number, itemOf: (index: number) => Item): Item[] =>
  Array.from({ length }, (_, index) => itemOf(index));

const DAY_MS = 86_400_000;
const START_MS = Date.UTC(2026, 0, 5);
const at = (ms: number): string => new Date(START_MS + ms).toISOString();

const candidateOf = (index: number): ReplayedCandidate => ({
  limit: `${index + 1}/1m`,
  rate: index + 1,
  perUs: 60_000_000,
  algorithm: "sliding_window_counter",
  profile: null,
  burst: null,
  world: null,
  configuration: null,
  endpoints: [],
  refused: upTo(1e8),
  refusedShare: random.next(),
  refusedClients: 1_000_000,
  refusedClientShare: 1,
  rejected: upTo(1e8),
  delayed: upTo(1e8),
  longestDelayUs: upTo(1e8),
  firstAt: at(0),
  lastAt: at(DAY_MS),
  units: null,
  placements: many(5, (placement) => ({
    placement: `at random, seed ${placement}`,
    refused: upTo(1e8),
    refusedClients: upTo(1e6),
  })),
  retries: {
    behaviour: "backoff",
    attempts: 1e9,
    refusedAttempts: upTo(1e9),
    admittedLater: upTo(1e8),
    gaveUp: upTo(1e8),
    longestWaitUs: upTo(1e9),
  },
  fewest: { clients: 1000, refused: upTo(1e8) },
  clients: many(1000, () => ({
    client: "<".repeat(200), // longest as markup
    requests: upTo(1e6),
    refused: upTo(1e6),
    firstAt: at(upTo(DAY_MS)),
    lastAt: at(upTo(DAY_MS)),
  })),
});

const falling = (length: number): readonly number[] =>
  many(length, () => upTo(1e9)).toSorted((a, b) => b - a);

function peaksOf(per: string): PeaksFigure {
  const limits = limitsCounted([]);
  const rule = {
    requestsAbove: many(5, () => falling(limits.length)),
    clientsAbove: many(5, () => falling(limits.length)),
  };
  return {
    kind: "peaks",
    title: "Clients",
    unit: "requests",
    per,
    requests: 1e9,
    clients: 1e9,
    limits,
    start: 1,
    peaksAbove: rule.clientsAbove[0]!,
    rules: [
      { what: "sliding_log", ...rule },
      { what: "fixed_window", ...rule, clientsAbove: many(5, () => falling(limits.length)) },
    ],
  };
}

const timelinesOf = (): TimelinesFigure => ({
  kind: "timelines",
  title: "Refused most",
  startS: START_MS / 1000,
  untilS: 86_400,
  rows: many(8, () => ({
    kind: "bins",
    name: "<".repeat(60),
    what: "<".repeat(100),
    binS: 720,
    admitted: many(120, () => upTo(1e5)),
    refused: many(120, () => upTo(1e5)),
  })),
});

test("a page is smaller than 3 MB, however long the log and however many its clients", async () => {
  const candidates = many(200, candidateOf);
  const steps = many(400, (step) => at((step * DAY_MS) / 400));
  const unanswered: UnansweredReplay = {
    format: "weir-replay/1",
    key: "ip",
    cost: null,
    logs: [],
    skipped: [],
    isInterrupted: false,
    requests: 1e9,
    clients: 1e6,
    firstAt: at(0),
    lastAt: at(DAY_MS),
    timestamps: "whole seconds",
    candidates,
    overTime: {
      stepSeconds: 300,
      startAt: steps,
      requests: many(400, () => upTo(1e6)),
      refused: candidates.map(() => many(400, () => upTo(1e6))),
    },
  };
  const result = addAnswer(unanswered, answerReplay);
  const charts: ReplayCharts = {
    peaks: ["1s", "1m", "1h", "24h"].map(peaksOf),
    timelines: new Map(many(12, (index) => [index, timelinesOf()])),
    timelineNotes: [],
  };
  const problems = many(1000, (index) => `log ${index}: `.repeat(100));
  const page = await pageText(null, [
    partOfMeasured("document", replayPart(result, charts, problems, ["replay"])),
  ]);
  expect(page.length).toBeGreaterThan(1_000_000);
  expect(Buffer.byteLength(page)).toBeLessThan(3_000_000);
});
