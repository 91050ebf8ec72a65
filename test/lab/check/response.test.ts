import { expect, test } from "vitest";
import type { Measure } from "#src/lab/scenario/types.ts";
import { rowsOf, type Row } from "../../histories/history.ts";
import { EVERYTHING } from "../../histories/world.ts";
import { verdictOn } from "./verdict-on.ts";

type Response = Extract<Measure, { kind: "response" }>;

const response = (more: Partial<Response>): Response => ({
  kind: "response",
  filter: EVERYTHING,
  nth: "all",
  status: null,
  headers: {},
  body: null,
  ...more,
});
const rows = [
  ...rowsOf("2*200", 0, 0.1, { limit: 2, remaining: 1 }),
  ...rowsOf("429", 0.3, 0.1, { limit: 2, remaining: 0, retryAfter: 1 }),
];

test("a response has the status and the headers that are named", () => {
  const refused = response({
    nth: 2,
    status: 429,
    headers: { "Retry-After": "1", "X-RateLimit-Remaining": 0 },
  });
  expect(verdictOn(refused, { rows })).toMatchObject({
    outcome: "pass",
    observed: "429, Retry-After: 1, X-RateLimit-Remaining: 0",
    evidence: [2],
  });
});

test.each([
  [{ nth: "last", headers: { "retry-after": 2 } }, "429, retry-after: 1: retry-after is 1"],
  [{ nth: 0, headers: { "retry-after": 1 } }, "200, retry-after: absent: retry-after is absent"],
  [
    { nth: "all", headers: { "retry-after": null } },
    "429, retry-after: 1 at response 2: retry-after is 1",
  ],
  [{ nth: "all", status: 200 }, "429 at response 2: status is 429"],
  [{ nth: 7 }, "only 3 responses"],
] as const)("%j fails", (more, observed) => {
  expect(verdictOn(response(more), { rows })).toMatchObject({ outcome: "fail", observed });
});

test("an absent header can be expected", () => {
  expect(verdictOn(response({ nth: 0, headers: { "retry-after": null } }), { rows }).outcome).toBe(
    "pass",
  );
});

test("no request is vacuous", () => {
  expect(verdictOn(response({ nth: 0, status: 200 }), { rows: [] })).toMatchObject({
    outcome: "vacuous",
    observed: "no response",
  });
});

test("a header that the history lacks is an error", () => {
  expect(verdictOn(response({ headers: { ETag: "x" } }), { rows })).toMatchObject({
    outcome: "error",
    observed: 'the history does not record the header "ETag"',
  });
  expect(verdictOn(response({ body: { error: "x" } }), { rows })).toMatchObject({
    outcome: "error",
    observed: "the history does not record bodies of upstream responses",
  });
});

test.each([
  [{ error: "Rate Limit Exceeded" }, "pass"],
  [{ details: [{ a: 1 }, 2] }, "pass"],
  [{ details: [{}, 2] }, "pass"],
  [{}, "pass"],
  [{ error: "Quota exceeded" }, "fail"],
  [{ code: 429 }, "fail"],
  [{ details: [{ a: 1 }] }, "fail"],
  [{ details: { 0: { a: 1 } } }, "fail"],
  ["Rate Limit Exceeded", "fail"],
] as const)("a body with %j is looked for as a part: %s", (body, outcome) => {
  const refused = { error: "Rate Limit Exceeded", details: [{ a: 1, b: 2 }, 2] };
  const [row] = rowsOf("429", 0, 0.1, { body: refused });
  expect(verdictOn(response({ body }), { rows: [row!] })).toMatchObject({
    outcome,
    ...(outcome === "fail"
      ? { observed: `429: the body is ${JSON.stringify(refused)}`, evidence: [0] }
      : {}),
  });
});

test("a wrong status is a failure, whatever the history has", () => {
  expect(verdictOn(response({ nth: 0, status: 429, body: { error: "x" } }), { rows }).outcome).toBe(
    "fail",
  );
});

