import { describe, expect, test } from "vitest";
import { limitOf } from "#src/limiter/core/limit.ts";
import { micros, NEVER, SECOND } from "#src/kit/units.ts";
import { INVARIANTS } from "#src/lab/scenario/expectation.ts";
import type { Flow, Invariant } from "#src/lab/scenario/types.ts";
import { checkVariant } from "#src/lab/check/run.ts";
import {
  BOUNDED,
  historyOf,
  rowsOf,
  type EventText,
  type HistoryText,
  type Row,
} from "../../histories/history.ts";
import { key, variantOf, type VariantText } from "../../histories/world.ts";
import { verdictOn } from "./verdict-on.ts";

const verdict = (rule: Invariant, history: HistoryText, variant: VariantText = {}) =>
  verdictOn({ kind: "invariant", rule }, history, variant);

const options = (more: VariantText["options"]): VariantText => ({ options: more! });

test.each(INVARIANTS)("%s is vacuous where nothing happened", (rule) => {
  expect(verdict(rule, {}).outcome).toBe("vacuous");
});

test.each(INVARIANTS)("%s cannot be evaluated in a world that starts no gateway", (rule) => {
  expect(verdict(rule, {}, { broken: true })).toMatchObject({
    outcome: "error",
    observed: "the configuration has errors, so no gateway runs",
  });
});

describe("requests (LIM-C18)", () => {
  /** The given number of requests at the start. */
  const outcome = (planned: number, rows: readonly Row[]): string => {
    const variant = variantOf({ expect: [{ kind: "invariant", rule: "requests" }] });
    const shape: Flow["shape"] = { kind: "burst", count: planned };
    const traffic = variant.traffic.map((flow) => ({ ...flow, shape }));
    const [found] = checkVariant({ ...variant, traffic }, historyOf({ rows }));
    return `${found!.outcome}: ${found!.observed}`;
  };
  const two = rowsOf("200 lost", 0, 0);
  const again: Row = { at: 1, planned: 0, attempt: 1 };

  test("hold if each planned request has a row, with a response or lost", () => {
    expect(outcome(2, two)).toBe("pass: 2 looked at");
    expect(outcome(2, [...two, again, { ...again, lost: "unreachable" }])).toMatch(/^pass/);
  });

  test("do not hold if one has none, or if there are more", () => {
    expect(outcome(3, two)).toBe("fail: 3 requests are planned, and the history has 2");
    expect(outcome(3, [...two, again])).toBe("fail: 3 requests are planned, and the history has 2");
    expect(outcome(1, two)).toBe("fail: 1 request is planned, and the history has 2");
  });

  test.each<[string, Row]>([
    [
      "only:1 is answered before it is sent or decided: 1s, 1s, 1s, 500ms",
      { at: 1, answered: 0.5 },
    ],
    [
      "only:1 is answered before it is sent or decided: 1s, 1s, 2s, 1.5s",
      { at: 1, lost: "ended", span: [1, 2], answered: 1.5 },
    ],
    ["only:1 has the status 0 and the reason none", { at: 1, status: 0, reason: "none" }],
    ["only:1 has the status 200 and the reason ended", { at: 1, status: 200, lost: "ended" }],
  ])("do not hold if %s", (text, row) => {
    expect(outcome(1, [row])).toBe(`fail: ${text}`);
  });
});

describe("responses (LIM-C18)", () => {
  const of = (rows: readonly Row[]) => verdict("responses", { rows });

  test("hold if every request got one, a refusal or a rejection too", () => {
    expect(of(rowsOf("2*200 429 503", 0, 1))).toMatchObject({ outcome: "pass", examined: 4 });
  });

  test("do not hold if a request is lost, even if its retry is not", () => {
    const rows: readonly Row[] = [
      { at: 0 },
      { at: 1, lost: "unreachable" },
      { at: 2, lost: "ended" },
      { at: 3, lost: "ended", answered: 4 },
      { at: 5, planned: 1, attempt: 1 },
    ];
    expect(of(rows)).toMatchObject({
      outcome: "fail",
      observed:
        "only:3 and 1 other got no response: the gateway ended before its response, and 1 more",
      examined: 5,
      evidence: [2, 1],
    });
    expect(of(rows.slice(0, 2)).observed).toBe(
      "only:2 got no response: no gateway took the connection",
    );
  });
});

