// Injected faults of the store that overlap.
import { expect, test } from "vitest";
import { orders, play } from "./plays.ts";

/** How long each request takes, in milliseconds: there is one a second, and the store is 1 ms away. */
function tripsMs(...faults: readonly object[]): readonly number[] {
  const { requests } = play({
    world: {
      apis: orders(),
      keys: { alice: { apis: ["orders"], rate: 1000, per: 1 } },
      store: { latency: "1ms" },
    },
    traffic: [{ as: "alice", send: "GET /orders", every: "1s", count: 6, at: "500ms" }],
    faults,
  });
  return Array.from(requests.answeredUs, (us, row) => (us - requests.sentUs[row]!) / 1000);
}

const slow = (at: string, lasting: string, latency: string): object => ({
  at,
  for: lasting,
  store: { latency },
});

test("while two slow stores overlap the later one counts, and each ends by itself", () => {
  expect(tripsMs(slow("1s", "4s", "20ms"), slow("2s", "1s", "45ms"))).toEqual([
    2, 40, 90, 40, 40, 2,
  ]);
  expect(tripsMs(slow("1s", "2s", "20ms"), slow("2s", "3s", "45ms"))).toEqual([
    2, 40, 90, 90, 90, 2,
  ]);
});
