import { expect, test } from "vitest";
import type { Measure } from "../../src/scenario/types.ts";
import { rowsOf } from "../histories/history.ts";
import { EVERYTHING } from "../histories/world.ts";
import { judged } from "./judged.ts";

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
  expect(judged(refused, { rows })).toMatchObject({
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
  expect(judged(response(more), { rows })).toMatchObject({ outcome: "fail", observed });
});

test("an absent header is as asked", () => {
  expect(judged(response({ nth: 0, headers: { "retry-after": null } }), { rows }).outcome).toBe(
    "pass",
  );
});

test("no response is vacuous", () => {
  expect(judged(response({ status: 200 }), { rows: [] }).outcome).toBe("vacuous");
});

test("what the history does not keep is an error", () => {
  expect(judged(response({ headers: { ETag: "x" } }), { rows })).toMatchObject({
    outcome: "error",
    observed: 'the history does not keep the header "ETag"',
  });
  expect(judged(response({ body: { error: "x" } }), { rows })).toMatchObject({
    outcome: "error",
    observed: "the history does not keep what an upstream answers",
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
  expect(judged(response({ body }), { rows: [row!] })).toMatchObject({
    outcome,
    ...(outcome === "fail"
      ? { observed: `429: the body is ${JSON.stringify(refused)}`, evidence: [0] }
      : {}),
  });
});

test("a status that is wrong is a failure, whatever the history keeps", () => {
  expect(judged(response({ nth: 0, status: 429, body: { error: "x" } }), { rows }).outcome).toBe(
    "fail",
  );
});
