import { describe, expect, test } from "vitest";
import { limitOf } from "#src/limiter/core/limit.ts";
import { micros, SECOND } from "#src/kit/units.ts";
import type { Fault, Invariant } from "#src/lab/scenario/types.ts";
import { BOUNDED, rowsOf, type HistoryText, type Row } from "../../histories/history.ts";
import { configuration, key, policy, type VariantText } from "../../histories/world.ts";
import { verdictOn } from "./verdict-on.ts";

const outcome = (rule: Invariant, history: HistoryText, variant: VariantText) =>
  verdictOn({ kind: "invariant", rule }, history, variant);

const world = (rate: number, options: VariantText["options"] = {}): VariantText => ({
  keys: [key("alice", { limit: limitOf(rate, 1) })],
  options,
});

describe("what a budget may admit in a window", () => {
  const bounds = (rows: readonly Row[], variant: VariantText, more: HistoryText = {}): string =>
    outcome("bounds", { rows, ...more }, variant).outcome;
  const many = (count: number, more: Partial<Row> = {}) => rowsOf(`${count}*200`, 0, 0, more);

  test.each<[string, VariantText["options"], number, Partial<Row>, number]>([
    ["a share of two", { algorithm: "drl" }, 5, { fleet: 2 }, 3],
    ["a share that is one at least", { algorithm: "drl" }, 1, { fleet: 2 }, 1],
    ["a share of one", { algorithm: "drl" }, 1, { fleet: 1 }, 1],
    ["a bounded log", { algorithm: "bounded_log" }, 2, {}, 2],
    ["a log as single commands", { algorithm: "non_transactional" }, 2, {}, 2],
    ["a sentinel, where nothing takes time", { algorithm: "sentinel" }, 2, {}, 2],
    ["a bucket that pays back decimals", { algorithm: "token_bucket" }, 1.5, {}, 2],
  ])("%s", (_, options, rate, more, most) => {
    const at = (count: number) => bounds(many(count, more), world(rate, options));
    expect([at(most), at(most + 1)]).toEqual(["pass", "fail"]);
  });

  test.each(["drl", "token_bucket", "gcra", "sliding_log"] as const)(
    "nothing of 0: %s",
    (algorithm) => {
      const found = outcome("bounds", { rows: many(1) }, world(0, { algorithm }));
      expect(found).toMatchObject({ outcome: "fail", examined: 1 });
      expect(found.observed).toMatch(/at most 0 are allowed$/);
    },
  );

  test("is the largest share that it had", () => {
    const [alone, together] = [{ fleet: 1 }, { fleet: 2 }];
    const drl = world(4, { algorithm: "drl" });
    expect(bounds([...many(2, alone), ...many(3, together)], drl)).toBe("pass");
    expect(bounds([...many(2, together), ...many(3, alone)], drl)).toBe("pass");
    expect(bounds([...many(2, together), ...many(3, together)], drl)).toBe("fail");
  });

  describe("and those in flight at the same time", () => {
    const sentinel = world(1, { algorithm: "sentinel" });
    const flying = (at: number): Row => ({ at, answered: at + 0.1 });

    test("for twice the response time, because the write follows the response", () => {
      expect(bounds([flying(0), flying(0.2), flying(0.9)], sentinel)).toBe("pass");
      expect(bounds([flying(0), flying(0.201), flying(0.9)], sentinel)).toBe("fail");
    });

    test("counted from when each was sent", () => {
      expect(bounds([flying(0.5), flying(0.7), flying(1.4)], sentinel)).toBe("pass");
      expect(bounds([flying(0.5), flying(0.701), flying(1.4)], sentinel)).toBe("fail");
    });

    test("requests that take no time", () => {
      expect(bounds([...many(3), flying(0)], sentinel)).toBe("pass");
      expect(bounds(many(4), sentinel)).toBe("fail");
    });

    test("of a log as single commands too", () => {
      const commands = world(1, { algorithm: "non_transactional" });
      expect(bounds([flying(0), flying(0), flying(0)], commands)).toBe("pass");
    });
  });

  describe("with clocks that differ", () => {
    const ahead = (by: number, count: number): Row[] => [
      { at: 0, stamp: by },
      ...many(count, { at: 0.01, stamp: 0 }),
    ];

    test("by three quarters of a window, is four windows' worth", () => {
      expect([bounds(ahead(0.75, 3), world(1)), bounds(ahead(0.75, 4), world(1))]).toEqual([
        "pass",
        "fail",
      ]);
    });

    test("by more than a window, is unbounded, unless the rate is zero", () => {
      expect(bounds(ahead(2, 9), world(1))).toBe("pass");
      expect(bounds(ahead(2, 1), world(0))).toBe("fail");
    });
  });

  test("is certain only of requests that are certainly in the window", () => {
    const spanning: Row = { at: 0, span: [0, 0.5] };
    const open = [spanning, { at: 0.6 }, { at: 1 }];
    const timing = BOUNDED;
    expect(bounds(open, world(2), { timing })).toBe("inconclusive");
    const sure = [{ at: 5 }, { at: 5.1 }, { at: 5.2 }];
    expect(bounds([...open, ...sure], world(2), { timing })).toBe("fail");
  });

  describe("is larger by each loss of state between the first and the last request", () => {
    const restart = (kind: "store_restart" | "gateway_restart", at: number): readonly Fault[] => {
      const atUs = micros(at * SECOND);
      return kind === "store_restart" ? [{ kind, atUs }] : [{ kind, atUs, node: 0 }];
    };
    const two = [...many(2), ...rowsOf("2*200", 0.6, 0)];

    test.each([
      [0, "pass"],
      [0.6, "pass"],
      [0.7, "fail"],
    ])("a store that restarts at %d s: %s", (at, expected) => {
      const faults = restart("store_restart", at);
      expect(bounds(two, { ...world(2), faults })).toBe(expected);
    });

    test.each([
      [0.5, "pass"],
      [0.7, "fail"],
    ])("a limit that changes at %d s: %s", (at, expected) => {
      const changed = configuration({ keys: [key("alice", { limit: limitOf(2, 1) })] });
      const faults = [
        { kind: "configure", atUs: micros(at * SECOND), configuration: changed },
      ] as const;
      expect(bounds(two, { ...world(2), faults })).toBe(expected);
    });

    test("a gateway that restarts, for its own counters", () => {
      const of = (count: number, options: VariantText["options"]) =>
        bounds([...many(3), ...rowsOf(`${count}*200`, 0.6, 0)], {
          ...world(2, options),
          faults: restart("gateway_restart", 0.5),
        });
      expect([of(2, { algorithm: "drl" }), of(3, { algorithm: "drl" })]).toEqual(["pass", "fail"]);
      expect(of(2, { algorithm: "fixed_window" })).toBe("fail");
    });
  });
});