const late = { at: 0.5, planned: 0, status: 429, limit: 2, remaining: 0, retryAfter: 2 } as const;

test("the first response belongs to the request planned first, or to the earlier row at a tie", () => {
  const first = response({ nth: 0, headers: { "Retry-After": 2 } });
  const planned = [{ at: 0.1 }, late];
  expect(verdictOn(first, { rows: planned })).toMatchObject({ outcome: "pass", evidence: [1] });
  expect(verdictOn(first, { rows: [{ at: 0 }, late] }).outcome).toBe("fail");
  expect(verdictOn(first, { rows: [late, { at: 0 }] })).toMatchObject({ evidence: [0] });
});

test("a lost request has its position, and no response is as expected", () => {
  const rows: readonly Row[] = [{ at: 0 }, { at: 1, lost: "timeout", answered: 31 }, { at: 2 }];
  const of = (more: Partial<Response>): string => {
    const { outcome, observed } = verdictOn(response(more), { rows });
    return `${outcome}: ${observed}`;
  };
  const lost = "lost, because the client stopped waiting for a response";
  expect([
    of({ nth: 0, status: 200 }),
    of({ nth: 1, status: 200 }),
    of({ nth: "last", status: 200 }),
    of({ nth: "all", status: 200 }),
    of({ nth: 1 }),
  ]).toEqual([
    "pass: 200",
    `fail: lost: ${lost}`,
    "pass: 200",
    `fail: lost at response 1: ${lost}`,
    `fail: lost: ${lost}`,
  ]);
  // A header of limits is wanted where a limit decided.
  expect(of({ headers: { "Retry-After": null } })).toBe("pass: 200, Retry-After: absent");
});

test("a number equals its text, and null means absent", () => {
  const outcomeFor = (wanted: string | number | null, more: { retryAfter?: number } = {}): string =>
    verdictOn(response({ headers: { "Retry-After": wanted } }), { rows: [{ at: 0, ...more }] })
      .outcome;
  expect([outcomeFor("2", { retryAfter: 2 }), outcomeFor(2, { retryAfter: 2 })]).toEqual([
    "pass",
    "pass",
  ]);
  expect([outcomeFor(null, { retryAfter: 0 }), outcomeFor(0), outcomeFor(null)]).toEqual([
    "fail",
    "fail",
    "pass",
  ]);
});

test("the fields of the draft keep their text, and a reset is in seconds since the epoch", () => {
  const [policy, state] = ['"rate";q=3;w=1', '"rate";r=0;t=1'];
  const rows = [{ at: 0, reset: 1.2, policy, standing: state }];
  const wanted = { RateLimit: state, "RateLimit-Policy": policy, "X-RateLimit-Reset": 102 };
  expect(verdictOn(response({ headers: wanted }), { rows, epoch: 100 }).outcome).toBe("pass");
  const none = { RateLimit: null, "RateLimit-Policy": null, "X-RateLimit-Reset": null };
  expect(verdictOn(response({ headers: none }), { rows: [{ at: 0 }] }).outcome).toBe("pass");
});

test("a body that the history lacks is an error if the others match", () => {
  const rows = [{ at: 0, body: { error: "x" } }, { at: 1 }];
  expect(verdictOn(response({ body: { error: "x" } }), { rows }).outcome).toBe("error");
  expect(verdictOn(response({ nth: 0, body: { error: "x" } }), { rows }).outcome).toBe("pass");
});

test("without an expected body any body passes", () => {
  expect(verdictOn(response({ status: 200 }), { rows: [{ at: 0, body: "x" }] }).outcome).toBe(
    "pass",
  );
});

test("every item of a list has to be there", () => {
  const rows = [{ at: 0, body: [1, 2] }];
  expect(verdictOn(response({ body: [1, 3] }), { rows }).outcome).toBe("fail");
});
