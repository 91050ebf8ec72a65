import * as fc from "fast-check";
import { describe, expect, test } from "vitest";
import { eventQueue, nextTimeUs, schedule, takeNext } from "../../src/sim/event-queue.ts";

/** Everything that happens, in the order in which it does, and when. */
function drained(queue: ReturnType<typeof eventQueue>): readonly number[] {
  const times: number[] = [];
  while (queue.size > 0) {
    times.push(nextTimeUs(queue));
    takeNext(queue)();
  }
  return times;
}

describe("an event queue", () => {
  test("gives events by their time, and those of one instant as they were put in", () => {
    fc.assert(
      fc.property(fc.array(fc.integer({ min: 0, max: 20 }), { maxLength: 300 }), (times) => {
        const queue = eventQueue();
        const happened: (readonly [number, number])[] = [];
        times.forEach((us, order) => schedule(queue, us, () => void happened.push([us, order])));
        expect(drained(queue)).toEqual(times.toSorted((a, b) => a - b));
        const wanted = times.map((us, order) => [us, order] as const);
        expect(happened).toEqual(wanted.toSorted(([a, i], [b, j]) => a - b || i - j));
      }),
      { seed: 1, numRuns: 300 },
    );
  });

  test("takes in events while it gives others out", () => {
    fc.assert(
      fc.property(fc.array(fc.tuple(fc.nat(9), fc.nat(9)), { maxLength: 60 }), (pairs) => {
        const queue = eventQueue();
        let now = 0;
        let left = pairs.length;
        const happened: number[] = [];
        for (const [us, afterUs] of pairs)
          schedule(queue, us, () => {
            happened.push(now);
            schedule(queue, now + afterUs, () => {
              happened.push(now);
              left--;
            });
          });
        while (queue.size > 0) {
          now = nextTimeUs(queue);
          takeNext(queue)();
        }
        expect(left).toBe(0);
        expect(happened).toEqual(happened.toSorted((a, b) => a - b));
      }),
      { seed: 1, numRuns: 300 },
    );
  });

  test("has nothing before it where it is empty", () => {
    expect(nextTimeUs(eventQueue())).toBe(Number.POSITIVE_INFINITY);
  });
});
