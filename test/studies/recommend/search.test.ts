// The search for a rate against all rates, decided one by one: also of curves on which a higher rate refuses more.
import { expect, test } from "vitest";
import * as fc from "fast-check";
import { micros, SECOND, type Micros } from "#src/kit/units.ts";
import { MOST_RATE } from "#src/studies/recommend/advise.ts";
import type { RecommendedRule } from "#src/studies/recommend/recommendation.ts";
import {
  findSmallestRate,
  isTargetMet,
  ratesUpTo,
  tryRates,
  type RefusalTarget,
} from "#src/studies/recommend/search.ts";
import {
  curveOf,
  decideOneByOne,
  decideTriedRates,
  limitOf,
  type OwnRefusals,
} from "./one-by-one.ts";
import { ALGORITHM_RULES, PROFILE_RULES, START_US, type SentRequest } from "./traffic.ts";
import { holdsUntil } from "../../runs.ts";

test("two rates for each doubling are tried, up to the highest", () => {
  expect([...ratesUpTo(64)]).toEqual([1, 2, 3, 4, 6, 8, 11, 16, 23, 32, 45, 64]);
  expect([...ratesUpTo(13)]).toEqual([1, 2, 3, 4, 6, 8, 11, 13]);
  expect([...ratesUpTo(1)]).toEqual([1]);
});

/**
 * A refusal of nestjs-throttler refuses a client for a whole window. Two per 10 s refuse the third request, and that at
 * 9 s. Three per 10 s refuse that at 9 s, and all until 19 s.
 */
const BLOCKED_LATER = [0, 0, 0, 9, 10.5, 11].map((s) => ({
  atUs: START_US + s * SECOND,
  client: 0,
}));
const BLOCKING = PROFILE_RULES.find(({ by }) => by.name === "nestjs-throttler")!;

test.each([
  [4 / 6, 1],
  [3 / 6, 2],
  [2 / 6, 4], // 2 refuses two, but 3 refuses three
  [0, 4],
])("a rate that meets a target is not taken if a higher tried one misses it", (part, expected) => {
  const perUs = micros(10 * SECOND);
  const curve = curveOf(BLOCKING, perUs, BLOCKED_LATER, MOST_RATE);
  tryRates(curve);
  expect(curve.refusalsByRate().map(({ goodRequests }) => goodRequests)).toEqual([4, 2, 3, 0]);
  const target = { requests: part, clients: 1 };
  const totals = { requests: 6, clients: 1 };
  expect(findSmallestRate(curve, (each) => isTargetMet(each, target, totals))).toBe(expected);
});

interface Searched {
  readonly requests: readonly SentRequest[];
  readonly rule: RecommendedRule;
  readonly perUs: Micros;
  readonly most: number;
  readonly target: RefusalTarget;
}

const window = fc.constantFrom(SECOND, 4 * SECOND, 13 * SECOND).map(micros);
const byTime = (requests: readonly SentRequest[]): readonly SentRequest[] =>
  requests.toSorted((a, b) => a.atUs - b.atUs);

/** Of whose requests some may be bad: only the others count for the target. */
const mixed: fc.Arbitrary<Searched> = fc.record({
  requests: fc
    .tuple(
      fc.boolean(),
      fc.array(fc.tuple(fc.nat(40), fc.nat(2), fc.boolean()), {
        minLength: 2,
        maxLength: 40,
        size: "max",
      }),
    )
    .map(([hasLabels, drawn]) =>
      byTime(
        drawn.map(([step, client, isBad]) => ({
          atUs: START_US + step * 500_000,
          client,
          isBad: hasLabels && isBad,
        })),
      ),
    ),
  rule: fc.constantFrom(...ALGORITHM_RULES, ...PROFILE_RULES),
  perUs: window,
  most: fc.constantFrom(5, 40, MOST_RATE),
  target: fc.record({
    requests: fc.double({ min: 0, max: 0.6, noNaN: true }),
    clients: fc.constantFrom(0, 0.4, 1),
  }),
});