describe("when a budget may refuse", () => {
  const refused = { status: 429, by: "key" as const };
  const refusals = (
    rows: readonly Row[],
    variant: VariantText = world(2),
    more: HistoryText = {},
  ) => outcome("refusals", { rows, ...more }, variant);

  test("lost requests may have counted before", () => {
    const rows = [{ at: 0 }, { at: 0.1, ...refused }];
    expect(refusals(rows)).toMatchObject({ outcome: "fail", examined: 1 });
    const loseAt = (at: number, answered = 0.2): Row => ({ at, answered, lost: "ended" });
    const outcomeWith = (...more: Row[]) => refusals([...rows, ...more]).outcome;
    expect([outcomeWith(loseAt(0.05)), outcomeWith(loseAt(0.1))]).toEqual(["pass", "pass"]);
    // Sent after the refusal, or not taken by any gateway: it has not counted before.
    expect([outcomeWith(loseAt(0.11)), outcomeWith({ at: 0.05, lost: "unreachable" })]).toEqual([
      "fail",
      "fail",
    ]);
    expect(refusals([...rows, loseAt(0.05)], world(3)).outcome).toBe("fail");
    expect(refusals([...rows, loseAt(0.04), loseAt(0.05)], world(3)).outcome).toBe("pass");
  });

  test.each<[string, VariantText]>([
    ["another limit", { keys: [key("alice", { limit: limitOf(9, 9) })] }],
    ["no limit", { keys: [key("alice", { limit: null })] }],
  ])("a request that is lost after a change to %s may have counted before it", (_, changed) => {
    const atUs = micros(0.15 * SECOND);
    const faults = [{ kind: "configure", atUs, configuration: configuration(changed) }] as const;
    const rows: readonly Row[] = [{ at: 0 }, { at: 0.1, ...refused }];
    const lost: Row = { at: 0.05, answered: 0.2, lost: "ended" };
    const of = (more: readonly Row[]) =>
      refusals([...rows, ...more], { ...world(2), faults }).outcome;
    expect([of([lost]), of([]), of([{ ...lost, lost: "unreachable" }])]).toEqual([
      "pass",
      "fail",
      "fail",
    ]);
    const alone = outcome("bounds", { rows: [lost] }, { ...world(2), faults });
    expect(alone.outcome).toBe("vacuous");
  });

  test("a quota as a rate", () => {
    const quota = { max: 2, renewalUs: micros(SECOND) };
    const variant = { keys: [key("alice", { limit: limitOf(9, 1), quota })] };
    const over = { at: 0.1, status: 403, reason: "quota", by: "quota" } as const;
    expect(refusals([...rowsOf("2*200", 0, 0), over], variant).outcome).toBe("pass");
    expect(refusals([{ at: 0 }, over], variant).outcome).toBe("fail");
  });

  test("a refusal without a budget, or for access, is not examined", () => {
    expect(refusals([{ at: 0, status: 429 }]).outcome).toBe("vacuous");
    expect(refusals([{ at: 0, status: 403, reason: "access", by: "key" }]).outcome).toBe("vacuous");
  });

  test("nor one while the store is unreachable, or while a throttled client waits", () => {
    const rows = [{ at: 5, ...refused }];
    const down = { what: "store_down", gateway: null, text: "" } as const;
    const spans = [{ ...down, fromUs: micros(4 * SECOND), toUs: micros(6 * SECOND) }];
    expect(refusals(rows).outcome).toBe("fail");
    expect(refusals(rows, world(2), { spans }).outcome).toBe("vacuous");
    const throttle = { intervalUs: micros(SECOND), retryLimit: 1 };
    const policies = [policy("gold", { throttle })];
    expect(refusals(rows, { ...world(2), policies }).outcome).toBe("vacuous");
  });

  test.each(["sliding_log", "sentinel", "bounded_log"] as const)(
    "%s: a smoothed limit from its threshold on",
    (algorithm) => {
      const smoothing = { threshold: 1, step: 1, trigger: 0.5, delayUs: micros(SECOND) };
      const keys = [key("alice", { limit: limitOf(3, 1, smoothing) })];
      const variant = { keys, options: { algorithm } };
      expect(refusals([{ at: 0 }, { at: 0.1, ...refused }], variant).outcome).toBe("pass");
      expect(refusals([{ at: 0.1, ...refused }], variant).outcome).toBe("fail");
    },
  );

  test.each([
    ["sliding_log", 1, "fail"],
    ["bounded_log", 1, "fail"],
    ["non_transactional", 1, "fail"],
    ["sentinel", 1.9, "pass"],
    ["sentinel", 2, "fail"],
    ["sliding_window_counter", 1.9, "pass"],
    ["token_bucket", 9, "pass"],
  ] as const)("%s: a request %d s ago counts, or not: %s", (algorithm, at, expected) => {
    const rows = [...rowsOf("2*200", 0, 0), { at, ...refused }];
    expect(refusals(rows, world(2, { algorithm })).outcome).toBe(expected);
  });

  test("a request sent after the response does not count", () => {
    const late = (at: number) => refusals([{ at: 0 }, { at: 0.1, ...refused }, { at }]).outcome;
    expect([late(0.1), late(0.5)]).toEqual(["pass", "fail"]);
  });

  test("a clock that is behind looks further back", () => {
    const rows = [
      { at: 0, stamp: 0 },
      { at: 0, stamp: 0 },
      { at: 0.9, stamp: 1.2 },
    ];
    const last = { at: 1, stamp: 1, ...refused };
    expect(refusals([...rows, last], world(3)).outcome).toBe("pass");
  });
});

