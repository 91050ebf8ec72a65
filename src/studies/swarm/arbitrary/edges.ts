// Worlds for other implementations: few limits, and requests near the edges of their windows. Sizes and times are
// relative to a limit, so that a smaller rate makes a smaller world.
import * as fc from "fast-check";
import type { Scope } from "../../../limiter/core/budget.ts";
import { duration, flowsOf, type RawScenario } from "../as-scenario.ts";
import { SECOND_US } from "./limits.ts";
import type { SentRequest } from "./traffic.ts";
import { KEYS, type RawObject } from "./worlds.ts";

/** What an implementation can express, and how long a world may take. */
export interface EdgeWorldParts {
  readonly scopes: readonly Scope[];
  readonly hasTwoLevels: boolean;
  readonly hasBurst: boolean;
  readonly hasCost: boolean;
  readonly hasChange: boolean;
  readonly mostRate: number;
  readonly windowsUs: readonly [number, ...number[]]; // small counterexamples use the first
  readonly leastGapUs: number; // least time between two requests
  readonly offsetUs: number; // distance of a request from an edge
  readonly mostRequests: number;
  readonly mostUs: number; // longest duration of a world
}

/** Names and times of a world that shares a scenario with others, as in a batch in real time. */
export interface EdgePlace {
  readonly suffix: string; // added to each name
  readonly fromUs: number; // time of its first request
}

const ALONE: EdgePlace = { suffix: "", fromUs: 0 };

/** The times to which a step can refer. A time that is listed more than once is drawn more often. */
const ANCHORS = [
  "next",
  "next",
  "window",
  "window",
  "clock",
  "interval",
  "interval",
  "somewhere",
  "silence",
] as const;
const SIZES = [
  "one",
  "full",
  "full",
  "one less",
  "one more",
  "one more",
  "half",
  "double",
  "double",
  "some",
] as const;
const SPACINGS = ["burst", "burst", "steady", "tight", "jittered"] as const;

interface EdgeStep {
  readonly key: number;
  readonly from: number; // the earlier step from which a window is counted
  readonly anchor: (typeof ANCHORS)[number];
  readonly times: number;
  readonly offset: number;
  readonly size: (typeof SIZES)[number];
  readonly spacing: (typeof SPACINGS)[number];
  readonly chance: number; // the random part of the step
  readonly cost: number;
  readonly newRate: number | null; // new limit of the key before the step; null: no change
}

const step = ({ hasCost, hasChange, mostRate }: EdgeWorldParts): fc.Arbitrary<EdgeStep> =>
  fc.record({
    key: fc.nat(KEYS.length - 1),
    from: fc.nat(5),
    anchor: fc.constantFrom(...ANCHORS),
    times: fc.integer({ min: 1, max: 3 }),
    offset: fc.constantFrom(0, -1, 1),
    size: fc.constantFrom(...SIZES),
    spacing: fc.constantFrom(...SPACINGS),
    chance: fc.nat(999),
    cost: hasCost ? fc.constantFrom(1, 1, 1, 2, 3, 5) : fc.constant(1),
    newRate: hasChange
      ? fc.oneof(
          { weight: 29, arbitrary: fc.constant(null) },
          { weight: 1, arbitrary: rateUpTo(Math.min(mostRate, 20)) },
        )
      : fc.constant(null),
  });

/** Draws mostly small rates, because a world with a large rate needs many requests to reach it. */
const rateUpTo = (most: number): fc.Arbitrary<number> =>
  fc.oneof(
    { weight: 8, arbitrary: fc.integer({ min: 1, max: Math.min(most, 10) }) },
    { weight: 3, arbitrary: fc.integer({ min: 1, max: Math.min(most, 100) }) },
    { weight: 1, arbitrary: fc.integer({ min: 1, max: most }) },
  );

