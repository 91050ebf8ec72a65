// The worst case of a limit reaches the bound that the specification states for its algorithm, and never passes it.
import { expect, test } from "vitest";
import { micros } from "#src/kit/units.ts";
import { SPECIFIED, SPECS } from "#src/limiter/spec/by-algorithm.ts";
import { readOptions } from "#src/limiter/world/options.ts";
import { strictFindings } from "#src/limiter/world/place.ts";
import { worstOfRule } from "#src/studies/diff/worst-of-rule.ts";

const optionsOf = (raw: Readonly<Record<string, unknown>>) =>
  readOptions({ raw, path: [], findings: strictFindings([], []) });

// A leaky bucket delays requests: its bound is about when they leave.
const ALGORITHMS = SPECIFIED.filter((algorithm) => algorithm !== "leaky_bucket");

const LIMITS = [
  [1, 1],
  [10, 1],
  [7, 3],
  [60, 60],
] as const;

test.each(ALGORITHMS.flatMap((algorithm) => LIMITS.map((limit) => [algorithm, ...limit] as const)))(
  "%s with %i in %i s is worst by the bound of its specification",
  (algorithm, rate, seconds) => {
    const limit = { rate, perUs: micros(seconds * 1_000_000) };
    const options = optionsOf({ algorithm });
    const { burst, queue, fixedWindowStart } = options;
    const { most } = SPECS[algorithm].mostInWindow({
      ...limit,
      gateways: 1,
      burst,
      queue,
      fixedWindowStart,
    });
    expect(worstOfRule({ id: "limit", limit, options }, limit.perUs)).toBe(most);
  },
);

test.each([
  [10, 16],
  [1, 7],
])(
  "nginx admits its burst, and %i in a window that its clock of whole milliseconds sees longer",
  (rate, most) => {
    const limit = { rate, perUs: micros(1_000_000) };
    const options = optionsOf({ profile: "nginx", burst: 6 });
    expect(worstOfRule({ id: "limit", limit, options }, limit.perUs)).toBe(most);
  },
);

test("windows of the clock admit a limit before and after their edge", () => {
  const limit = { rate: 5, perUs: micros(60_000_000) };
  const options = optionsOf({ algorithm: "fixed_window", fixed_window_start: "clock" });
  expect(worstOfRule({ id: "limit", limit, options }, limit.perUs)).toBe(10);
});

test("a limit of more than 5,000 is not searched", () => {
  const limit = { rate: 5001, perUs: micros(1_000_000) };
  expect(worstOfRule({ id: "limit", limit, options: optionsOf({}) }, limit.perUs)).toBeNull();
});
