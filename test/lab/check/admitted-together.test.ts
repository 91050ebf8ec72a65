// Decisions of which only spans are known, as of a gateway of others: each may be right by itself, and all of them together
// are too many. Whatever the moments inside the spans, nothing that a right limiter decides may fail.
import * as fc from "fast-check";
import { describe, expect, test } from "vitest";
import type { Algorithm } from "#src/limiter/core/algorithms.ts";
import type { GatewayOptions } from "#src/limiter/core/config.ts";
import { limitOf } from "#src/limiter/core/limit.ts";
import { micros, NEVER } from "#src/kit/units.ts";
import { gap } from "#src/studies/swarm/arbitrary/moments.ts";
import type { Measure } from "#src/lab/scenario/types.ts";
import { reasonOf } from "#src/lab/drivers/stranger.ts";
import { FOREIGN_DRIVER } from "#src/lab/scenario/history.ts";
import type { HistoryText, Row } from "../../histories/history.ts";
import { EVERYTHING, key, type VariantText } from "../../histories/world.ts";
import { holds, inRuns } from "../../runs.ts";
import { level, requestsTo } from "../../limiter/store/budgets.ts";
import { verdictOn } from "./verdict-on.ts";

interface Kind {
  readonly algorithm: Algorithm;
  readonly options?: Partial<GatewayOptions>;
  readonly atOnce: (rate: number) => number; // of a budget that nothing has used
}

const whole = (rate: number): number => rate;

const KINDS: readonly Kind[] = [
  { algorithm: "sliding_log", atOnce: whole },
  { algorithm: "bounded_log", atOnce: whole },
  { algorithm: "fixed_window", atOnce: whole },
  { algorithm: "fixed_window", options: { fixedWindowStart: "clock" }, atOnce: whole },
  { algorithm: "drl", atOnce: whole },
  { algorithm: "token_bucket", atOnce: whole },
  { algorithm: "gcra", options: { burst: 2 }, atOnce: () => 2 },
  { algorithm: "sliding_window_counter", atOnce: whole },
  { algorithm: "leaky_bucket", options: { queue: 3 }, atOnce: () => 4 },
];
const BY_FIRST_REQUEST = KINDS[2]!;
const named = KINDS.map(
  (kind) => [`${kind.algorithm} ${JSON.stringify(kind.options ?? {})}`, kind] as const,
);

const DECISIONS: Measure = {
  kind: "decisions",
  filter: { ...EVERYTHING, status: [200, 429] }, // not what else an upstream may respond
  agreeWith: "oracle",
};
const RULES: readonly Measure[] = [
  { kind: "invariant", rule: "bounds" },
  { kind: "invariant", rule: "refusals" },
  DECISIONS,
];

/** A year, as of the limiter's clock: windows of the clock begin there. */
const EPOCH_S = 365 * 24 * 3600;

const worldWith = ({ algorithm, options = {} }: Kind, rate: number, per = 1): VariantText => ({
  keys: [key("alice", { limit: limitOf(rate, per) })],
  options: { ...options, algorithm },
});

const historyWith = (
  rows: readonly Row[],
  { stepUs = 10_000, isElsewhere = false } = {},
): HistoryText => ({
  rows,
  timing: {
    kind: "bounded",
    jitterUs: micros(10_000),
    maxUs: micros(50_000),
    isStamped: false,
    stepUs: micros(stepUs),
    ...(isElsewhere ? { clockUs: NEVER } : {}),
  },
  epoch: EPOCH_S,
  driver: FOREIGN_DRIVER,
});

const decisionsOn = (kind: Kind, rate: number, rows: readonly Row[], isElsewhere = false) =>
  verdictOn(DECISIONS, historyWith(rows, { isElsewhere }), worldWith(kind, rate));

/** Ten at once, whose spans overlap, of which some are admitted. */
const burst = (admitted: number, at = 0.3): readonly Row[] =>
  Array.from({ length: 10 }, (_, index): Row => ({
    at,
    span: [at, at + 0.03],
    ...(index < admitted ? {} : { status: 429, by: "key" as const }),
  }));

/** As the driver reads a status of a gateway of others. */
const withReason = (row: Row): Row => ({ ...row, reason: reasonOf(row.status ?? 200, 429) });