describe("bounds (LIM-C11)", () => {
  test.each([
    ["a limit that delays counts requests as they leave", [0.5, 0.6, 0.7], 9, "fail"],
    ["so it may admit several at once", [0, 0.5, 1], 9, "pass"],
    ["a quota counts them as they are decided", [0.7], 1, "pass"],
    ["and admits no more for their delays", [0, 0.5], 1, "fail"],
  ] as const)("%s", (_, delays, max, outcome) => {
    const rows = [...delays.map((delay): Row => ({ at: 0, delay })), { at: 1.6 }];
    const quota = { max, renewalUs: micros(SECOND) };
    const keys = [key("alice", { limit: limitOf(max === 1 ? 9 : 2, 1), quota })];
    const variant = { keys, options: { algorithm: "leaky_bucket", queue: 9 } } as const;
    expect(verdict("bounds", { rows }, variant).outcome).toBe(outcome);
  });

  const alice = (rate: number): VariantText => ({
    keys: [key("alice", { limit: limitOf(rate, 1) })],
  });

  // How many requests of a window of one second are admitted at a rate of 2, by algorithm.
  test.each<[string, VariantText["options"], number]>([
    ["a log", {}, 2],
    ["a fixed window", { algorithm: "fixed_window" }, 3],
    ["a window of the clock", { algorithm: "fixed_window", fixedWindowStart: "clock" }, 4],
    ["a token bucket", { algorithm: "token_bucket" }, 3],
    ["spaced requests", { algorithm: "gcra", burst: 1 }, 2],
    ["spaced requests with a burst", { algorithm: "gcra", burst: "rate" }, 3],
    ["two windows", { algorithm: "sliding_window_counter" }, 3],
    ["a share", { algorithm: "drl" }, 3],
  ])("%s", (_, more, most) => {
    const variant = { ...alice(2), ...options(more) };
    const at = (count: number) =>
      verdict("bounds", { rows: rowsOf(`${count}*200`, 0, 0) }, variant).outcome;
    expect([at(most), at(most + 1)]).toEqual(["pass", "fail"]);
  });

  test.each([
    ["renews", micros(SECOND), 3],
    ["never renews", NEVER, 2],
  ])("a quota of 2 that %s", (_, renewalUs, most) => {
    const keys = [key("alice", { quota: { max: 2, renewalUs } })];
    const at = (count: number) =>
      verdict("bounds", { rows: rowsOf(`${count}*200`, 0, 0) }, { keys }).outcome;
    expect([at(most), at(most + 1)]).toEqual(["pass", "fail"]);
  });

  test("a window is half-open, and its end is reported", () => {
    const at = (seconds: number) =>
      verdict("bounds", { rows: [{ at: 0 }, { at: 0.5 }, { at: seconds }] }, alice(2));
    expect(at(1).outcome).toBe("pass");
    expect(at(0.999999)).toMatchObject({
      outcome: "fail",
      observed: "sliding_log of 2 per 1s (key) admitted 3 up to t=999.999ms, at most 2 are allowed",
      evidence: [2],
    });
  });

  test("a loss of state between them is one further budget, and no more", () => {
    const restart = { kind: "store_restart", atUs: micros(SECOND / 2) } as const;
    const half = (count: number) => [...rowsOf("2*200", 0, 0), ...rowsOf(`${count}*200`, 0.6, 0)];
    const at = (count: number, faults: VariantText["faults"] = []) =>
      verdict("bounds", { rows: half(count) }, { ...alice(2), faults }).outcome;
    expect([at(2), at(2, [restart]), at(3, [restart])]).toEqual(["fail", "pass", "fail"]);
  });

  test("requests in flight together may exceed a log that takes several steps", () => {
    const rows = (answered: number) =>
      Array.from({ length: 4 }, () => ({ at: 0, span: [0.1, 0.1] as const, answered }));
    const at = (algorithm: "sentinel" | "sliding_log", answered: number) =>
      verdict("bounds", { rows: rows(answered) }, { ...alice(2), ...options({ algorithm }) })
        .outcome;
    expect(at("sentinel", 0.2)).toBe("pass");
    expect(at("sliding_log", 0.2)).toBe("fail");
  });

  test("a clock that is ahead drops requests that another gateway still counts", () => {
    const rows = (ahead: number) => [
      ...rowsOf("2*200", 0, 0),
      { at: 0.6, stamp: 0.6 + ahead },
      { at: 0.61, stamp: 0.6 },
    ];
    const at = (ahead: number) => verdict("bounds", { rows: rows(ahead) }, alice(2)).outcome;
    expect([at(0), at(0.3)]).toEqual(["fail", "pass"]);
  });

  test("a certain violation is reported before an uncertain one", () => {
    const open = [{ at: 0 }, { at: 0.95, span: [0.95, 1.05] as const }];
    const sure = rowsOf("2*200", 5, 0.1, { flow: "bob", key: "bob" });
    const flows = [{ name: "only" }, { name: "bob", as: "bob" }];
    const keys = ["alice", "bob"].map((id) => key(id, { limit: limitOf(1, 1) }));
    const history = { timing: BOUNDED, rows: [...open, ...sure], flows };
    expect(verdict("bounds", history, { keys, flows })).toMatchObject({
      outcome: "fail",
      evidence: [1, 3],
    });
  });

  test("a time that is not known exactly leaves it open", () => {
    const open = { at: 0.95, span: [0.95, 1.05] as const };
    const of = (more: readonly Row[]) => {
      const rows = [{ at: 0 }, { at: 0 }, ...more, open];
      return verdict("bounds", { timing: BOUNDED, rows }, alice(2)).outcome;
    };
    expect([of([]), of([{ at: 0.5 }])]).toEqual(["inconclusive", "fail"]);
  });
});