describe("how far back requests may count for a refusal", () => {
  const refusals = (at: number, variant: VariantText, more: Partial<Row> = {}): string =>
    outcome("refusals", { rows: [{ at: 0 }, { at, status: 429, by: "key", ...more }] }, variant)
      .outcome;

  test.each([
    ["sliding_log", 1],
    ["bounded_log", 1],
    ["non_transactional", 1],
    ["fixed_window", 1],
    ["drl", 1],
    ["sentinel", 2],
    ["sliding_window_counter", 2],
  ] as const)("%s: %d s", (algorithm, seconds) => {
    const one = world(1, { algorithm });
    expect([refusals(seconds - 0.01, one), refusals(seconds, one)]).toEqual(["pass", "fail"]);
  });

  test.each(["token_bucket", "gcra"] as const)("%s: for ever", (algorithm) => {
    expect(refusals(99, world(1, { algorithm }))).toBe("pass");
  });

  test("a quota: until it renews", () => {
    const quota = { max: 1, renewalUs: micros(3 * SECOND) };
    const of: VariantText = { keys: [key("alice", { quota })] };
    const forbidden = { status: 403, reason: "quota", by: "quota" } as const;
    expect([refusals(2.99, of, forbidden), refusals(3, of, forbidden)]).toEqual(["pass", "fail"]);
  });

  test("a mark that is shared knows the smallest rate that wrote it (LIM-C8)", () => {
    const metaData = { rate_limit_pattern: "$gw_meta.team", team: "red" };
    const flows = [{ name: "alice" }, { name: "bob", as: "bob" }];
    const rows: readonly Row[] = [
      { at: 0, flow: "bob", key: "bob" },
      { at: 0.1, flow: "alice", status: 429, by: "key" },
    ];
    const under = (algorithm: "sentinel" | "sliding_log"): string =>
      outcome(
        "refusals",
        { rows, flows },
        {
          keys: [
            key("alice", { limit: limitOf(5, 1), metaData }),
            key("bob", { limit: limitOf(1, 1), metaData }),
          ],
          flows,
          options: { algorithm },
        },
      ).outcome;
    expect([under("sentinel"), under("sliding_log")]).toEqual(["pass", "fail"]);
  });
});