describe("of ten requests at once", () => {
  test.each(named)("one more than the limit is too many: %s", (_, kind) => {
    const most = kind.atOnce(5);
    expect(decisionsOn(kind, 5, burst(most)).outcome).not.toBe("fail");
    const found = decisionsOn(kind, 5, burst(most + 1));
    expect(found.outcome).toBe("fail");
    expect(found.observed).toMatch(new RegExp(`at most ${most} are allowed$`));
  });

  test.each(named)("a refusal needs as many before it as the limit allows: %s", (_, kind) => {
    const most = kind.atOnce(5);
    expect(decisionsOn(kind, 5, burst(most - 1)).outcome).toBe("fail");
    expect(decisionsOn(kind, 5, burst(0)).outcome).toBe("fail");
  });

  test.each([
    ["admitted", {}],
    ["lost", { lost: "broken" }],
    ["counted before its upstream failed", { status: 502 }],
  ] as const)(
    "of a window that an earlier request may have begun, two budgets but for this request: %s",
    (_, more) => {
      const first: Row = { at: 0, span: [0, 0.01], ...more };
      const isWrong = (admitted: number): boolean => {
        const rows = [first, ...burst(admitted, 0.99)].map((row) => withReason(row));
        return decisionsOn(BY_FIRST_REQUEST, 5, rows).outcome === "fail";
      };
      expect([isWrong(9), isWrong(10)]).toEqual([false, true]);
    },
  );
});

test("windows of the clock begin by one that may differ by 20 ms", () => {
  const [, , , byClock] = KINDS;
  const isWrong = (at: number): boolean => {
    const before = burst(5, at - 0.2).slice(0, 5);
    return decisionsOn(byClock!, 5, [...before, ...burst(5, at)]).outcome === "fail";
  };
  // Five before the edge at 1 s and five after it, of a clock that is ahead, or behind.
  expect([0.945, 0.955, 1, 1.21, 1.25].map(isWrong)).toEqual([true, false, false, false, true]);
});

describe("windows of the clock of another host", () => {
  const [, , , byClock] = KINDS;
  const counter = KINDS.find(({ algorithm }) => algorithm === "sliding_window_counter")!;
  const around = (at: number): readonly Row[] => [
    ...burst(5, at - 0.2).slice(0, 5),
    ...burst(5, at),
  ];

  test.each([0.3, 0.5, 0.71, 1, 1.25])("may end between two bursts, at %d s", (at) => {
    expect(decisionsOn(byClock!, 5, around(at), true).outcome).not.toBe("fail");
  });

  test("end once in a window, at any one phase", () => {
    const rows = [...around(0.5), ...around(1)];
    expect(decisionsOn(byClock!, 5, rows, true).outcome).toBe("fail");
    const inTurn = [...around(0.5), ...around(1.5)];
    expect(decisionsOn(byClock!, 5, inTurn, true).outcome).not.toBe("fail");
  });

  test.each([0.1, 0.3, 0.5, 0.71, 1])("admit too many in a burst at %d s", (at) => {
    expect(decisionsOn(counter, 5, burst(5, at), true).outcome).not.toBe("fail");
    expect(decisionsOn(counter, 5, burst(6, at), true).outcome).toBe("fail");
    // One burst may have the end of a fixed window inside, and two at different phases have not.
    expect(decisionsOn(byClock!, 5, burst(6, at), true).outcome).toBe("inconclusive");
    const twice = [...burst(6, at), ...burst(6, at + 1.3)];
    expect(decisionsOn(byClock!, 5, twice, true).outcome).toBe("fail");
    expect(decisionsOn(byClock!, 4, burst(9, at), true).outcome).toBe("fail");
  });
});

interface Drawn {
  readonly rate: number;
  readonly per: number;
  readonly stepUs: number; // of the limiter's clock
  readonly aheadMs: number; // by which it is ahead of the client's
  readonly isElsewhere: boolean; // on a host whose clock is not known
  readonly gapsUs: readonly number[];
  readonly around: readonly (readonly [number, number])[]; // milliseconds
  readonly fates: readonly Fate[];
}

/** What becomes of a request that the limiter has admitted, and counted: its response may be the upstream's error. */
type Fate = "answered" | "lost" | 404 | 502;

