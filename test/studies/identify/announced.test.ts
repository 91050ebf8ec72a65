// What responses announce, compared with a limit that is known: the model itself sends them, exactly or a little off.
import * as fc from "fast-check";
import { expect, test } from "vitest";
import { SECOND } from "#src/kit/units.ts";
import { compareAnnounced, type AnnouncedFindings } from "#src/studies/identify/announced.ts";
import {
  BEHAVIOURS,
  isPaced,
  restUsOf,
  weighsWindows,
  type BehaviourName,
  type LimitBehaviour,
} from "#src/studies/identify/behaviour.ts";
import { configurationOf } from "#src/studies/identify/behaviour-of.ts";
import { createLimitModel } from "#src/studies/identify/model.ts";
import type { IdentifyStep } from "#src/studies/identify/prober.ts";
import { FIRST_SENDER, type Announced } from "#src/studies/identify/target.ts";
import { createVirtualTarget } from "#src/studies/identify/virtual-target.ts";
import { rng } from "#src/kit/chance/rng.ts";
import { holds, inRuns } from "../../runs.ts";

const TRIP_US = 4_000;
const TIMING = {
  tripUs: TRIP_US,
  workUs: 0,
  spreadUs: 1_000,
  lateUs: 0,
  clockUs: 20_000,
  patienceUs: 30 * SECOND,
};
/** Of a wait: three trips, and 5 ms. */
const SLACK_US = 3 * TRIP_US + 5_000;
const START_US = 1_700_000_000 * SECOND;

/** By how much each announced value differs from the true one. */
interface Errors {
  readonly waitUs: number;
  readonly resetUs: number;
  readonly remaining: number;
}

const EXACT: Errors = { waitUs: 0, resetUs: 0, remaining: 0 };

/** Requests one after the other, some at once after the one before, through a few windows. */
function compare(
  behaviour: LimitBehaviour,
  errors: Errors,
  judge: LimitBehaviour = behaviour,
): AnnouncedFindings {
  const limit = createLimitModel(configurationOf(behaviour)).begin(null);
  const gapUs = Math.max(2 * TRIP_US, Math.round(restUsOf(behaviour) / (2.5 * behaviour.capacity)));
  const steps = Array.from({ length: 6 * behaviour.capacity + 6 }, (_, index): IdentifyStep => {
    const sentUs = START_US + index * gapUs;
    const atUs = sentUs + TRIP_US / 2;
    const { refused, limit: most, remaining, resetUs, retryAfterUs } = limit.decide(atUs);
    const announced: Announced = {
      limit: most,
      remaining: remaining + errors.remaining,
      waitUs: refused === null ? null : retryAfterUs + errors.waitUs,
      resetUs: resetUs - atUs + errors.resetUs,
    };
    const outcome = refused === null ? ("admitted" as const) : ("refused" as const);
    const status = refused === null ? 200 : 429;
    const response = { sentUs, receivedUs: sentUs + TRIP_US, outcome, status, announced };
    const group = { atUs: sentUs, count: 1, everyUs: 0, sender: FIRST_SENDER };
    return { title: "one", suspects: 1, groups: [{ ...group, responses: [response] }] };
  });
  return compareAnnounced(steps, judge, TIMING);
}

const WINDOW: LimitBehaviour = { name: "window", capacity: 2, spanUs: 10 * SECOND };

test.each([
  ["half a second too short", -500_000, "tooShort"],
  ["too short by 20 ms", -20_000, "tooShort"],
  ["true", 0, null],
  ["rounded up by almost a second", 990_000, null],
  ["a second and a half too long", 1.5 * SECOND, "tooLong"],
] as const)("a wait that is %s is found to be so", (_, waitUs, name) => {
  const { refusals, waits, comparedWaits, tooShort, tooLong } = compare(WINDOW, {
    ...EXACT,
    waitUs,
  });
  expect(refusals).toBeGreaterThan(5);
  expect(waits).toBe(refusals);
  expect(comparedWaits).toBe(refusals);
  expect({ tooShort, tooLong }).toEqual({
    tooShort: name === "tooShort" ? refusals : 0,
    tooLong: name === "tooLong" ? refusals : 0,
  });
});

test("a wait is not compared where the behaviour refuses nothing", () => {
  const { refusals, waits, comparedWaits, tooShort, tooLong } = compare(
    WINDOW,
    { ...EXACT, waitUs: 5 * SECOND },
    { ...WINDOW, capacity: 100 },
  );
  expect(waits).toBe(refusals);
  expect(waits).toBeGreaterThan(5);
  expect({ comparedWaits, tooShort, tooLong }).toEqual({
    comparedWaits: 0,
    tooShort: 0,
    tooLong: 0,
  });
});