export const edgeWorld = (
  parts: EdgeWorldParts,
  place: EdgePlace = ALONE,
): fc.Arbitrary<RawScenario> =>
  fc
    .record({
      scope: fc.constantFrom(...parts.scopes),
      rates: fc.array(rateUpTo(parts.mostRate), { minLength: KEYS.length, maxLength: KEYS.length }),
      perUs: fc.constantFrom(...parts.windowsUs),
      keys: fc.integer({ min: 1, max: KEYS.length }),
      areEqual: fc.boolean(),
      second: parts.hasTwoLevels
        ? fc.option(fc.record({ rate: rateUpTo(parts.mostRate), times: fc.constantFrom(1, 2) }), {
            nil: null,
          })
        : fc.constant(null),
      burst: parts.hasBurst
        ? fc.option(fc.integer({ min: 1, max: 12 }), { nil: null })
        : fc.constant(null),
      steps: fc.array(step(parts), { minLength: 1, maxLength: 8, size: "max" }),
    })
    .map((drawn) => buildWorld(drawn, parts, place));

interface DrawnWorld {
  readonly scope: Scope;
  readonly rates: readonly number[];
  readonly perUs: number;
  readonly keys: number;
  readonly areEqual: boolean; // whether all keys have equal limits
  readonly second: { readonly rate: number; readonly times: number } | null;
  readonly burst: number | null;
  readonly steps: readonly EdgeStep[];
}

const ENDPOINT = "/a";

const isOfApis = (scope: Scope): boolean => scope === "api" || scope === "api-endpoint";

function buildWorld(drawn: DrawnWorld, parts: EdgeWorldParts, place: EdgePlace): RawScenario {
  const { scope, rates, perUs, keys, second, burst, steps } = drawn;
  const isOfApi = isOfApis(scope);
  const limits = rates.map((rate) => ({
    rate: drawn.areEqual ? rates[0]! : rate,
    per: perUs / SECOND_US,
  }));
  const isEndpoint = scope === "api-endpoint" || scope === "key-endpoint";
  const api = `orders${place.suffix}`;
  const path = isEndpoint ? `/${api}${ENDPOINT}` : `/${api}`;
  const otherScope = parts.scopes.find((each) => each === (isOfApi ? "key" : "api"));
  const other =
    second === null || otherScope === undefined
      ? null
      : { rate: second.rate, per: (perUs * second.times) / SECOND_US };
  const { requests, changes } = buildTraffic(drawn, steps, path, parts);
  const names = KEYS.slice(0, keys).map((name) => name + place.suffix);
  return {
    world: {
      apis: { [api]: apiOf(api, scope, isOfApi ? limits[0]! : other) },
      policies: {},
      keys: Object.fromEntries(
        names.map((name, at) => [name, keyOf(api, scope, isOfApi ? other : limits[at]!)]),
      ),
      gateway: burst === null ? {} : { burst },
    },
    around: {},
    traffic: flowsOf(
      requests.map((each) => ({
        ...each,
        atUs: each.atUs + place.fromUs,
        as: each.as + place.suffix,
      })),
      place.suffix,
    ),
    faults: changes.map(({ atUs, key, rate }): RawObject => {
      const limit = { rate, per: perUs / SECOND_US };
      return {
        at: duration(atUs + place.fromUs),
        configure: isOfApi
          ? { apis: { [api]: apiOf(api, scope, limit) } }
          : {
              keys: Object.fromEntries(
                names
                  .filter((name) => drawn.areEqual || name === names[key])
                  .map((name) => [name, keyOf(api, scope, limit)]),
              ),
            },
      };
    }),
  };
}

function apiOf(api: string, scope: Scope, limit: RawObject | null): RawObject {
  const listen = `/${api}`;
  if (limit === null) return { listen };
  return scope === "api-endpoint"
    ? { listen, endpoints: [{ path: ENDPOINT, method: "GET", ...limit }] }
    : { listen, ...limit };
}

function keyOf(api: string, scope: Scope, limit: RawObject | null): RawObject {
  if (limit === null) return { access_rights: { [api]: {} } };
  if (scope === "key-api") return { access_rights: { [api]: { limit } } };
  if (scope !== "key-endpoint") return { access_rights: { [api]: {} }, ...limit };
  const endpoints = [{ path: ENDPOINT, methods: [{ name: "GET", limit }] }];
  return { access_rights: { [api]: { endpoints } } };
}