const MOST = 40;
const away = fc.oneof(fc.constant(0), fc.nat(30));
const aheadMs = { near: fc.constantFrom(0, -20, 20), far: fc.integer({ min: -2_000, max: 2_000 }) };
const drawn = fc.boolean().chain((isElsewhere) =>
  fc.record<Drawn>({
    rate: fc.constantFrom(1, 2, 5, 8, 1.5, 3.999999),
    per: fc.constantFrom(0.25, 1, 1.234567),
    stepUs: fc.constantFrom(1, 1_000, 10_000),
    aheadMs: isElsewhere ? aheadMs.far : aheadMs.near,
    isElsewhere: fc.constant(isElsewhere),
    gapsUs: fc.array(fc.oneof({ arbitrary: fc.constant(0), weight: 2 }, gap(3)), {
      minLength: 1,
      maxLength: MOST,
      size: "max",
    }),
    around: fc.array(fc.tuple(away, away), { minLength: MOST, maxLength: MOST }),
    fates: fates(),
  }),
);

function fates(): fc.Arbitrary<readonly Fate[]> {
  const all = fc.constant(Array.from({ length: MOST }, (): Fate => "answered"));
  const one = fc.constantFrom<Fate>("answered", "answered", "lost", 404, 502);
  return fc.oneof(all, fc.array(one, { minLength: MOST, maxLength: MOST, size: "max" }));
}

/** What the limiter decides at each moment, and a span that has this moment inside; in the order of the responses. */
function historyBy(
  { algorithm, options = {} }: Kind,
  { rate, per, stepUs, aheadMs, isElsewhere, gapsUs, around, fates }: Drawn,
): HistoryText {
  const limited = level(algorithm, { rate, per, options });
  const requests = requestsTo();
  let us = 100_000;
  const rows = gapsUs
    .map((gapUs, index): Row => {
      us += gapUs;
      const at = us / 1e6;
      const { refusedBy, delayUs } = requests.at(
        (us - (us % stepUs)) / 1e6 + aheadMs / 1e3,
        limited,
      );
      const [before, after] = around[index]!;
      const fate = refusedBy < 0 ? fates[index]! : "answered";
      // A response that waits for its turn comes later.
      const to = at + (refusedBy < 0 ? delayUs / 1e6 : 0) + after / 1e3;
      return {
        at: at - before / 1e3,
        span: [at - before / 1e3, to],
        ...(refusedBy < 0 ? {} : { status: 429, by: "key" as const }),
        ...(fate === "answered" ? {} : fate === "lost" ? { lost: "broken" } : { status: fate }),
      };
    })
    .map((row) => withReason(row))
    .toSorted((a, b) => a.span![1] - b.span![1]);
  return historyWith(rows, { stepUs, isElsewhere });
}

/** Two windows are counted together with no unit to spare: a bound of sliding_window_counter that is less fails here. */
const WITHOUT_SLACK: Drawn = {
  rate: 1,
  per: 1.234567,
  stepUs: 1,
  aheadMs: 0,
  isElsewhere: false,
  gapsUs: [0, 1_234_566, 250_000, 1_234_566, 500_000, 500_000, 313_061, 7_001, 0],
  around: Array.from({ length: MOST }, () => [0, 0] as const),
  fates: Array.from({ length: MOST }, () => "answered"),
};

describe("what a right limiter decides never fails", () => {
  test.each(named)("%s", (_, kind) => {
    let shown = 0;
    holds(
      fc.property(drawn, (run) => {
        const history = historyBy(kind, run);
        const world = worldWith(kind, run.rate, run.per);
        const verdicts = RULES.map((rule) => verdictOn(rule, history, world));
        const failed = verdicts.filter((verdict) => verdict.outcome === "fail");
        expect(failed.map(({ observed }) => observed)).toEqual([]);
        // One that admits whatever it refused is found, unless the spans explain it.
        const lenient = history.rows!.map(({ by, status, ...row }): Row =>
          withReason({ ...row, ...(by !== undefined || status === undefined ? {} : { status }) }),
        );
        const wrong = verdictOn(DECISIONS, { ...history, rows: lenient }, world);
        shown += Number(wrong.outcome === "fail");
      }),
      60,
      { examples: [[WITHOUT_SLACK]] },
    );
    expect(shown).toBeGreaterThan(inRuns(30));
  });
});