/** A burst that some rate admits, a request before the end of the window, and some before the end of its block. */
const blocked: fc.Arbitrary<Searched> = fc
  .record({
    burst: fc.integer({ min: 2, max: 6 }),
    next: fc.double({ min: 0.5, max: 0.9, noNaN: true }),
    later: fc.integer({ min: 2, max: 6 }),
    allowed: fc.integer({ min: 1, max: 5 }),
    others: fc.nat(3),
    perUs: window,
  })
  .map(({ burst, next, later, allowed, others, perUs }) => {
    const at = (part: number, client = 0): SentRequest => ({
      atUs: START_US + Math.round(part * perUs),
      client,
    });
    const requests = [
      ...Array.from({ length: burst }, () => at(0)),
      at(next),
      ...Array.from({ length: later }, (_, i) => at(1 + ((i + 1) * next) / (later + 2))),
      ...Array.from({ length: others }, (_, i) => at(i / 2, 1)),
    ];
    const target = { requests: allowed / requests.length, clients: 1 };
    return { requests: byTime(requests), rule: BLOCKING, perUs, most: MOST_RATE, target };
  });

/** All rates up to this one are decided. */
const EVERY_RATE = 16;

test("a found rate is met, one less is missed, and so is no higher one that was tried", async () => {
  const examined = { rising: 0, falling: 0, none: 0 };
  await holdsUntil(
    10,
    () => Math.min(examined.rising, examined.falling / 5, examined.none),
    fc.property(fc.oneof(mixed, mixed, blocked), ({ requests, rule, perUs, most, target }) => {
      const good = requests.filter(({ isBad = false }) => !isBad);
      const clients = new Set(good.map(({ client }) => client)).size;
      const isMet = ({ goodRequests, goodClients }: OwnRefusals): boolean =>
        goodRequests <= target.requests * good.length + 1e-9 &&
        goodClients <= target.clients * clients + 1e-9;
      const isMetAt = (rate: number): boolean =>
        isMet(decideOneByOne(limitOf(rule, { rate, perUs }), requests));
      const curve = curveOf(rule, perUs, requests, most);
      tryRates(curve);
      const totals = { requests: good.length, clients };
      const found = findSmallestRate(curve, (each) => isTargetMet(each, target, totals));
      const tried = decideTriedRates(rule, perUs, requests, most);
      expect(found === null).toBe(!isMet(tried.at(-1)!));
      if (found === null) {
        examined.none++;
        return;
      }
      expect([found, isMetAt(found), found > 1 && isMetAt(found - 1)]).toEqual([
        found,
        true,
        false,
      ]);
      const missedAbove = tried.filter((each) => each.rate > found && !isMet(each));
      expect([found, missedAbove.map(({ rate }) => rate)]).toEqual([found, []]);
      if (found > EVERY_RATE) return;
      const metAt = Array.from({ length: found }, (_, i) => isMetAt(i + 1));
      if (metAt.indexOf(true) < found - 1) examined.rising++;
      else examined.falling++;
    }),
    100,
  );
});

test("of each tried rate the curve has what is refused one by one, and lists the refused clients", async () => {
  let examined = 0;
  await holdsUntil(
    200,
    () => examined,
    fc.property(fc.oneof(mixed, blocked), ({ requests, rule, perUs, most }) => {
      const curve = curveOf(rule, perUs, requests, most);
      tryRates(curve);
      const ofCurve = curve.refusalsByRate().map(({ ids, good, bad, ...counts }) => ({
        ...counts,
        refusedOf: new Map(Array.from(ids, (id, i) => [id, { good: good[i]!, bad: bad[i]! }])),
      }));
      expect(ofCurve).toEqual(decideTriedRates(rule, perUs, requests, most));
      examined += ofCurve.length;
    }),
    40,
  );
});