interface LimitChange {
  readonly atUs: number;
  readonly key: number;
  readonly rate: number;
}

interface EdgeTraffic {
  readonly requests: readonly SentRequest[];
  readonly changes: readonly LimitChange[];
}

/** Gives each request its own time: at one instant, the two compared limiters may decide in different orders. */
function buildTraffic(
  { rates, perUs, keys, scope, areEqual, burst }: DrawnWorld,
  steps: readonly EdgeStep[],
  path: string,
  { leastGapUs, offsetUs, mostRequests, mostUs }: EdgeWorldParts,
): EdgeTraffic {
  const hasOneRate = areEqual || isOfApis(scope);
  const now = [...rates];
  const starts: number[] = [];
  const requests: SentRequest[] = [];
  const changes: LimitChange[] = [];
  let lastUs = -leastGapUs;
  for (const each of steps) {
    const key = each.key % keys;
    const ofLimit = hasOneRate ? 0 : key;
    const isFirst = starts.length === 0;
    if (each.newRate !== null && !isFirst) {
      // The change is in a later unit of a coarse clock than any earlier request.
      lastUs = (Math.floor(lastUs / offsetUs) + 1) * offsetUs;
      changes.push({ atUs: lastUs, key: ofLimit, rate: each.newRate });
      now[ofLimit] = each.newRate;
    }
    const rate = now[ofLimit]!;
    const intervalUs = perUs / rate;
    const wantedUs = startOf(each, { lastUs, perUs, intervalUs, starts }) + each.offset * offsetUs;
    let atUs = isFirst && each.anchor === "next" ? 0 : wantedUs;
    // If the burst is above the rate, the limit admits a whole burst at one instant.
    const most = Math.max(rate, burst ?? 0);
    for (let index = 0, count = sizeOf(each, most); index < count; index++) {
      atUs = Math.max(Math.round(atUs), lastUs + leastGapUs);
      const isLate = atUs > mostUs && requests.length > 0;
      if (requests.length >= mostRequests || isLate) return { requests, changes };
      if (index === 0) starts.push(atUs);
      requests.push({ atUs, as: KEYS[key]!, path, cost: each.cost });
      lastUs = atUs;
      atUs += spacingOf(each, index, intervalUs);
    }
  }
  return { requests, changes };
}

interface EdgeMoment {
  readonly lastUs: number;
  readonly perUs: number;
  readonly intervalUs: number;
  readonly starts: readonly number[];
}

function startOf(
  { anchor, from, times, chance }: EdgeStep,
  { lastUs, perUs, intervalUs, starts }: EdgeMoment,
): number {
  switch (anchor) {
    case "next":
      return lastUs;
    case "window":
      return (starts.at(-1 - (from % Math.max(1, starts.length))) ?? 0) + perUs * times;
    case "clock":
      return perUs * (Math.floor(lastUs / perUs) + times);
    case "interval":
      return lastUs + intervalUs * times;
    case "somewhere":
      return lastUs + (2 * perUs * chance) / 1_000;
    case "silence":
      return lastUs + perUs * (2 + times);
  }
}

function sizeOf({ size, chance }: EdgeStep, most: number): number {
  switch (size) {
    case "one":
      return 1;
    case "full":
      return most;
    case "one less":
      return Math.max(1, most - 1);
    case "one more":
      return most + 1;
    case "half":
      return Math.ceil(most / 2);
    case "double":
      return 2 * most;
    case "some":
      return 1 + (chance % 5);
  }
}

function spacingOf({ spacing, chance }: EdgeStep, index: number, intervalUs: number): number {
  switch (spacing) {
    case "burst":
      return 0;
    case "steady":
      return intervalUs;
    case "tight":
      return intervalUs * 0.8;
    case "jittered":
      return (intervalUs * ((chance + index * 617) % 1_000)) / 500;
  }
}
