import { describe, expect, test } from "vitest";
import type { Algorithm } from "#src/limiter/core/algorithms.ts";
import { client } from "#src/limiter/core/client.ts";
import { requestsTo, atUs, level, smoothing } from "./budgets.ts";

const LOGS: readonly Algorithm[] = ["sliding_log", "bounded_log", "non_transactional"];

describe("Retry-After of a smoothed log (HDR-C1)", () => {
  test.each(LOGS)(
    "%s: the refused attempt counts in the window under the next A too",
    (algorithm) => {
      const smoothed = level(algorithm, {
        rate: 2,
        per: 0.5,
        smoothing: smoothing(1, 1, 0.1, 0.25),
      });
      const requests = requestsTo();
      requests.at(0, smoothed);
      expect(requests.at(0, smoothed)).toMatchObject({ refusedBy: 0, waitUs: 500_000 });
      expect(requests.at(0.5, smoothed).refusedBy).toBe(-1);
    },
  );

  test("a mark is set with the refused attempt, whatever it lets A become", () => {
    const smoothed = level("sentinel", {
      rate: 2,
      per: 0.5,
      smoothing: smoothing(1, 1, 0.1, 0.25),
    });
    const requests = requestsTo();
    requests.at(0, smoothed);
    expect(requests.at(0.25, smoothed)).toMatchObject({ refusedBy: 0, waitUs: 250_000 });
    expect(requests.at(0.5, smoothed).refusedBy).toBe(-1);
  });
});

describe("an allowance above its threshold", () => {
  const smoothed = level("sliding_log", { rate: 3, per: 1, smoothing: smoothing(1, 1, 0.5, 2) });
  const raise = (requests: ReturnType<typeof requestsTo>): void => {
    for (const seconds of [0, 1.5, 2, 3.5, 4]) requests.at(seconds, smoothed);
  };

  test("falls without requests, and the next request emits each fall (SMO-C6, EVT-1)", () => {
    const requests = requestsTo();
    raise(requests);
    expect(requests.at(60, smoothed).changes.map(({ change }) => change)).toEqual([
      { event: "RateLimitSmoothingDown", atUs: atUs(6), allowance: 2 },
      { event: "RateLimitSmoothingDown", atUs: atUs(8), allowance: 1 },
    ]);
  });

  test("emits its falls also after a hundred requests of other clients (EVT-1)", () => {
    const requests = requestsTo();
    raise(requests);
    for (let i = 0; i < 100; i++) requests.as(client("bob"), 40, "spend", smoothed);
    expect(requests.at(60, smoothed).changes).toHaveLength(2);
  });

  test("is forgotten once it is back at the threshold and unused for long enough (SMO-C6)", () => {
    const requests = requestsTo();
    requests.at(0, smoothed);
    for (let i = 0; i < 100; i++) requests.as(client("bob"), 40, "spend", smoothed);
    expect(requests.store.tables.get("log/key/1000000us")?.rows.byIdentity.has("alice")).toBe(
      false,
    );
  });
});

describe("evaluating a request without spending", () => {
  test("counts on the step that the request would take, and takes none (SMO-C2, MGT-C11)", () => {
    const smoothed = level("sliding_log", { rate: 4, per: 10, smoothing: smoothing(1, 2, 0.5, 3) });
    const requests = requestsTo();
    const alice = client("alice");
    requests.at(0, smoothed);
    expect(requests.as(alice, 2.999999, "evaluate", smoothed)).toMatchObject({
      refusedBy: 0,
      waitUs: 1,
    });
    expect(requests.as(alice, 3, "evaluate", smoothed)).toMatchObject({
      refusedBy: -1,
      changes: [],
    });
    expect(requests.as(alice, 3, "evaluate", smoothed)).toMatchObject({
      refusedBy: -1,
      changes: [],
    });
  });
});

describe("a sentinel whose allowance is below one", () => {
  const half = level("sentinel", { rate: 4, per: 1, smoothing: smoothing(0.5, 0.5, 0.5, 3) });

  test("is blocked by its mark until A has moved, as by the log (ALG-C5)", () => {
    const requests = requestsTo();
    const refused = [0, 1.5, 2.9, 3, 4.5].map(
      (seconds) => requests.at(seconds, half).refusedBy === 0,
    );
    expect(refused).toEqual([false, true, true, true, false]);
  });
});

describe("a bounded log with decimals", () => {
  test("keeps the attempts that decide a fall (ALG-C9, SMO-C6)", () => {
    const events = (["sliding_log", "bounded_log"] as const).map((algorithm) => {
      const one = level(algorithm, {
        rate: 1.75,
        per: 1,
        smoothing: smoothing(1.5, 0.25, 0.1, 0.25),
      });
      const requests = requestsTo();
      const busy = [0, 0.25, 0.3, 0.3, 0.3, 0.6].map(
        (seconds) => requests.at(seconds, one).changes,
      );
      return busy.flat().map(({ change }) => change.event);
    });
    expect(events).toEqual([["RateLimitSmoothingUp"], ["RateLimitSmoothingUp"]]);
  });
});
