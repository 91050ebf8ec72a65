import { expect, test } from "vitest";
import * as fc from "fast-check";
import { ALGORITHMS } from "#src/limiter/core/algorithms.ts";
import { micros } from "#src/kit/units.ts";
import {
  attemptCounter,
  AttemptCounts,
  type AttemptWindow,
} from "#src/limiter/store/attempt-counts.ts";
import { levelByNumber, makeRoom, takeByNumber } from "#src/limiter/store/numbered.ts";
import { runByNumber, type RequestBlock } from "#src/limiter/store/numbered-runs.ts";
import { holds, inRuns } from "../../runs.ts";
import { level } from "./budgets.ts";

const CLIENTS = 3;
const START_US = 1_767_607_200_000_000;

interface Sent {
  readonly client: number;
  readonly gapUs: number;
}

/** Requests in blocks, those of a client together; each is later than those of its client before. */
function blocksOf(sent: readonly Sent[], size: number, perUs: number): readonly RequestBlock[] {
  const counters = (["sliding", "from a request", "from the clock"] as const).map((window) => ({
    window,
    counter: attemptCounter(window, perUs),
  }));
  const blocks: RequestBlock[] = [];
  let nowUs = START_US;
  for (let from = 0; from < sent.length; from += size) {
    const rows = sent
      .slice(from, from + size)
      .map(({ client, gapUs }) => ({ client, atUs: (nowUs += gapUs) }))
      .toSorted((a, b) => a.client - b.client);
    const numbered = {
      count: rows.length,
      clients: Int32Array.from(rows, ({ client }) => client),
      atUs: Float64Array.from(rows, ({ atUs }) => atUs),
    };
    const counts = new Map(
      counters.map(({ window, counter }) => [window, counter.count(numbered, CLIENTS).slice()]),
    );
    const attemptsWithin = (window: AttemptWindow): Int32Array => counts.get(window)!;
    blocks.push({ ...numbered, clientCount: CLIENTS, attemptsWithin });
  }
  return blocks;
}

const OPTIONS = [{}, { fixedWindowStart: "clock" as const }, { burst: 6 }];

test("a run refuses the requests that are refused one by one, by every algorithm", () => {
  let compared = 0;
  holds(
    fc.property(
      fc.constantFrom(...ALGORITHMS),
      fc.constantFrom(...OPTIONS),
      fc.constantFrom(0, 0.5, 1, 2, 2.75, 5), // of gcra and the bucket, one with decimals has a loop of its own
      fc.constantFrom(1, 7),
      fc.array(
        fc.record({
          client: fc.nat({ max: CLIENTS - 1 }),
          gapUs: fc.constantFrom(0, 1, 90_000, 333_333, 1_000_000, 7_000_000, 15_000_000),
        }),
        { minLength: 1, maxLength: 120, size: "max" },
      ),
      fc.constantFrom(4, 50),
      (algorithm, options, rate, per, sent, size) => {
        const own = level(algorithm, { rate, per, options });
        const [oneByOne, inTurn] = [levelByNumber(own), levelByNumber(own)];
        const run = inTurn === null ? null : runByNumber(inTurn);
        if (oneByOne === null || run === null) return;
        compared++;
        makeRoom(oneByOne, CLIENTS);
        for (const block of blocksOf(sent, size, own.budget.limit.perUs)) {
          const { count, clients, atUs } = block;
          const refused = new Int32Array(count);
          const refusals = run(block, refused);
          const expected = Array.from({ length: count }, (_, i) => i).filter(
            (i) => takeByNumber(oneByOne, clients[i]!, micros(atUs[i]!)) > 0,
          );
          expect([...refused.subarray(0, refusals)]).toEqual(expected);
        }
      },
    ),
    400,
  );
  expect(compared).toBeGreaterThan(inRuns(200));
});

test("the attempts of a client that keeps sending are held for one window", () => {
  const attempts = new AttemptCounts(10_000_000);
  const count = 20_000;
  const requests = {
    count,
    clients: new Int32Array(count),
    atUs: Float64Array.from({ length: count }, (_, second) => second * 1_000_000),
  };
  expect([...attempts.count(requests, 1).subarray(0, 12)]).toEqual([
    0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 9, 9,
  ]);
  expect(attempts.size).toBe(10);
});
