// The timelines of clients against a replay of the same requests.
import { expect, test } from "vitest";
import * as fc from "fast-check";
import { micros } from "#src/kit/units.ts";
import { binsOf } from "#src/show/log-pages/bins.ts";
import { Timelines, timelineSpan, type ClientTimeline } from "#src/show/log-pages/timelines.ts";
import { AS_LOGGED, placementsFrom } from "#src/studies/replay/placements.ts";
import { mostRefused } from "#src/studies/replay/result.ts";
import { PROFILE_NAMES } from "#src/limiter/spec/profiles.ts";
import { readOptions } from "#src/limiter/world/options.ts";
import { strictFindings } from "#src/limiter/world/place.ts";
import {
  ALGORITHM_RULES,
  arrivalsOf,
  namesOf,
  randomRequests,
  replayOf,
} from "../../studies/recommend/traffic.ts";
import { holds } from "../../runs.ts";

/** Also those whose clients share what the limiter can hold. */
const RULES = [
  ...ALGORITHM_RULES,
  ...PROFILE_NAMES.map((name) => ({
    by: { kind: "profile" as const, name },
    options: readOptions({ raw: { profile: name }, path: [], findings: strictFindings([], []) }),
  })),
];
const CANDIDATES = RULES.map((rule) => ({
  kind: "limit" as const,
  limit: { rate: 3, perUs: micros(1_000_000) },
  ...rule,
}));
const CLIENTS = 12;

function countsOf(timeline: ClientTimeline): { readonly all: number; readonly refused: number } {
  const sum = (counts: readonly number[]): number => counts.reduce((all, each) => all + each, 0);
  if (timeline.kind === "marks")
    return { all: timeline.atS.length, refused: sum(timeline.isRefused) };
  const refused = sum(timeline.refused);
  return { all: sum(timeline.admitted) + refused, refused };
}

test("the timelines of the clients that are refused most have the counts of the replay", () => {
  let bins = 0;
  holds(
    fc.property(fc.boolean(), randomRequests(1000), (isWholeSeconds, few) => {
      // The first client has more requests than marks.
      const requests = few.flatMap((each) =>
        Array.from({ length: each.client === few[0]!.client ? 20 : 1 }, () => each),
      );
      const { runs, requestsOf, firstUs, lastUs } = replayOf(requests, CANDIDATES, isWholeSeconds);
      const wanted = runs.map(({ candidate, tallies }) => ({
        candidate,
        clients: mostRefused(tallies[0]!, 4),
      }));
      const timelines = new Timelines(
        wanted,
        { clients: namesOf(CLIENTS), targets: null },
        isWholeSeconds ? placementsFrom(1)[0]! : AS_LOGGED,
        { firstUs, lastUs },
        () => CLIENTS,
      );
      timelines.decide(arrivalsOf(requests));
      timelines.end();
      for (const [index, rows] of timelines.timelines().entries()) {
        const { ids, refusedOf } = runs[index]!.tallies[0]!;
        const { clients } = wanted[index]!;
        expect(rows.map(countsOf), `by ${CANDIDATES[index]!.by.name}`).toEqual(
          clients.map((id) => ({ all: requestsOf[id]!, refused: refusedOf[ids.indexOf(id)]! })),
        );
        bins += rows.filter(({ kind }) => kind === "bins").length;
      }
    }),
    20,
  );
  expect(bins).toBeGreaterThan(0);
});

test("bins cover a log of any length, and are few", () => {
  const startUs = Date.UTC(2026, 0, 5, 10) * 1000;
  for (const lengthUs of [0, 1, 999_999, 600e6, 86_400e6, 30 * 86_400e6, 50 * 365 * 86_400e6]) {
    const span = { firstUs: startUs + 7, lastUs: startUs + 7 + lengthUs };
    for (const least of [null, 1, 300]) {
      const { startS, binS, count } = binsOf(span.firstUs, span.lastUs, 120, least);
      expect(startS * 1e6).toBeLessThanOrEqual(span.firstUs);
      expect((startS + count * binS) * 1e6).toBeGreaterThan(span.lastUs);
      expect(count).toBeLessThanOrEqual(122);
      expect(binS % (least ?? 0.001)).toBeCloseTo(0);
    }
    expect(timelineSpan(span).untilS * 1e6).toBeGreaterThan(lengthUs);
  }
});