describe("refusals", () => {
  const refused = { status: 429, by: "key" as const };
  const alice: VariantText = { keys: [key("alice", { limit: limitOf(2, 1) })] };
  const at = (runs: string, last: number, more: VariantText["options"] = {}) =>
    verdict(
      "refusals",
      { rows: [...rowsOf(runs, 0, 0), { at: last, ...refused }] },
      { ...alice, ...options(more) },
    );

  test("a budget refuses once it has met as many as it allows", () => {
    expect(at("2*200", 0.5).outcome).toBe("pass");
    expect(at("1*200", 0.5)).toMatchObject({
      outcome: "fail",
      observed: "only:2: sliding_log of 2 per 1s (key) refuses after 1 of 2",
    });
  });

  test("a request outside the window does not count", () => {
    expect([at("2*200", 0.999999).outcome, at("2*200", 1).outcome]).toEqual(["pass", "fail"]);
  });

  test("a refused attempt counts in a log, and nowhere else", () => {
    const outcomes = (["sliding_log", "fixed_window", "gcra", "token_bucket"] as const).map(
      (algorithm) => {
        const rows = [{ at: 0 }, { at: 0 }, { at: 0.5, ...refused }, { at: 1.2, ...refused }];
        const options = { algorithm, burst: 2 };
        return verdict("refusals", { rows }, { ...alice, options }).outcome;
      },
    );
    expect(outcomes).toEqual(["fail", "fail", "pass", "pass"]);
    const rows = [{ at: 0 }, { at: 0 }, { at: 0.5, ...refused }, { at: 0.9, ...refused }];
    const late = [...rows, { at: 1.4, ...refused }];
    expect(verdict("refusals", { rows: late }, alice).outcome).toBe("pass");
    expect(
      verdict("refusals", { rows: late }, { ...alice, ...options({ algorithm: "fixed_window" }) })
        .outcome,
    ).toBe("fail");
  });

  test("a throttled client has made attempts that no row shows", () => {
    const throttle = { intervalUs: micros(SECOND), retryLimit: 1 };
    const keys = [key("alice", { limit: limitOf(2, 1), throttle })];
    const rows = [{ at: 0, ...refused }];
    expect(verdict("refusals", { rows }, { keys }).outcome).toBe("vacuous");
  });
});

