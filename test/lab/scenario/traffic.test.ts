import { describe, expect, test } from "vitest";
import type { Flow } from "#src/lab/scenario/types.ts";
import { decodeScenario, problemsOf, small } from "./examples.ts";

const flowOf = (flow: string): Flow | undefined =>
  decodeScenario(
    small(
      "{ as: alice, send: GET /orders, burst: 8 }",
      `{ as: alice, send: GET /orders, ${flow} }`,
    ),
  ).variants[0]?.traffic[0];

describe("a flow", () => {
  test.each<[flow: string, behaviour: unknown]>([
    ["burst: 1", { kind: "ignore" }],
    ["burst: 1, behaviour: honourRetryAfter", { kind: "honour_retry_after", maxAttempts: 10 }],
    [
      "burst: 1, behaviour: { honourRetryAfter: { maxAttempts: 3 } }",
      { kind: "honour_retry_after", maxAttempts: 3 },
    ],
    [
      "burst: 1, behaviour: { backoff: { base: 100ms } }",
      { kind: "backoff", baseUs: 100_000, factor: 2, jitter: 0, maxAttempts: 10 },
    ],
    [
      "burst: 1, behaviour: { backoff: { base: 1s, jitter: 1, max: 32s } }",
      { kind: "backoff", baseUs: 1e6, factor: 2, jitter: 1, maxUs: 32e6, maxAttempts: 10 },
    ],
    [
      "burst: 1, behaviour: { atb: { bucket: 9 } }",
      { kind: "atb", bucket: 9, perMinute: 40, step: 1.2, stepAbove: 1.2, maxAttempts: 1000 },
    ],
    [
      "burst: 1, behaviour: { aatb: { quota: 80, report: 10s } }",
      {
        kind: "aatb",
        bucket: 40,
        perMinute: 40,
        step: 1.4,
        stepBusy: 1.2,
        quotaPerMinute: 80,
        reportUs: 10e6,
        maxAttempts: 1000,
      },
    ],
  ])("%s behaves", (flow, behaviour) => {
    expect(flowOf(flow)?.behaviour).toEqual(behaviour);
  });

  test("takes the name of its client, or none", () => {
    expect(flowOf("burst: 1")).toMatchObject({ name: "alice", as: "alice" });
    expect(flowOf("burst: 1, name: x")).toMatchObject({ name: "x" });
    const anonymous = small(
      "{ as: alice, send: GET /orders, burst: 8 }",
      "{ as: null, send: GET /orders, burst: 8 }",
    ).replace("sequence: { as: alice }", "sequence: {}");
    expect(decodeScenario(anonymous).variants[0]?.traffic[0]).toMatchObject({
      name: "anonymous",
      as: null,
    });
  });

  test.each<[flow: string, line: string]>([
    [
      "send: /orders, burst: 1",
      'SCN-VALUE "/orders" is not a method and a path; write "GET /orders": the method in capitals, a space, the path with its slash',
    ],
    [
      "send: GET /orders, rate: 0.1234567, for: 1s",
      "SCN-VALUE 0.1234567 is not a rate in requests per second, with at most six decimals",
    ],
    [
      "send: GET /orders, stages: [{ name: a, for: 1s }]",
      'SCN-MISSING-FIELD the first stage needs "rate"; write rate, and for a ramp rateTo too',
    ],
    [
      "send: GET /orders, stages: [{ name: a, rate: 1, for: 1s }, { name: a, rate: 1, for: 1s }]",
      'SCN-DUPLICATE-NAME two stages are called "a"',
    ],
    ["send: GET /orders, stages: []", "SCN-VALUE the list is empty, and needs at least one item"],
    [
      "send: GET /orders, trace: { times: soon }",
      'SCN-VALUE the trace has no times; begin the line of each request with seconds since the start ("1.25"), at most a year, or a duration ("1250ms"), or {"at": 1.25}; from an access log, extract these times',
    ],
    [
      'send: GET /orders, trace: { times: "1\\nx" }',
      'SCN-VALUE line 2 of the trace, "x", does not begin with a time; write seconds since the start ("1.25"), at most a year, or a duration ("1250ms"), or {"at": 1.25}',
    ],
    [
      "send: GET /orders, burst: 1, behaviour: retry",
      'SCN-VALUE "retry" is not one of ignore, honourRetryAfter',
    ],
    [
      "send: GET /orders, at: 1s",
      "SCN-MISSING-FIELD a flow needs one of burst, every, rate, poisson, population, cron, stages, onoff, trace",
    ],
    [
      "send: GET /orders, burst: 1, headers: { A: 1 }",
      'SCN-VALUE 1 is not a string; quote it: "1"',
    ],
  ])("%s is reported", (flow, line) => {
    const text = small("{ as: alice, send: GET /orders, burst: 8 }", `{ as: alice, ${flow} }`);
    expect(problemsOf(text)).toEqual([line]);
  });
});
