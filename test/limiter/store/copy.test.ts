// Decisions on a copy of a memory store change nothing in the original.
import { expect, test } from "vitest";
import { ALGORITHMS, type Algorithm } from "#src/limiter/core/algorithms.ts";
import type { Imitation } from "#src/limiter/core/imitation.ts";
import { client } from "#src/limiter/core/client.ts";
import { micros, SECOND } from "#src/kit/units.ts";
import { copyMemory, counters, type Counters } from "#src/limiter/store/copy.ts";
import { emptyReply } from "#src/limiter/core/store.ts";
import { atUs, level, NO_IMITATION, requestsTo, type StoreRequests } from "./budgets.ts";

const BLOCKING: Imitation = {
  ...NO_IMITATION,
  windowStart: "first_of_key",
  blockUs: micros(2 * SECOND),
};

const CASES: readonly (readonly [Algorithm, Imitation | null])[] = [
  ...ALGORITHMS.map((algorithm) => [algorithm, null] as const),
  ["fixed_window", BLOCKING],
];

test.each(CASES)("requests to a copy spend nothing of the original: %s", (algorithm, imitation) => {
  const one = level(algorithm, { rate: 4, per: 1, options: { imitation, burst: "rate" } });
  const send = (to: StoreRequests, seconds: readonly number[]): readonly boolean[] =>
    seconds.map((at) => to.at(at, one).refusedBy < 0);
  const [past, next] = [
    [0, 0.1],
    [0.2, 0.3, 0.3, 0.3, 0.3, 0.3, 0.4, 0.5, 1.2, 1.3, 2],
  ];
  const [original, other] = [requestsTo(), requestsTo()];
  send(original, past);
  send(other, past);
  const copied = send(requestsTo(copyMemory(original.store)), next);
  const expected = send(other, next);
  expect(copied).toEqual(expected);
  expect(expected).toContain(false);
  expect(send(original, next)).toEqual(expected);
});

test("a copied log still has its newest request after another client has joined it", () => {
  const one = level("sliding_log", { rate: 1, per: 10 });
  const original = requestsTo();
  original.at(0, one);
  const copy = requestsTo(copyMemory(original.store));
  expect(copy.at(10.5, one).refusedBy).toBe(-1);
  copy.as(client("bob"), 11, "spend", one);
  expect(copy.at(12, one).refusedBy).toBe(0);
});

test.each(CASES)("levels that are copied with their counters: %s", (algorithm, imitation) => {
  const options = { imitation, burst: "rate" } as const;
  const two = [4, 3].map((rate) => level(algorithm, { rate, per: rate, options }));
  const send = ({ levels }: Counters, seconds: readonly number[]): readonly number[] => {
    const alice = client("alice");
    return seconds.map((at) => {
      const { refusedBy } = levels.take(alice, atUs(at), "spend", emptyReply(), 1);
      for (const index of algorithm === "sentinel" ? [0, 1] : [])
        if (refusedBy < 0 || refusedBy === index)
          levels.mark(index, alice, atUs(at), emptyReply(), 1);
      return refusedBy;
    });
  };
  const [past, next] = [
    [0, 0.1],
    [0.2, 0.3, 0.3, 2.5, 3.2, 3.2, 3.2, 3.2, 3.3, 4.5, 4.6],
  ];
  const [original, other] = [counters(two), counters(two)];
  send(original, past);
  const copied = send(original.copy(), next);
  send(other, past);
  const expected = send(other, next);
  expect(copied).toEqual(expected);
  expect(expected).toContain(1);
  expect(send(original.copy().copy(), next)).toEqual(expected);
  expect(send(original, next)).toEqual(expected);
});