const behaviour = fc
  .record({
    name: fc.constantFrom(...(Object.keys(BEHAVIOURS) as BehaviourName[])),
    capacity: fc.integer({ min: 2, max: 9 }),
    spanS: fc.integer({ min: 2, max: 90 }),
  })
  .map(({ name, capacity, spanS }): LimitBehaviour => {
    // What it holds follows from its pace: a second's worth, and one on credit.
    const isOnCredit = name === "credit_bucket";
    return { name, capacity, spanUs: isOnCredit ? SECOND / (capacity - 1) : spanS * SECOND };
  });

const between = (min: number, max: number) => fc.integer({ min, max });

test("of every behaviour, a wait is true up to a second beyond it, and from its end on alone", () => {
  let refusalsOfAll = 0;
  holds(
    fc.property(
      behaviour,
      between(-1_000_000, -SLACK_US - 1),
      between(-SLACK_US, SECOND + SLACK_US),
      between(SECOND + SLACK_US + 1, 3 * SECOND),
      (each, short, near, long) => {
        const [below, within, beyond] = [short, near, long].map((waitUs) =>
          compare(each, { ...EXACT, waitUs }),
        );
        // A queue that delays a request states no wait.
        const waits = below!.tooShort;
        refusalsOfAll += waits;
        expect(below).toMatchObject({ tooLong: 0 });
        expect(within).toMatchObject({ tooShort: 0, tooLong: 0 });
        expect(beyond).toMatchObject({ tooShort: 0, tooLong: waits });
        expect(waits).toBe(below!.waits);
      },
    ),
    60,
  );
  expect(refusalsOfAll).toBeGreaterThan(inRuns(200));
});

test("of every behaviour, counts and resets that are a little wrong are not true", () => {
  let comparedOfAll = 0;
  holds(
    fc.property(
      behaviour,
      fc.constantFrom(-1, 1),
      between(SECOND / 2, 40 * SECOND),
      (each, sign, us) => {
        const exact = compare(each, EXACT);
        expect(exact).toMatchObject({ remaining: { untrue: 0 }, reset: { untrue: 0 } });
        const { compared } = exact.remaining;
        comparedOfAll += compared;
        // Of a pace one more may be back.
        const least = isPaced(each) || weighsWindows(each) ? 2 : 1;
        expect(compare(each, { ...EXACT, remaining: sign * least }).remaining.untrue).toBe(
          compared,
        );
        const late = { ...EXACT, resetUs: 4 * restUsOf(each) + us + SECOND };
        expect(compare(each, late).reset).toMatchObject({ compared, untrue: compared });
      },
    ),
    60,
  );
  expect(comparedOfAll).toBeGreaterThan(inRuns(500));
});

const ONE_BUDGET = { credential: false, address: false, path: false };

test.each(["window", "log", "bucket"] as const)(
  "the waits of a %s are right, also of requests in flight together at the edge of a window",
  async (name) => {
    const judged: LimitBehaviour = {
      name,
      capacity: 5,
      spanUs: name === "bucket" ? SECOND : 3 * SECOND,
    };
    const found = { compared: 0, tooShort: 0, tooLong: 0 };
    for (const jitterUs of [300, 3_000]) {
      const network = { oneWayUs: 300, jitterUs, loss: 0, storeUs: 200, clockUs: 0 };
      const random = rng(7, `together/${name}`);
      const target = createVirtualTarget(configurationOf(judged), ONE_BUDGET, network, random);
      const steps: IdentifyStep[] = [];
      for (let round = 0; round < 100; round++) {
        const atUs = target.nowUs() + 1_000;
        const groups = [
          { atUs, count: 8, everyUs: 0, sender: FIRST_SENDER },
          { atUs: atUs + SECOND, count: 2, everyUs: SECOND, sender: FIRST_SENDER },
          { atUs: atUs + 3 * SECOND, count: 2, everyUs: 0, sender: FIRST_SENDER },
        ];
        steps.push({ title: "together", suspects: 1, groups: await target.send(groups) });
      }
      const timing = { ...TIMING, tripUs: 600 + jitterUs };
      const { comparedWaits, tooShort, tooLong } = compareAnnounced(steps, judged, timing);
      found.compared += comparedWaits;
      found.tooShort += tooShort;
      found.tooLong += tooLong;
    }
    expect(found.compared).toBeGreaterThan(1_000);
    expect(found).toMatchObject({ tooShort: 0, tooLong: 0 });
  },
);
