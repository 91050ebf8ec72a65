import * as fc from "fast-check";
import { describe, expect, test } from "vitest";
import {
  comesFirst,
  eventQueue,
  happenNext,
  isAnyUntil,
  nextTimeUs,
  postpone,
  reserve,
  schedule,
  scheduleAt,
  scheduleNumbered,
} from "#src/lab/sim/event-queue.ts";
import { rng } from "#src/kit/chance/rng.ts";
import { holds } from "../../runs.ts";

/** The times of all events, in their order. */
function timesOf(queue: ReturnType<typeof eventQueue>): readonly number[] {
  const times: number[] = [];
  while (Number.isFinite(nextTimeUs(queue))) {
    times.push(nextTimeUs(queue));
    happenNext(queue);
  }
  return times;
}

describe("an event queue", () => {
  test("gives events by their time, and those of one instant as they were put in", () => {
    holds(
      fc.property(
        fc.array(fc.integer({ min: 0, max: 20 }), { maxLength: 300, size: "max" }),
        (times) => {
          const queue = eventQueue();
          const happened: (readonly [number, number])[] = [];
          times.forEach((us, order) =>
            schedule(queue, us, () => void happened.push([us, order]), null),
          );
          expect(timesOf(queue)).toEqual(times.toSorted((a, b) => a - b));
          const wanted = times.map((us, order) => [us, order] as const);
          expect(happened).toEqual(wanted.toSorted(([a, i], [b, j]) => a - b || i - j));
        },
      ),
      300,
    );
  });

  test("takes in events while it gives others out", () => {
    holds(
      fc.property(
        fc.array(fc.tuple(fc.nat(9), fc.nat(9)), { maxLength: 60, size: "max" }),
        (pairs) => {
          const queue = eventQueue();
          let now = 0;
          let left = pairs.length;
          const happened: number[] = [];
          const ends = (): void => {
            happened.push(now);
            left--;
          };
          const begins = (afterUs: number): void => {
            happened.push(now);
            schedule(queue, now + afterUs, ends, null);
          };
          for (const [us, afterUs] of pairs) schedule(queue, us, begins, afterUs);
          while (Number.isFinite(nextTimeUs(queue))) {
            now = nextTimeUs(queue);
            happenNext(queue);
          }
          expect(left).toBe(0);
          expect(happened).toEqual(happened.toSorted((a, b) => a - b));
        },
      ),
      300,
    );
  });

  // More events than are near: most of them wait in groups.
  test.each([1, 1_000, 1_000_000, 2 ** 40])(
    "gives very many events within %d us in their order, also those that others add",
    (withinUs) => {
      const chance = rng(1, "test/event-queue");
      const queue = eventQueue();
      const happened: (readonly [number, number])[] = [];
      let nowUs = 0;
      let misplaced = 0; // counted: an `expect` for each event takes longer than the queue
      const add = (us: number): void => {
        const place = scheduleNumbered(queue, us, queue.issued, 1);
        if (place !== queue.issued - 1) misplaced++;
      };
      queue.onNumbered = (place) => {
        happened.push([nowUs, place]);
        if (happened.length % 2 === 0) add(nowUs + chance.int(withinUs));
      };
      for (let event = 0; event < 20_000; event++) add(chance.int(withinUs));
      while (Number.isFinite(nextTimeUs(queue))) {
        if (happened.length === 10_000) postpone(queue, 7);
        nowUs = nextTimeUs(queue);
        happenNext(queue);
      }
      expect(misplaced).toBe(0);
      expect(happened.length).toBeGreaterThan(39_000);
      const isLate = ([us, place]: readonly [number, number], at: number): boolean =>
        at > 0 && (us - happened[at - 1]![0] || place - happened[at - 1]![1]) < 0;
      expect(happened.findIndex(isLate)).toBe(-1);
    },
  );

  test("is as quick with very many events of one instant as of many", () => {
    const takesMs = (withinUs: number): number => {
      const queue = eventQueue();
      const startMs = performance.now();
      for (let event = 0; event < 20_000; event++)
        scheduleNumbered(queue, event % withinUs, event, 1);
      queue.onNumbered = () => {};
      while (Number.isFinite(nextTimeUs(queue))) happenNext(queue);
      return performance.now() - startMs;
    };
    const manyMs = Math.max(takesMs(20_000), takesMs(20_000));
    // Moving all of them for each further one takes some hundred times as long.
    expect(Math.min(takesMs(1), takesMs(1))).toBeLessThan(30 * manyMs);
  });

  test("lets happen at a reserved place what was put in late", () => {
    const queue = eventQueue();
    const happened: string[] = [];
    const what = (name: string): void => void happened.push(name);
    schedule(queue, 5, what, "first");
    const place = reserve(queue);
    for (const name of ["third", "fourth", "fifth"]) schedule(queue, 5, what, name);
    scheduleAt(queue, 5, place, what, "second");
    while (Number.isFinite(nextTimeUs(queue))) happenNext(queue);
    expect(happened).toEqual(["first", "second", "third", "fourth", "fifth"]);
  });

  test.each([
    ["before its time", 4, 9, false],
    ["before its place", 5, 0, false],
    ["at its place", 5, 1, true],
    ["after it", 6, 0, true],
  ])("knows what is left to happen until an event %s", (_, atUs, place, isAny) => {
    const queue = eventQueue();
    expect(isAnyUntil(queue, atUs, place)).toBe(false);
    reserve(queue);
    schedule(queue, 5, () => {}, null);
    expect(isAnyUntil(queue, atUs, place)).toBe(isAny);
  });

  test("compares its next event with that of another queue, also of one instant", () => {
    const queue = eventQueue();
    const other = eventQueue();
    const nothing = (): void => {};
    expect(comesFirst(queue, other)).toBe(false);
    scheduleAt(other, 5, reserve(queue), nothing, null);
    expect([comesFirst(queue, other), comesFirst(other, queue)]).toEqual([false, true]);
    schedule(queue, 5, nothing, null);
    expect([comesFirst(queue, other), comesFirst(other, queue)]).toEqual([false, true]);
    postpone(other, 1);
    expect([comesFirst(queue, other), comesFirst(other, queue)]).toEqual([true, false]);
  });

  test("has nothing before it where it is empty", () => {
    expect(nextTimeUs(eventQueue())).toBe(Number.POSITIVE_INFINITY);
  });
});
