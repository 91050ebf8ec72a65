import { describe, expect, test } from "vitest";
import { globMatches } from "#src/lab/scenario/read/names.ts";
import { formatRuns } from "#src/lab/check/runs.ts";
import { statusRuns } from "#src/lab/scenario/read/values.ts";
import { EVERYTHING } from "../../histories/world.ts";
import { decodeScenario, problemsOf, small } from "./examples.ts";

const expecting = (expectation: string): string =>
  small(
    "{ id: five pass, sequence: { as: alice }, equals: 5*200 3*429 }",
    `{ id: it, ${expectation} }`,
  );
const expectationProblems = (expectation: string): readonly string[] =>
  problemsOf(expecting(expectation));
const measureOf = (expectation: string): unknown =>
  decodeScenario(expecting(expectation)).variants[0]?.expectations[0]?.measure;

describe("an expectation", () => {
  test.each<[expectation: string, measure: unknown]>([
    [
      "count: { flow: alice, as: [alice], api: orders, endpoint: GET /orders, status: [200, 429], during: [0s, 10s], gateway: 0 }, between: [1, 2]",
      {
        kind: "count",
        filter: {
          flow: ["alice"],
          as: ["alice"],
          api: ["orders"],
          endpoint: "GET /orders",
          status: [200, 429],
          stage: null,
          during: { fromUs: 0, toUs: 10_000_000 },
          from: null,
          gateway: [0],
        },
        comparison: { op: "between", from: 1, to: 2 },
        among: null,
      },
    ],
    [
      "sequence: {}, agreeWith: oracle",
      { kind: "sequence", filter: EVERYTHING, equals: null, agreeWith: "oracle" },
    ],
    [
      "decisions: {}, agreeWith: oracle, open: { atMost: 0.6, because: the store is away }",
      {
        kind: "decisions",
        filter: EVERYTHING,
        agreeWith: "oracle",
        open: { atMost: 0.6, because: "the store is away" },
      },
    ],
    [
      "sequence: {}, agreeWith: oracle, open: { atMost: 1, because: the store is away }",
      {
        kind: "sequence",
        filter: EVERYTHING,
        equals: null,
        agreeWith: "oracle",
        open: { atMost: 1, because: "the store is away" },
      },
    ],
    [
      "maxInAnyWindow: { as: alice, window: 1s }, atMost: 5",
      {
        kind: "maxInAnyWindow",
        filter: { ...EVERYTHING, as: ["alice"] },
        windowUs: 1_000_000,
        comparison: { op: "atMost", value: 5 },
      },
    ],
    [
      "timeToAdmission: { as: alice, percentile: 99.5 }, atMost: 0s",
      {
        kind: "timeToAdmission",
        filter: { ...EVERYTHING, as: ["alice"] },
        percentile: 99.5,
        comparison: { op: "atMost", value: 0 },
      },
    ],
    [
      "gaveUp: { flow: [alice], during: [0s, 2s] }, between: [1, 2]",
      {
        kind: "gaveUp",
        filter: { ...EVERYTHING, flow: ["alice"], during: { fromUs: 0, toUs: 2_000_000 } },
        comparison: { op: "between", from: 1, to: 2 },
      },
    ],
    [
      "response: { nth: 7 }, matches: { status: 429, headers: { Retry-After: 1, X-Other: null }, body: { error: limit } }",
      {
        kind: "response",
        filter: EVERYTHING,
        nth: 7,
        status: 429,
        headers: { "Retry-After": 1, "X-Other": null },
        body: { error: "limit" },
      },
    ],
    [
      "response: { status: 429 }, matches: { headers: { Retry-After: '1' } }",
      {
        kind: "response",
        filter: { ...EVERYTHING, status: [429] },
        nth: "all",
        status: null,
        headers: { "Retry-After": "1" },
        body: null,
      },
    ],
    [
      "events: { event: RatelimitExceeded, during: [0s, 1s] }, equals: 0",
      {
        kind: "events",
        event: "RatelimitExceeded",
        key: null,
        during: { fromUs: 0, toUs: 1_000_000 },
        equals: null,
        count: { op: "equals", value: 0 },
      },
    ],
    [
      "never: { gauge: entries, atLeast: 2 }",
      {
        kind: "gauge",
        gauge: "entries",
        key: null,
        stage: null,
        when: "never",
        comparison: { op: "atLeast", value: 2 },
        withinUs: null,
        sometimes: [],
      },
    ],
    [
      "storeOps: {}, atMost: 4.5",
      {
        kind: "quantity",
        quantity: { of: "storeOps", per: "request" },
        filter: EVERYTHING,
        comparison: { op: "atMost", value: 4.5 },
      },
    ],
    [
      "storeEntries: { per: total, as: alice }, equals: 8",
      {
        kind: "quantity",
        quantity: { of: "storeEntries", per: "total" },
        filter: { ...EVERYTHING, as: ["alice"] },
        comparison: { op: "equals", value: 8 },
      },
    ],
    [
      "storeCommands: { before: answer }, equals: 4",
      {
        kind: "quantity",
        quantity: { of: "storeCommands", before: "answer", per: "request" },
        filter: EVERYTHING,
        comparison: { op: "equals", value: 4 },
      },
    ],
    [
      "configuration: { level: warnings }, equals: [{ code: CFG-X, path: keys.alice }]",
      {
        kind: "configuration",
        level: "warnings",
        op: "equals",
        problems: [{ code: "CFG-X", path: "keys.alice" }],
      },
    ],
    [
      "configuration: { level: warnings }, equals: []",
      { kind: "configuration", level: "warnings", op: "equals", problems: [] },
    ],
  ])("%s", (expectation, measure) => {
    expect(measureOf(expectation)).toEqual(measure);
  });

  test.each<[expectation: string, said: string]>([
    [
      "decisions: {}, agreeWith: oracle, open: { atMost: 0.6 }",
      'SCN-MISSING-FIELD a bound of open decisions needs "because": Why these decisions are open, as a clause; the verdict shows it.',
    ],
    [
      "decisions: {}, agreeWith: oracle, open: { atMost: 0.05, because: it is less }",
      "SCN-VALUE 0.05 is not a number from 0.1 to 1",
    ],
    [
      "sequence: {}, equals: 200, open: { atMost: 0.6, because: the store is away }",
      'SCN-ONE-OF "open" needs "agreeWith"',
    ],
    ["count: {}", "SCN-MISSING-FIELD this needs one of equals, atLeast, atMost, between"],
    [
      "count: {}, between: [2, 1]",
      "SCN-VALUE no number is between 2 and 1; write the smaller one first",
    ],
    [
      "count: {}, atMost: 0",
      "SCN-VACUOUS a count of 0 would also hold if nothing was sent; write among how many: among: { atLeast: 100 }",
    ],
    [
      "count: {}, between: [0, 0]",
      "SCN-VACUOUS a count of 0 would also hold if nothing was sent; write among how many: among: { atLeast: 100 }",
    ],
    [
      "count: { during: [2s, 1s] }, atLeast: 1",
      'SCN-VALUE ["2s","1s"] is not a span of time; write the earlier time first',
    ],
    [
      "count: { endpoint: GET /other }, atLeast: 1",
      'SCN-NAME no flow sends "GET /other"; did you mean "GET /orders"?',
    ],
    [
      "count: { api: order }, atLeast: 1",
      'SCN-NAME no API has the id "order"; did you mean "orders"?',
    ],
    ["count: { gateway: 1 }, atLeast: 1", "SCN-NAME there is no gateway 1; numbers begin at 0"],
    [
      "sequence: {}, equals: 5*200, agreeWith: oracle",
      'SCN-ONE-OF a sequence needs "equals" or "agreeWith", one of the two',
    ],
    [
      "decisions: {}",
      `SCN-MISSING-FIELD "decisions" needs "agreeWith": What the requirements allow for the same requests, computed without the gateway.`,
    ],
    [
      "response: {}, matches: {}",
      "SCN-VACUOUS this matches every response; name a status, a header or a part of the body",
    ],
    [
      "response: { nth: first }, matches: { status: 200 }",
      'SCN-VALUE "first" is not one of all, last',
    ],
    [
      "events: { event: RatelimitExceeded }",
      'SCN-ONE-OF "events" needs "sequence" or a comparison of their number, one of the two',
    ],
    [
      "events: { event: RateLimit* }, sequence: QuotaExceeded",
      'SCN-NAME "QuotaExceeded" is none of the events that "RateLimit*" chooses; known: RateLimitSmoothingUp, RateLimitSmoothingDown',
    ],
    [
      "events: { event: RatelimitExceeded, key: bob }, atLeast: 1",
      'SCN-NAME no key is called "bob"; known: alice',
    ],
    [
      "gapBetween: { events: RateLimit* }, atLeast: 5",
      'SCN-VALUE 5 is not a duration above 0; write it with a unit, at most a year: "1.1s", "250ms", "1m30s"',
    ],
    [
      "always: { gauge: allowances, equals: 1 }",
      'SCN-VALUE "allowances" is not one of allowance, entries, bytes; did you mean "allowance"?',
    ],
    [
      "always: { gauge: allowance }",
      "SCN-MISSING-FIELD this needs one of equals, atLeast, atMost, between",
    ],
    [
      "always: { gauge: allowance, equals: 1, within: 1s }",
      'SCN-UNKNOWN-FIELD "within" does not go with "always"; remove it, or write eventually',
    ],
    [
      "never: { gauge: allowance, equals: 1 }, sometimes: [1]",
      'SCN-UNKNOWN-FIELD "sometimes" does not go with "never"; fields that do: id, where, proves, never',
    ],
    [
      "storeOps: {}, growsWith: load",
      'SCN-NAME no axis of the matrix is called "load"; there is none',
    ],
    [
      "configuration: { level: errors }",
      'SCN-ONE-OF "configuration" needs "equals" or "contains", one of the two',
    ],
    [
      "sameAs: { variant: { a: 1, b: 2 } }",
      'SCN-VALUE {"a":1,"b":2} does not name one other variant; write {axis: value}',
    ],
    [
      "count: {}, sequence: {}, atLeast: 1",
      'SCN-ONE-OF "sequence" and "count" are both given, and an expectation takes one of them',
    ],
  ])("%s is reported", (expectation, line) => {
    expect(expectationProblems(expectation)).toEqual([line]);
  });

  test("has two errors of one round, of which neither hides the other", () => {
    expect(expectationProblems("storeOps: {}, atMost: 4, constantIn: load")).toEqual([
      "SCN-ONE-OF this needs one of equals, atLeast, atMost, between, growsWith, constantIn, lessThan",
      'SCN-NAME no axis of the matrix is called "load"; there is none',
    ]);
  });

  test("is needed in each variant", () => {
    const text = small("world:", "matrix: { speed: [5, 6] }\nworld:")
      .replace("rate: 5", "rate: $speed")
      .replace("id: five pass,", "id: five pass, where: { speed: 5 },");
    expect(problemsOf(text)).toEqual(["SCN-VACUOUS no expectation applies to the variant speed=6"]);
  });
});

test("a row of statuses reads back as it is written, neighbours joined", () => {
  const read = statusRuns.read("200 2*200 429 1*500", [], []) ?? [];
  expect(formatRuns(read)).toBe("3*200 429 500");
  expect(statusRuns.read(429, [], [])).toEqual([{ times: 1, what: "429" }]);
  for (const wrong of ["", "200,429", "0*200", "5*2000", "5 * 200", "*200", "abc"])
    expect(statusRuns.read(wrong, [], [])).toBeUndefined();
});

test.each<[glob: string, name: string, matches: boolean]>([
  ["RateLimit*", "RateLimitSmoothingUp", true],
  ["RateLimit*", "RatelimitExceeded", false],
  ["*", "anything", true],
  ["*Up", "RateLimitSmoothingUp", true],
  ["R*Smoothing*p", "RateLimitSmoothingUp", true],
  ["Store*Store", "Store", false],
  ["a*b*c", "abbc", true],
  ["a*bb*bc", "abbc", false],
  ["Quota", "QuotaExceeded", false],
])("%s and %s", (glob, name, matches) => {
  expect(globMatches(glob, name)).toBe(matches);
});
