// Requests for tests of recommendations, and what a replay of them counts.
import * as fc from "fast-check";
import { ALGORITHMS } from "#src/limiter/core/algorithms.ts";
import { micros } from "#src/kit/units.ts";
import type { RecommendQuestion } from "#src/studies/recommend/recommend.ts";
import type { RecommendedRule } from "#src/studies/recommend/recommendation.ts";
import { LoggedTraffic } from "#src/studies/recommend/traffic.ts";
import type { Arrivals } from "#src/studies/replay/arrivals.ts";
import type { ReplayLimit } from "#src/studies/replay/candidates.ts";
import { NameTable } from "#src/studies/replay/names.ts";
import { Replay } from "#src/studies/replay/replay.ts";
import { PROFILE_NAMES } from "#src/limiter/spec/profiles.ts";
import { DEFAULT_OPTIONS, readOptions } from "#src/limiter/world/options.ts";
import { strictFindings } from "#src/limiter/world/place.ts";

export interface SentRequest {
  readonly atUs: number;
  readonly client: number;
  readonly isBad?: boolean;
}

export const START_US = Date.UTC(2026, 0, 5, 10) * 1000;
const CLIENTS = 12;

export const randomRequests = (stepMs: number): fc.Arbitrary<readonly SentRequest[]> =>
  fc
    .array(
      fc.record({
        at: fc.integer({ min: 0, max: Math.floor(20_000 / stepMs) }),
        client: fc.nat({ max: CLIENTS - 1 }),
      }),
      { minLength: 1, maxLength: 200, size: "max" },
    )
    .map((sent) =>
      sent
        .map(({ at, client }) => ({ atUs: START_US + at * stepMs * 1000, client }))
        .toSorted((a, b) => a.atUs - b.atUs),
    );

export const arrivalsOf = (requests: readonly SentRequest[]): Arrivals => ({
  count: requests.length,
  atUs: Float64Array.from(requests, ({ atUs }) => atUs),
  clients: Int32Array.from(requests, ({ client }) => client),
  targets: Int32Array.from(requests, ({ isBad = false }) => Number(isBad)), // as labels are read
});

export const namesOf = (clients: number): NameTable => {
  const table = new NameTable();
  for (let id = 0; id < clients; id++) {
    const bytes = new TextEncoder().encode(`192.0.2.${id}`);
    table.idOf(bytes, 0, bytes.length);
  }
  return table;
};

export function trafficOf(requests: readonly SentRequest[]): LoggedTraffic {
  const traffic = new LoggedTraffic(requests.some(({ isBad }) => isBad));
  // In parts, as a log is read.
  const half = requests.findIndex(
    ({ atUs }, i) =>
      i >= requests.length / 2 && Math.floor(atUs / 1e6) > Math.floor(requests[i - 1]!.atUs / 1e6),
  );
  const parts = half <= 0 ? [requests] : [requests.slice(0, half), requests.slice(half)];
  for (const part of parts) traffic.decide(arrivalsOf(part));
  return traffic;
}

export function replayOf(
  requests: readonly SentRequest[],
  candidates: readonly ReplayLimit[],
  isWholeSeconds: boolean,
): Replay {
  const question = {
    candidates,
    key: [],
    conditions: [],
    clients: namesOf(requests.reduce((most, { client }) => Math.max(most, client), 0) + 1),
    targets: null,
    format: null,
    seed: 1,
    retries: null,
  };
  const replay = new Replay(question, isWholeSeconds);
  replay.decide(arrivalsOf(requests));
  replay.end();
  return replay;
}

export const ALGORITHM_RULES: readonly RecommendedRule[] = ALGORITHMS.map((algorithm) => ({
  by: { kind: "algorithm", name: algorithm },
  options: { ...DEFAULT_OPTIONS, algorithm },
}));

/** Without those that drop the budgets of clients. */
export const PROFILE_RULES: readonly RecommendedRule[] = PROFILE_NAMES.map((name) => ({
  by: { kind: "profile" as const, name },
  options: readOptions({ raw: { profile: name }, path: [], findings: strictFindings([], []) }),
})).filter(({ options }) => options.imitation?.keys == null);

export const questionOf = (
  rules: readonly RecommendedRule[],
  more: Partial<RecommendQuestion> = {},
): RecommendQuestion => ({
  rules,
  windows: [micros(1_000_000)],
  target: { requests: 0.05, clients: 1 },
  seed: 1,
  top: 5,
  ...more,
});
