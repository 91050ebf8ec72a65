// What a page counts for a limit that is moved, against a replay at that limit.
import { expect, test } from "vitest";
import * as fc from "fast-check";
import { micros } from "#src/kit/units.ts";
import { limitsCounted, PeakCounts } from "#src/show/log-pages/peaks.ts";
import { AS_LOGGED, placementsFrom } from "#src/studies/replay/placements.ts";
import { nearestLimit, peaksDrawable, refusalsAbove } from "#src/show/figures/measured/peaks.ts";
import type { PeaksFigure } from "#src/lab/report/measured-figures.ts";
import { DEFAULT_OPTIONS } from "#src/limiter/world/options.ts";
import {
  arrivalsOf,
  randomRequests,
  replayOf,
  type SentRequest,
} from "../../studies/recommend/traffic.ts";
import { holds } from "../../runs.ts";

const ALGORITHMS = ["sliding_log", "fixed_window"] as const;
const CLIENTS = 12;

function peaksOf(
  requests: readonly SentRequest[],
  perUs: number,
  isWholeSeconds: boolean,
  rates: readonly number[] = [],
  clients = CLIENTS,
): PeaksFigure {
  const placements = isWholeSeconds ? placementsFrom(1) : [AS_LOGGED];
  const peaks = new PeakCounts([{ perUs: micros(perUs), rates }], placements, () => clients);
  peaks.decide(arrivalsOf(requests));
  peaks.end();
  return peaks.figures(() => "window")[0]!;
}

function replayAt(requests: readonly SentRequest[], perUs: number, isWholeSeconds: boolean) {
  return (rate: number) => {
    const candidates = ALGORITHMS.map((name) => ({
      kind: "limit" as const,
      limit: { rate, perUs: micros(perUs) },
      by: { kind: "algorithm" as const, name },
      options: { ...DEFAULT_OPTIONS, algorithm: name },
    }));
    const { runs } = replayOf(requests, candidates, isWholeSeconds);
    return runs.map(({ candidate, tallies }) => {
      const between = (counts: readonly number[]) => [Math.min(...counts), Math.max(...counts)];
      const refused = tallies.map(({ refusedRequests }) => refusedRequests);
      const clients = tallies.map(({ refusedClients }) => refusedClients);
      return {
        what: candidate.kind === "limit" ? candidate.by.name : "",
        requests: refused[0]!,
        requestsBetween: between(refused),
        clients: clients[0]!,
        clientsBetween: between(clients),
      };
    });
  };
}

test("a page has the counts of a replay for every limit, window and placement", () => {
  holds(
    fc.property(
      fc.boolean().chain((isWholeSeconds) =>
        fc.record({
          isWholeSeconds: fc.constant(isWholeSeconds),
          requests: randomRequests(isWholeSeconds ? 1000 : 7),
          perUs: fc.constantFrom(250_000, 1_000_000, 2_500_000, 10_000_000),
        }),
      ),
      ({ isWholeSeconds, requests, perUs }) => {
        const figure = peaksOf(requests, perUs, isWholeSeconds);
        const replay = replayAt(requests, perUs, isWholeSeconds);
        for (const limit of figure.limits)
          expect(refusalsAbove(figure, limit), `${limit}`).toEqual(replay(limit));
        const last = figure.limits.at(-1)!;
        expect(refusalsAbove(figure, last).every((each) => each.requestsBetween[1] === 0)).toBe(
          true,
        );
        expect(figure.peaksAbove).toEqual(figure.rules[0]!.clientsAbove[0]);
      },
    ),
    60,
  );
});

test("limits above 1,024 have counts at steps, and those that are wanted have exact ones", () => {
  const atUs = Date.UTC(2026, 0, 5) * 1000;
  const requests = Array.from({ length: 6000 }, (_, i) => ({ atUs: atUs + i, client: i % 2 }));
  const figure = peaksOf(requests, 1_000_000, false, [2500.5]);
  const replay = replayAt(requests, 1_000_000, false);
  expect(figure.limits).toContain(2500);
  for (const limit of [1, 1024, 1046, 2500, nearestLimit(figure, 2999), nearestLimit(figure, 3001)])
    expect(refusalsAbove(figure, limit), `${limit}`).toEqual(replay(limit));
  expect(nearestLimit(figure, 1030)).toBe(1024);
  const steps = limitsCounted([]);
  expect(steps.slice(0, 1024)).toEqual(Array.from({ length: 1024 }, (_, i) => i + 1));
  for (let i = 1024; i < steps.length; i++) expect(steps[i]! / steps[i - 1]!).toBeLessThan(1.023);
});

test("the axis of clients has at least two labels, and only powers of ten if there are many", () => {
  const at = Date.UTC(2026, 0, 5, 10) * 1000;
  const figureOf = (clients: number): PeaksFigure =>
    peaksOf(
      Array.from({ length: clients }, (_, client) => ({ atUs: at + client, client })),
      1_000_000,
      false,
      [],
      clients,
    );
  const ticksOf = (clients: number): unknown => peaksDrawable(figureOf(clients)).signals["yTicks"];
  expect(ticksOf(1)).toEqual([1, 2]);
  expect(ticksOf(8)).toEqual([1, 2, 5, 10]);
  expect(ticksOf(2_000)).toEqual([1, 10, 100, 1_000]);
});
