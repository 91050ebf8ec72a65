// What power.test.ts shows, for every pool and number of gates, for fresh processes, and for runs until they are decided:
// `npm run power`.
import { median } from "simple-statistics";
import { describe, expect, test } from "vitest";
import { DEFAULT_PAIRS } from "#src/studies/bench/against/design.ts";
import { decidePairs, pairsFor, type GatePairs } from "#src/studies/bench/against/pair-verdicts.ts";
import { looksFor, type GateDecision } from "#src/studies/bench/against/until.ts";
import { METRICS } from "#src/studies/bench/suite.ts";
import { addChange, drawFresh, freshPairs, POOL_METRICS } from "./pools.ts";
import {
  count,
  countFixed,
  drawsOf,
  leastOf,
  question,
  until,
  type Counted,
} from "./simulated-runs.ts";

describe("with the default number of pairs", () => {
  test.each(["quiet.json", "busy.json"])(
    "fewer than 5 of 100 runs of equal gateways of %s raise an alarm",
    (name) => {
      for (const gates of [2, 4] as const)
        expect(countFixed(name, { pairs: DEFAULT_PAIRS, gates, slower: 0 }).alarms).toBeLessThan(5);
    },
  );

  test("10 % is found in 95 of 100 runs on the quiet pool, whichever gate it is", () => {
    for (const gates of [2, 4] as const) {
      const { regressed } = countFixed("quiet.json", { pairs: DEFAULT_PAIRS, gates, slower: 0.1 });
      expect(Math.min(...regressed)).toBeGreaterThanOrEqual(95);
    }
  });

  test("5 % is not, and a run prints the number of pairs that finding it takes", () => {
    const few = countFixed("quiet.json", { pairs: DEFAULT_PAIRS, gates: 2, slower: 0.05 });
    expect(Math.max(...few.regressed)).toBeLessThan(80);
    const needed = median(few.verdicts.map(([first]) => pairsFor(first!.evidence!, 0.05)));
    const enough = countFixed("quiet.json", { pairs: needed, gates: 2, slower: 0.05 });
    expect(enough.regressed[0]).toBeGreaterThanOrEqual(95);
    // Half of them would do for a change that is half as large again, so the estimate is not merely large.
    expect(needed).toBeLessThan(4 * DEFAULT_PAIRS);
  });

  test.each(["quiet.json", "busy.json"])(
    "the least change that runs on %s print is found 95 times of 100, and half of it is not",
    (name) => {
      const order = { pairs: DEFAULT_PAIRS, gates: 2 } as const;
      const printed = leastOf(countFixed(name, { ...order, slower: 0 }));
      expect(countFixed(name, { ...order, slower: printed }).regressed[0]).toBeGreaterThanOrEqual(
        95,
      );
      expect(countFixed(name, { ...order, slower: printed / 2 }).regressed[0]).toBeLessThan(80);
    },
  );

  test("on the busy pool a change that is not found is unclear, and never the same", () => {
    const { regressed, same } = countFixed("busy.json", {
      pairs: DEFAULT_PAIRS,
      gates: 2,
      slower: 0.1,
    });
    expect(Math.max(...regressed)).toBeLessThan(80);
    expect(same).toEqual([0, 0]);
  });
});

const recorded = freshPairs();

// Recorded by npm run bench:pool.
describe("pairs of fresh processes", () => {
  const ofFresh = (pairs: number, slower: number): Counted =>
    count(`fresh ${pairs} ${slower}`, drawsOf(slower), (random) => {
      const gates = drawFresh(recorded, pairs, random).map((all, at): GatePairs => {
        const { better } = METRICS[POOL_METRICS[at]!];
        return { pairs: addChange(all, (better === "less" ? 1 : -1) * Math.log1p(slower)), better };
      });
      return decidePairs(gates, question, random);
    });

  test("fewer than 5 of 100 runs of equal gateways raise an alarm", () => {
    expect(ofFresh(DEFAULT_PAIRS, 0).alarms).toBeLessThan(5);
  });

  // How many that takes depends on the machine: this pool scatters more than the quiet one.
  test("10 % is found in 95 of 100 runs with the number of pairs that a run of the default size prints", () => {
    const { verdicts } = ofFresh(DEFAULT_PAIRS, 0.1);
    const pairs = verdicts.map((gates) =>
      Math.max(...gates.map(({ evidence }) => pairsFor(evidence!, 0.1))),
    );
    expect(median(pairs)).toBeGreaterThan(DEFAULT_PAIRS);
    expect(Math.min(...ofFresh(median(pairs), 0.1).regressed)).toBeGreaterThanOrEqual(95);
  });
});

describe("until it is decided", () => {
  test.each([0.05, 0.1])(
    "fewer than 5 of 100 runs of equal quiet gateways raise an alarm until %d, and nearly all end before the last pair",
    (wanted) => {
      const { alarms, same, verdicts } = until("quiet.json", wanted, 0);
      expect(alarms).toBeLessThan(5);
      expect(same[0]).toBeGreaterThanOrEqual(90);
      const decidedAt = verdicts.map(([first]) => (first as GateDecision).decidedAt ?? 1_000);
      expect(median(decidedAt)).toBeLessThanOrEqual(0.75 * looksFor(wanted).most);
    },
  );

  test("no more runs of equal busy gateways do, within the precision of this number of runs", () => {
    // Gates that have little in common, as there, come near to the 5 that all of them may cost together.
    const strays = 200 * Math.sqrt((0.05 * 0.95) / drawsOf(0));
    expect(until("busy.json", 0.1, 0).alarms).toBeLessThan(5 + strays);
  });

  test.each([0.05, 0.1])(
    "a change of %d is found in 95 of 100 runs on the quiet pool",
    (wanted) => {
      const { regressed } = until("quiet.json", wanted, wanted);
      expect(Math.min(...regressed)).toBeGreaterThanOrEqual(95);
    },
  );
});