describe("allowances", () => {
  const smoothing = { threshold: 2, step: 2, trigger: 0.5, delayUs: micros(SECOND) };
  const alice: VariantText = { keys: [key("alice", { limit: limitOf(5, 1, smoothing) })] };
  const up = (at: number, value: number): EventText => ({
    event: "RateLimitSmoothingUp",
    at,
    value,
  });
  const down = (at: number, value: number): EventText => ({
    ...up(at, value),
    event: "RateLimitSmoothingDown",
  });
  const rows = rowsOf("2*200", 0, 5);
  const of = (rule: Invariant, events: readonly EventText[], more: VariantText = {}) =>
    verdict(rule, { rows, events }, { ...alice, ...more });

  test("lie between threshold and rate", () => {
    expect(of("allowance", [up(1, 4), up(2, 5)]).outcome).toBe("pass");
    expect(of("allowance", [up(1, 6)])).toMatchObject({
      outcome: "fail",
      observed: "the allowance of alice is 6 at t=1s, and not between 2 and 5",
    });
    expect(of("allowance", [down(1, 1)]).outcome).toBe("fail");
    const gauges = [{ at: 0, value: 7 }];
    expect(verdict("allowance", { rows, gauges }, alice).outcome).toBe("fail");
  });

  test.each<[string, readonly EventText[], string]>([
    ["by steps, and less only to a bound", [up(1, 4), up(2, 5), down(3, 3), down(4, 2)], "pass"],
    ["whatever their order in the history", [up(2, 5), up(1, 4)], "pass"],
    ["twice for one change", [up(1, 4), up(1, 4)], "fail"],
    ["never for one change", [up(2, 5)], "fail"],
    ["further than a step", [up(1, 5)], "fail"],
    ["less than a step", [up(1, 3)], "fail"],
    ["the wrong way", [down(1, 4)], "fail"],
    ["beyond a bound", [up(1, 4), up(2, 6)], "fail"],
  ])("move %s", (_, events, outcome) => {
    expect(of("changes", events).outcome).toBe(outcome);
  });

  test("are reported where they are wrong", () => {
    expect(of("changes", [up(1, 4), up(2, 4)]).observed).toBe(
      "the allowance of alice goes from 4 to 4 with RateLimitSmoothingUp at t=2s",
    );
  });

  test("are not examined if state is lost, because one change does not decide the next", () => {
    const faults = [{ kind: "store_restart", atUs: micros(SECOND) }] as const;
    expect(of("changes", [up(1, 4), up(2, 4)], { faults }).outcome).toBe("vacuous");
  });
});

describe("waits (HDR-C1)", () => {
  test.each<[number, number, string]>([
    [429, 1, "pass"],
    [429, 7, "pass"],
    [429, 0, "fail"],
    [429, -1, "fail"],
    [429, 1.5, "fail"],
    [429, Number.POSITIVE_INFINITY, "fail"],
    [200, 1, "fail"],
  ])("%i with Retry-After %d is %s", (status, retryAfter, outcome) => {
    expect(verdict("retry-after", { rows: [{ at: 0, status, retryAfter }] }).outcome).toBe(outcome);
  });

  test("without a header nothing is examined", () => {
    expect(verdict("retry-after", { rows: [{ at: 0, status: 429 }] }).outcome).toBe("vacuous");
  });
});
