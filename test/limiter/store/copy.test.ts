// Decisions on a copy of a memory store change nothing in the original.
import { expect, test } from "vitest";
import { ALGORITHMS, type Algorithm } from "#src/limiter/core/algorithms.ts";
import type { Imitation } from "#src/limiter/core/imitation.ts";
import { client } from "#src/limiter/core/client.ts";
import { micros, SECOND } from "#src/kit/units.ts";
import { copyMemory } from "#src/limiter/store/copy.ts";
import { level, NO_IMITATION, requestsTo, type StoreRequests } from "./budgets.ts";

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
