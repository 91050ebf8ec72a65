// An expectation about limits looks only at requests that reached one (LIM-C16).
import { describe, expect, test } from "vitest";
import {
  answerTo,
  causeOf,
  describeRejections,
  groupRejections,
} from "#src/lab/check/rejections.ts";
import { totalsOf } from "#src/lab/check/totals.ts";
import type { LossReason } from "#src/lab/scenario/history.ts";
import type { Comparison, Measure } from "#src/lab/scenario/types.ts";
import { historyOf, rowsOf, type Row } from "../../histories/history.ts";
import { EVERYTHING } from "../../histories/world.ts";
import { verdictOn } from "./verdict-on.ts";

const NONE: Comparison = { op: "equals", value: 0 };
const FEW: Comparison = { op: "atMost", value: 5 };
const MANY: Comparison = { op: "atLeast", value: 1 };
const filter = EVERYTHING;
const turnedAway = { ...filter, status: [429] };

const forbidden = rowsOf("8*403", 0, 0.1, { reason: "access" });
const unknown = rowsOf("8*401", 0, 0.1, { reason: "credential" });
/** Two of the quota, three of nothing at all, five admitted, one refused. */
const mixed: readonly Row[] = [
  ...rowsOf("5*200 429", 0, 0.1),
  ...rowsOf("2*403", 1, 0.1, { reason: "quota", by: "quota" }),
  ...rowsOf("403", 2, 0.1, { reason: "access" }),
  ...rowsOf("2*404", 3, 0.1, { reason: "path" }),
];

const ABOUT_LIMITS: readonly (readonly [string, Measure])[] = [
  ["few are refused", { kind: "count", filter: turnedAway, comparison: FEW, among: null }],
  [
    "few are admitted",
    {
      kind: "count",
      filter: { ...filter, status: [200] },
      comparison: { op: "between", from: 0, to: 2 },
      among: null,
    },
  ],
  ["none is refused", { kind: "count", filter: turnedAway, comparison: NONE, among: MANY }],
  ["some are refused", { kind: "count", filter: turnedAway, comparison: MANY, among: null }],
  [
    "refused by rate or quota",
    { kind: "count", filter: { ...filter, status: [403, 429] }, comparison: FEW, among: null },
  ],
  [
    "few are admitted",
    { kind: "count", filter: { ...filter, status: [200] }, comparison: FEW, among: null },
  ],
  ["how many gave up", { kind: "gaveUp", filter, comparison: NONE }],
  [
    "how long until one is admitted",
    { kind: "timeToAdmission", filter, percentile: null, comparison: NONE },
  ],
  [
    "the most in any window",
    { kind: "maxInAnyWindow", filter, windowUs: 1e6 as never, comparison: NONE },
  ],
  [
    "a sequence with 429",
    {
      kind: "sequence",
      filter,
      equals: [
        { times: 5, what: "200" },
        { times: 3, what: "429" },
      ],
      agreeWith: null,
    },
  ],
  [
    "no Retry-After",
    {
      kind: "response",
      filter,
      nth: "all",
      status: null,
      headers: { "Retry-After": null },
      body: null,
    },
  ],
  [
    "what remains",
    {
      kind: "response",
      filter,
      nth: 3,
      status: null,
      headers: { "X-RateLimit-Remaining": null },
      body: null,
    },
  ],
  [
    "no refusal has an event",
    {
      kind: "events",
      event: "RatelimitExceeded",
      key: null,
      during: null,
      equals: null,
      count: NONE,
    },
  ],
  [
    "steps are a second apart",
    { kind: "gapBetween", event: "RateLimitSmoothing*", key: "alice", comparison: FEW },
  ],
  [
    "the allowance stays",
    {
      kind: "gauge",
      gauge: "allowance",
      key: null,
      stage: null,
      when: "always",
      comparison: FEW,
      withinUs: null,
      sometimes: [],
    },
  ],
];

