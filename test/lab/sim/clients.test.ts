// How long a client waits before it sends a refused request again.
import { expect, test } from "vitest";
import { rng } from "#src/kit/chance/rng.ts";
import { secondsToMicros } from "#src/kit/units.ts";
import { patienceUs } from "#src/lab/sim/clients.ts";

const backoff = {
  kind: "backoff",
  baseUs: secondsToMicros(1),
  factor: 2,
  jitter: 0.5,
  maxAttempts: 10,
} as const;
const waitsOf = (behaviour: Parameters<typeof patienceUs>[0], attempt: number): number[] => {
  const chance = rng(1, "clients");
  return Array.from({ length: 1000 }, () => patienceUs(behaviour, attempt, null, chance)!);
};

test("a wait with jitter is never above its maximum, and comes close to it", () => {
  const behaviour = { ...backoff, maxUs: secondsToMicros(8) };
  for (const attempt of [3, 4, 8]) {
    const waits = waitsOf(behaviour, attempt);
    expect(Math.max(...waits)).toBeLessThanOrEqual(8e6);
    expect(Math.max(...waits)).toBeGreaterThan(7.9e6);
    expect(Math.min(...waits)).toBeLessThan(2.8e6); // a third of the maximum
    expect(Math.min(...waits)).toBeGreaterThanOrEqual(8e6 / 3);
  }
});

test("below its maximum a wait spreads around its base, doubled with each attempt", () => {
  for (const [attempt, baseUs] of [
    [0, 1e6],
    [1, 2e6],
    [2, 4e6],
  ] as const) {
    const waits = waitsOf({ ...backoff, maxUs: secondsToMicros(8) }, attempt);
    expect(Math.max(...waits)).toBeLessThan(1.5 * baseUs);
    expect(Math.max(...waits)).toBeGreaterThan(1.49 * baseUs);
    expect(Math.min(...waits)).toBeLessThan(0.51 * baseUs);
  }
  expect(Math.max(...waitsOf(backoff, 8))).toBeGreaterThan(256e6);
});
