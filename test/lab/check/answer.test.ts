// Expectations on the responses to calls, and patterns of bodies.
import { expect, test } from "vitest";
import { isPartOf } from "#src/lab/check/part-of.ts";
import { micros } from "#src/kit/units.ts";
import { NO_GATEWAY, NO_STATUS, type HistoryCall } from "#src/lab/scenario/history.ts";
import type { Measure } from "#src/lab/scenario/types.ts";
import type { Json } from "#src/kit/reading/shape.ts";
import { verdictOn } from "./verdict-on.ts";

const callTo = (call: string, status: number, more: Partial<HistoryCall> = {}): HistoryCall => ({
  call,
  on: "admin",
  method: "GET",
  path: "/keys",
  gateway: 0,
  plannedUs: micros(0),
  sentUs: micros(0),
  answeredUs: micros(1),
  status,
  headers: { etag: "7" },
  body: { id: "alice" },
  ...more,
});
type Answer = Extract<Measure, { kind: "answer" }>;
const answer = (more: Partial<Answer>): Answer => ({
  kind: "answer",
  call: ["read"],
  nth: "all",
  status: null,
  headers: {},
  body: null,
  ...more,
});
const CALLS = [callTo("read", 200), callTo("other", 500), callTo("read", 404, { body: null })];

test.each<[Partial<Answer>, string, string]>([
  [{}, "pass", "200"],
  [{ call: ["write"] }, "vacuous", "no answer"],
  [{ call: ["other", "write"], status: 500 }, "pass", "500"],
  [{ nth: 0, status: 200, headers: { ETag: 7 } }, "pass", "200, ETag: 7"],
  [{ nth: 0, headers: { Vary: null } }, "pass", "200, Vary: absent"],
  [{ nth: 0, headers: { ETag: 7, Vary: null } }, "pass", "200, ETag: 7, Vary: absent"],
  [{ nth: 1, status: 404 }, "pass", "404"],
  [{ nth: "last", status: 404 }, "pass", "404"],
  [{ nth: 2 }, "fail", "only 2 answers"],
  [{ status: 200 }, "fail", "404 to read: status is 404 with null"],
  [{ nth: 0, headers: { Vary: "x" } }, "fail", "200, Vary: absent to read: Vary is absent"],
  [{ nth: 0, headers: { ETag: 8 } }, "fail", "200, ETag: 7 to read: ETag is 7"],
  [{ nth: 0, body: { id: "alice" } }, "pass", "200"],
  [{ nth: 0, body: { id: "bob" } }, "fail", '200 to read: the body is {"id":"alice"}'],
])("%j is %s: %s", (more, outcome, observed) => {
  expect(verdictOn(answer(more), { calls: CALLS })).toMatchObject({ outcome, observed });
});

test("a call without a response has its position, and no answer is expected of it", () => {
  const lost = callTo("read", NO_STATUS, { gateway: NO_GATEWAY, headers: {}, body: null });
  const calls = [callTo("read", 201), lost, callTo("read", 201)];
  const of = (nth: Answer["nth"], more: Partial<Answer> = { status: 201 }): string => {
    const { outcome, observed } = verdictOn(answer({ nth, ...more }), { calls });
    return `${outcome}: ${observed}`;
  };
  const none = "fail: lost to read: no gateway responded";
  expect([of(0), of(1), of("last"), of("all")]).toEqual(["pass: 201", none, "pass: 201", none]);
  expect([of(1, {}), of(1, { headers: { ETag: null } })]).toEqual([
    none,
    "fail: lost, ETag: absent to read: no gateway responded",
  ]);
  expect(verdictOn(answer({ call: ["write"] }), { calls }).outcome).toBe("vacuous");
});

const VALUES = { text: "abc", whole: 7, number: 7.5, truth: true, list: [1], map: { a: 1 } };
test.each<[Json, string]>([
  ["<any>", "text whole number truth list map"],
  ["<absent>", "missing"],
  ["<contains bc>", "text"],
  ["<string>", "text"],
  ["<number>", "whole number"],
  ["<integer>", "whole"],
  ["<boolean>", "truth"],
  ["<list>", "list"],
  ["<map>", "map"],
])("%s are %s", (pattern, names) => {
  const all: readonly [string, Json | undefined][] = [
    ...Object.entries(VALUES),
    ["missing", undefined],
  ];
  const found = all.filter(([, value]) => isPartOf(pattern, value)).map(([name]) => name);
  expect(found.join(" ")).toBe(names);
});
