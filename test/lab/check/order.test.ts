import * as fc from "fast-check";
import { expect, test } from "vitest";
import { longestAllowedPrefix, type TimedRequest } from "#src/lab/check/order.ts";
import { holds } from "../../runs.ts";

/** Every order in which no request comes after one that began only when it was over. */
function* ordersOf(left: readonly TimedRequest[]): Generator<readonly TimedRequest[]> {
  if (left.length === 0) yield [];
  for (const next of left) {
    if (left.some((other) => other.toUs < next.fromUs)) continue;
    for (const rest of ordersOf(left.filter((one) => one !== next))) yield [next, ...rest];
  }
}

const placed = fc.array(
  fc.record({ fromUs: fc.nat(9), lastsUs: fc.nat(6), what: fc.constantFrom("200", "429") }),
  { minLength: 1, maxLength: 6 },
);

test("a sequence is found exactly if some allowed order gives it", () => {
  holds(
    fc.property(
      placed,
      fc.array(fc.constantFrom("200", "429"), { minLength: 6, maxLength: 6 }),
      (drawn, words) => {
        const requests = drawn.map(({ fromUs, lastsUs, what }, row) => ({
          row,
          fromUs,
          toUs: fromUs + lastsUs,
          what,
        }));
        const expected = words.slice(0, requests.length);
        const text = expected.join();
        const isPossible = [...ordersOf(requests)].some(
          (order) => order.map(({ what }) => what).join() === text,
        );
        expect(longestAllowedPrefix(requests, expected) === expected.length).toBe(isPossible);
      },
    ),
    300,
  );
});

test("of two possible requests, the one that ends sooner comes first", () => {
  const spans = [
    [0, 10, "200"],
    [0, 1, "200"],
    [5, 6, "429"],
  ] as const;
  const requests = spans.map(([fromUs, toUs, what], row) => ({ row, fromUs, toUs, what }));
  expect(longestAllowedPrefix(requests, ["200", "429", "200"])).toBe(3);
});
