// The hour in which a limit refuses most, against decisions one by one; and how many clients and requests it may have.
import { expect, test } from "vitest";
import * as fc from "fast-check";
import { micros, SECOND } from "#src/kit/units.ts";
import { LoggedTraffic } from "#src/studies/recommend/traffic.ts";
import { findWorstHour } from "#src/studies/recommend/worst-hour.ts";
import { AS_LOGGED } from "#src/studies/replay/placements.ts";
import { holdsUntil } from "../../runs.ts";
import { decideOneByOne, limitOf } from "./one-by-one.ts";
import {
  ALGORITHM_RULES,
  arrivalsOf,
  namesOf,
  PROFILE_RULES,
  START_US,
  trafficOf,
  type SentRequest,
} from "./traffic.ts";

const HOUR = 3600 * SECOND;
const [RULE] = ALGORITHM_RULES;
const TWO = limitOf(RULE!, { rate: 2, perUs: micros(13 * SECOND) });

function worstOf(limit: typeof TWO, requests: readonly SentRequest[], clients: number) {
  const { names } = namesOf(clients);
  const decided = { columns: trafficOf(requests).columns(AS_LOGGED, clients), names };
  const all = Int32Array.from({ length: clients }, (_, client) => client);
  const { startUs, clients: shown, clientsLeftOut } = findWorstHour(limit, decided, all);
  const rows = shown.map(({ name, timesUs, refused }) => {
    return { client: names.indexOf(name), requests: timesUs.length, refused };
  });
  return { startUs, rows, clientsLeftOut };
}

const burst = (client: number, atUs: number, count: number): readonly SentRequest[] =>
  Array.from({ length: count }, () => ({ atUs, client }));
const byTime = (requests: readonly SentRequest[]) => requests.toSorted((a, b) => a.atUs - b.atUs);

test("an hour shows at most 200 clients, those that are refused most", () => {
  const requests = Array.from({ length: 203 }, (_, client) =>
    burst(client, START_US, client < 3 ? 3 : 4),
  ).flat();
  const { rows, clientsLeftOut } = worstOf(TWO, requests, 203);
  expect([rows.length, clientsLeftOut]).toEqual([200, 3]);
  expect(rows.every(({ refused, client }) => refused === 2 && client > 2)).toBe(true);
});

test.each([
  [15_000, 5_000, [15_000, 5_000]],
  [15_000, 5_001, [15_000]],
  [20_001, 1, [20_001]], // the first client is shown in any case
])("of clients with %i and %i requests in an hour %j are shown", (most, other, expected) => {
  const requests = byTime([...burst(1, START_US, most), ...burst(0, START_US + 5, other)]);
  const { rows, clientsLeftOut } = worstOf(TWO, requests, 2);
  expect(rows.map((row) => row.requests)).toEqual(expected);
  expect(clientsLeftOut).toBe(2 - expected.length);
});

const spread = fc
  .array(fc.tuple(fc.nat(3 * 60), fc.nat(4), fc.integer({ min: 1, max: 5 })), {
    minLength: 1,
    maxLength: 30,
    size: "max",
  })
  .map((drawn) =>
    byTime(
      drawn.flatMap(([minute, client, count]) =>
        burst(client, START_US + minute * 60 * SECOND, count),
      ),
    ),
  );

test("the worst hour has the most refusals, or the most requests if nothing is refused", async () => {
  const examined = { refused: 0, unrefused: 0 };
  await holdsUntil(
    15,
    () => Math.min(examined.refused / 2, examined.unrefused),
    fc.property(
      spread,
      fc.constantFrom(...ALGORITHM_RULES, ...PROFILE_RULES),
      fc.integer({ min: 1, max: 6 }),
      (requests, rule, rate) => {
        const limit = limitOf(rule, { rate, perUs: micros(13 * SECOND) });
        const hourOf = ({ atUs }: SentRequest): number => Math.floor(atUs / HOUR);
        const hours = [...new Set(requests.map(hourOf))];
        // Bursts are a minute apart: counters of one hour change nothing in the next one.
        const refusedOf = new Map(
          hours.map((hour) => {
            const own = requests.filter((each) => hourOf(each) === hour);
            return [hour, decideOneByOne(limit, own)] as const;
          }),
        );
        const heights = hours.map((hour) => refusedOf.get(hour)!.goodRequests);
        const sizes = hours.map((hour) => requests.filter((each) => hourOf(each) === hour).length);
        const compared = Math.max(...heights) > 0 ? heights : sizes;
        const worst = hours[compared.indexOf(Math.max(...compared))]!;
        const { startUs, rows, clientsLeftOut } = worstOf(limit, requests, 5);
        expect([startUs, clientsLeftOut]).toEqual([worst * HOUR, 0]);
        const expected = [0, 1, 2, 3, 4].map((client) => ({
          client,
          requests: requests.filter((each) => each.client === client && hourOf(each) === worst)
            .length,
          refused: refusedOf.get(worst)!.refusedOf.get(client)?.good ?? 0,
        }));
        expect(rows).toEqual(
          expected
            .filter((row) => row.requests > 0)
            .toSorted((a, b) => b.refused - a.refused || b.requests - a.requests),
        );
        examined.refused += Number(Math.max(...heights) > 0);
        examined.unrefused += Number(Math.max(...heights) === 0);
      },
    ),
    40,
  );
});

test("traffic is full with one request more than are searched", () => {
  const traffic = new LoggedTraffic(false, 5);
  traffic.decide(arrivalsOf(burst(0, START_US, 3)));
  traffic.decide(arrivalsOf(burst(0, START_US, 2)));
  expect(traffic.isFull).toBe(false);
  traffic.decide(arrivalsOf(burst(0, START_US, 1)));
  expect([traffic.isFull, traffic.requests]).toEqual([true, 6]);
});
