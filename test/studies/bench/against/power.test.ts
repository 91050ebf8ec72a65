// Whether `weir bench --against` keeps its promise, on measured repeats: between equal gateways fewer than 5 alarms in 100
// runs, and 10 % found in 95 of 100 runs with the default number of pairs. What takes longer is in power-in-full.test.ts.
import { describe, expect, test } from "vitest";
import { DEFAULT_PAIRS } from "#src/studies/bench/against/design.ts";
import { countFixed } from "./simulated-runs.ts";

describe("with the default number of pairs, on the quiet pool", () => {
  test("fewer than 5 of 100 runs of equal gateways raise an alarm", () => {
    const { alarms } = countFixed("quiet.json", { pairs: DEFAULT_PAIRS, gates: 2, slower: 0 });
    expect(alarms).toBeLessThan(5);
  });

  test("10 % is found in 95 of 100 runs", () => {
    const { regressed } = countFixed("quiet.json", { pairs: DEFAULT_PAIRS, gates: 2, slower: 0.1 });
    expect(Math.min(...regressed)).toBeGreaterThanOrEqual(95);
  });
});
