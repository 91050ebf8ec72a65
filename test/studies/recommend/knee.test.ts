// Knees against the distance of every point from the line between the ends of a curve, and curves against requests that
// are decided one by one.
import { expect, test } from "vitest";
import * as fc from "fast-check";
import { micros, SECOND } from "#src/kit/units.ts";
import { curvePoints, findKnee, type CurvePoint } from "#src/studies/recommend/knee.ts";
import { tryRates } from "#src/studies/recommend/search.ts";
import { holdsUntil } from "../../runs.ts";
import { curveOf, decideTriedRates } from "./one-by-one.ts";
import { ALGORITHM_RULES, PROFILE_RULES, START_US } from "./traffic.ts";

const pointsOf = (
  refused: readonly number[],
  badRefused: readonly number[] = [],
): readonly CurvePoint[] =>
  refused.map((each, i) => ({
    rate: 2 ** i,
    refused: each,
    clients: Math.min(each, 3),
    badRefused: badRefused[i] ?? 0,
    badClients: Math.min(badRefused[i] ?? 0, 1),
  }));

test("a knee is searched until nothing good is refused any more, though bad requests still are", () => {
  const bad = [90, 80, 70, 60, 50, 40, 30, 20, 10, 0];
  const good = [100, 50, 30, 20, 0];
  expect(findKnee(pointsOf(good))?.rate).toBe(2);
  expect(findKnee(pointsOf([...good, 0, 0, 0, 0, 0], bad))?.rate).toBe(2);
  expect(findKnee(pointsOf([...good, 7, 0, 0, 0, 0], bad))?.rate).toBe(4); // the curve ends at 64
  expect(findKnee(pointsOf([0, 0, 0, 0, 0], bad))).toBeNull();
  expect(findKnee(pointsOf([3, 7, 5], bad))).toBeNull();
  expect(findKnee(pointsOf([3, 1, 3], bad))).toBeNull();
});

/** Rates whose points are furthest below the line, by the heights of both at each rate; null: no point is below it. */
function furthestBelow(points: readonly CurvePoint[]): readonly (number | null)[] {
  let end = points.length - 1;
  if (points[0]!.refused <= points[end]!.refused) return [null];
  while (points[end - 1]!.refused === points[end]!.refused) end--;
  const [from, to] = [points[0]!, points[end]!];
  const slope = (to.refused - from.refused) / (Math.log2(to.rate) - Math.log2(from.rate));
  const below = points
    .slice(0, end)
    .map(({ rate, refused }) => from.refused + slope * Math.log2(rate / from.rate) - refused);
  const most = Math.max(...below);
  return most < NEAR
    ? [null]
    : points.filter((_, i) => below[i]! > most - NEAR).map(({ rate }) => rate);
}

const NEAR = 1e-6; // of requests: such points are at one distance

test("a knee is the point furthest below the line, on curves with flat ends, and with bumps", async () => {
  const examined = { flat: 0, none: 0, bumps: 0 };
  await holdsUntil(
    50,
    () => Math.min(examined.flat, examined.none, examined.bumps),
    fc.property(
      fc.array(fc.nat(30), { minLength: 1, maxLength: 9 }),
      fc.nat(6),
      fc.constantFrom("falls", "falls", "has bumps"),
      (steps, flat, shape) => {
        let height = 0;
        const falling = steps.map((step) => (height += step)).toReversed();
        const good = shape === "falls" ? falling : steps;
        const end = Array.from({ length: flat }, () => good.at(-1)!);
        const bad = Array.from({ length: good.length + flat }, (_, i) => 100 - i);
        const points = pointsOf([...good, ...end], bad);
        const knee = findKnee(points);
        expect(furthestBelow(points)).toContain(knee?.rate ?? null);
        examined.flat += Number(flat > 1 && knee !== null);
        examined.none += Number(knee === null);
        examined.bumps += Number(shape === "has bumps" && knee !== null);
      },
    ),
    200,
  );
});

test("a curve does not end where it passes the height of its end", () => {
  // Of four at once and one at 9 s, three per 10 s refuse the last two; four per 10 s refuse that at 9 s, and all until 19 s.
  const rule = PROFILE_RULES.find(({ by }) => by.name === "nestjs-throttler")!;
  const requests = [0, 0, 0, 0, 9, 10.5, 11, 12].map((s) => ({
    atUs: START_US + s * SECOND,
    client: 0,
  }));
  const curve = curveOf(rule, micros(10 * SECOND), requests, 4);
  tryRates(curve);
  const points = curvePoints(curve);
  expect(points.map(({ rate, refused }) => [rate, refused])).toEqual([
    [1, 6],
    [2, 4],
    [3, 2],
    [4, 4],
  ]);
  expect(findKnee(points)?.rate).toBe(3);
});

const RULES = [...ALGORITHM_RULES, ...PROFILE_RULES];
const SPACED = RULES.filter(({ by }) => ["gcra", "guava"].includes(by.name));

const labelled = fc
  .array(fc.tuple(fc.nat(26), fc.nat(3), fc.boolean(), fc.integer({ min: 1, max: 5 })), {
    minLength: 1,
    maxLength: 30,
    size: "max",
  })
  .map((drawn) =>
    drawn
      .toSorted(([a], [b]) => a - b)
      .flatMap(([step, client, isBad, times]) =>
        Array.from({ length: times }, () => ({ atUs: START_US + step * 500_000, client, isBad })),
      ),
  );

test("a curve has a point for each tried rate until nothing changes, and ends there", async () => {
  const examined = { cut: 0, whole: 0, knees: 0 };
  await holdsUntil(
    10,
    () => Math.min(examined.cut, examined.whole, examined.knees),
    fc.property(
      labelled,
      fc.oneof(
        fc.tuple(fc.constantFrom(...RULES), fc.constantFrom(SECOND, 13 * SECOND)),
        fc.tuple(fc.constantFrom(...SPACED), fc.constant(7_000 * SECOND)), // flat before the highest rate
      ),
      fc.constantFrom(50, 1_000),
      (requests, [rule, window], most) => {
        const perUs = micros(window);
        const tried = decideTriedRates(rule, perUs, requests, most).map(
          ({ rate, goodRequests, goodClients, badRequests, badClients }) => ({
            rate,
            refused: goodRequests,
            clients: goodClients,
            badRefused: badRequests,
            badClients,
          }),
        );
        const isSame = (a: CurvePoint, b: CurvePoint): boolean =>
          a.refused === b.refused && a.badRefused === b.badRefused;
        let end = tried.length;
        while (end > 1 && isSame(tried[end - 2]!, tried.at(-1)!)) end--;
        const curve = curveOf(rule, perUs, requests, most);
        tryRates(curve);
        curve.at(5); // not one of the rates that every search tries
        expect(curvePoints(curve)).toEqual(tried.slice(0, end));
        examined.cut += Number(end < tried.length);
        examined.whole += Number(end === tried.length);
        const knee = findKnee(tried.slice(0, end));
        expect(furthestBelow(tried.slice(0, end))).toContain(knee?.rate ?? null);
        examined.knees += Number(knee !== null);
      },
    ),
    40,
  );
});