describe.each(ABOUT_LIMITS)("%s", (_name, measure) => {
  test("is vacuous if every request was rejected, and reports the causes", () => {
    expect(verdictOn(measure, { rows: forbidden })).toMatchObject({
      outcome: "vacuous",
      examined: 0,
      observed: "8 of 8 got 403: key alice has no access to orders",
      evidence: [0, 1, 2, 3, 4, 5, 6, 7],
    });
    expect(verdictOn(measure, { rows: unknown })).toMatchObject({
      outcome: "vacuous",
      observed: "8 of 8 got 401: orders needs a key, and flow only sends none",
    });
  });

  test("is vacuous if every request was lost, too", () => {
    expect(verdictOn(measure, { rows: rowsOf("8*lost", 0, 0.1) })).toMatchObject({
      outcome: "vacuous",
      examined: 0,
      observed: "8 of 8 got no response: the gateway ended before its response",
    });
  });

  test("stays vacuous in real time: other times would have changed nothing", () => {
    const timing = { kind: "bounded", jitterUs: 1e4, maxUs: 5e4, isStamped: true } as never;
    expect(verdictOn(measure, { rows: forbidden, timing }).outcome).toBe("vacuous");
  });
});

test("an expectation that names a rejection examines rejections", () => {
  const rejected: Measure = {
    kind: "count",
    filter: { ...filter, status: [401] },
    comparison: { op: "equals", value: 8 },
    among: null,
  };
  expect(verdictOn(rejected, { rows: unknown })).toMatchObject({ outcome: "pass", examined: 8 });
  const answered: Measure = {
    kind: "sequence",
    filter,
    equals: [{ times: 8, what: "403" }],
    agreeWith: null,
  };
  expect(verdictOn(answered, { rows: forbidden })).toMatchObject({ outcome: "pass", examined: 8 });
  const header: Measure = {
    kind: "response",
    filter,
    nth: "all",
    status: 401,
    headers: { "Retry-After": null },
    body: null,
  };
  expect(verdictOn(header, { rows: unknown }).outcome).toBe("pass");
});

test("a count about limits leaves out rejected requests, and reports their number", () => {
  const count = (status: readonly number[], comparison: Comparison): Measure => ({
    kind: "count",
    filter: { ...filter, status },
    comparison,
    among: { op: "equals", value: 8 },
  });
  const one: Comparison = { op: "equals", value: 1 };
  expect(verdictOn(count([429], one), { rows: mixed })).toMatchObject({
    outcome: "pass",
    observed: "1 of 8, and 3 were rejected: 403 2*404",
    examined: 8,
  });
  // Of the 403s two are the quota's.
  const three: Comparison = { op: "equals", value: 3 };
  expect(verdictOn(count([403, 429], three), { rows: mixed }).outcome).toBe("pass");
  expect(verdictOn(count([403, 429], { op: "equals", value: 4 }), { rows: mixed }).outcome).toBe(
    "fail",
  );
});

test("a sequence compares every response, and examines those of limits", () => {
  const sequence = (equals: readonly (readonly [number, string])[]): Measure => ({
    kind: "sequence",
    filter,
    equals: equals.map(([times, what]) => ({ times, what })),
    agreeWith: null,
  });
  const whole = sequence([
    [1, "403"],
    [2, "200"],
    [1, "429"],
  ]);
  const rows = [...rowsOf("403", 0, 0.1, { reason: "access" }), ...rowsOf("2*200 429", 1, 0.1)];
  expect(verdictOn(whole, { rows })).toMatchObject({ outcome: "pass", examined: 3 });
  const short = sequence([
    [2, "200"],
    [1, "429"],
  ]);
  expect(verdictOn(short, { rows })).toMatchObject({ outcome: "fail", examined: 3 });
});

test("a status that is named is wanted of every response, a header of those that a limiter gave", () => {
  const rows = [
    ...rowsOf("429", 0, 0.1, { retryAfter: 1 }),
    ...rowsOf("401", 1, 0.1, { reason: "credential" }),
  ];
  const wait = { "Retry-After": 1 };
  const response = (status: number | null, nth: "all" | "last"): Measure => ({
    kind: "response",
    filter,
    nth,
    status,
    headers: wait,
    body: null,
  });
  expect(verdictOn(response(null, "all"), { rows })).toMatchObject({
    outcome: "pass",
    examined: 1,
  });
  expect(verdictOn(response(429, "all"), { rows }).outcome).toBe("fail");
  expect(verdictOn(response(null, "last"), { rows })).toMatchObject({
    outcome: "vacuous",
    observed: "1 of 1 got 401: orders needs a key, and flow only sends none",
  });
});

test("the causes are reported, the most frequent first, and no more than three", () => {
  const rows: readonly Row[] = [
    ...rowsOf("400", 0, 0.1, { reason: "path" }),
    ...rowsOf("3*403", 1, 0.1, { reason: "state" }),
    ...rowsOf("2*401", 2, 0.1, { reason: "state" }),
    ...rowsOf("503", 3, 0.1, { reason: "store" }),
    ...rowsOf("200", 4, 0.1),
  ];
  const history = historyOf({ rows });
  const all = rows.map((_, row) => row);
  expect(describeRejections(history, all)).toBe(
    "3 of 8 got 403: key alice, or a policy of it, is inactive; 2 of 8 got 401: key alice has expired; 1 of 8 got 400: the path /orders is not acceptable; 1 more was rejected or lost otherwise",
  );
  expect(groupRejections(history, all).map(({ status, rows: of }) => [status, of])).toEqual([
    [403, [1, 2, 3]],
    [401, [4, 5]],
    [400, [0]],
    [503, [6]],
  ]);
});

test("totals separate refused from rejected, count delayed ones, and have the fullest window of admitted requests", () => {
  expect(totalsOf(historyOf({ rows: mixed }))).toEqual({
    requests: 11,
    admitted: 5,
    delayed: 0,
    refused: 3,
    rejected: 3,
    lost: 0,
    losses: [],
    rejections: { 403: 1, 404: 2 },
    peak: { admitted: 5, perUs: 1_000_000 },
  });
  const queued = [{ at: 0 }, { at: 0, delay: 0.5 }, { at: 0, delay: 1.5 }, { at: 0, status: 429 }];
  expect(totalsOf(historyOf({ rows: queued }))).toMatchObject({
    admitted: 3,
    delayed: 2,
    refused: 1,
  });
  const spread = rowsOf("2*200 429 2*200", 0, 0.5);
  expect(totalsOf(historyOf({ rows: spread })).peak).toEqual({ admitted: 2, perUs: 1_000_000 });
  expect(totalsOf(historyOf({ rows: unknown })).peak).toBe(null);
});

test("totals have the lost requests by reason, the most frequent first, and when they were sent", () => {
  const rows: readonly Row[] = [
    { at: 0.1, lost: "unreachable" },
    { at: 3, lost: "broken", answered: 4 },
    ...rowsOf("200 429", 3, 0),
    { at: 2, lost: "broken", answered: 5 },
    { at: 6, planned: 2, attempt: 1, lost: "broken", answered: 6.5 },
    { at: 7, lost: "timeout", answered: 97 },
  ];
  const second = 1_000_000;
  expect(totalsOf(historyOf({ rows }))).toEqual({
    requests: 7,
    admitted: 1,
    delayed: 0,
    refused: 1,
    rejected: 0,
    lost: 5,
    losses: [
      {
        cause: "the connection broke before a response",
        requests: 3,
        first: "only:3",
        fromUs: 2 * second,
        toUs: 6 * second,
      },
      {
        cause: "no gateway took the connection",
        requests: 1,
        first: "only:1",
        fromUs: 0.1 * second,
        toUs: 0.1 * second,
      },
      {
        cause: "the client stopped waiting for a response",
        requests: 1,
        first: "only:6",
        fromUs: 7 * second,
        toUs: 7 * second,
      },
    ],
    rejections: {},
    peak: { admitted: 1, perUs: second },
  });
});

test("each reason of a loss has its sentence", () => {
  const reasons: readonly LossReason[] = ["unreachable", "ended", "broken", "timeout"];
  const history = historyOf({ rows: reasons.map((lost, at): Row => ({ at, lost })) });
  const all = [...history.requests.reason.keys()];
  expect(all.map((row) => causeOf(history, row))).toEqual([
    "no gateway took the connection",
    "the gateway ended before its response",
    "the connection broke before a response",
    "the client stopped waiting for a response",
  ]);
  expect(all.map((row) => answerTo(history.requests, row))).toEqual(all.map(() => "lost"));
  expect(groupRejections(history, all)).toEqual([]);
});
