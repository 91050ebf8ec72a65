// The exact problems that Weir reports for broken files.
import { expect, test } from "vitest";
import { MERGE, RAMP, problemLines, SMALL, small } from "./examples.ts";

const S = "scenarios/limits/small.yaml";
const M = "scenarios/policy-merge/winner-takes-both.yaml";

const broken: readonly (readonly [what: string, text: string, lines: readonly string[]])[] = [
  [
    "a misspelt field",
    small("burst: 8", "brst: 8"),
    [`${S}:8:37 error SCN-UNKNOWN-FIELD "brst" is not a field of a flow; did you mean "burst"?`],
  ],
  [
    "a misspelt measure",
    small("sequence: {", "sequnce: {"),
    [
      `${S}:10:22 error SCN-UNKNOWN-FIELD "sequnce" is not a field of an expectation; did you mean "sequence"?`,
    ],
  ],
  [
    "a misspelt field at the top",
    small("title", "titel"),
    [
      `${S}:2:1 error SCN-UNKNOWN-FIELD "titel" is not a field of a scenario; did you mean "title"?`,
    ],
  ],
  [
    "a field that does not exist",
    small("title", "owner: me\ntitle"),
    [
      `${S}:2:1 error SCN-UNKNOWN-FIELD "owner" is not a field of a scenario; known: id, title, about, proves, needs, matrix, world, traffic, faults, expect, charts, lists`,
    ],
  ],
  [
    "a text with a colon and a space",
    small("title: ", "title: now: "),
    [
      `${S}:2:8 error SCN-YAML this is not YAML 1.2: Nested mappings are not allowed in compact mappings; quote a string that has ": " in it`,
    ],
  ],
  [
    "one where a list belongs",
    small("proves: [LIM-1]", "proves: LIM-1"),
    [`${S}:3:9 error SCN-VALUE "LIM-1" is not a list; write [LIM-1]`],
  ],
  [
    "the configuration, what lies around it and the traffic, all at once",
    small("world:", "world:\n  fleet: { nodes: 0 }")
      .replace("rate: 5", "rate: -5")
      .replace("burst", "brst"),
    [
      `${S}:5:19 error SCN-VALUE 0 is not an integer from 1 to 100`,
      `${S}:7:42 error CFG-RATE-RANGE rate must be between 0 and 9007199254, or -1 for unlimited; got -5`,
      `${S}:9:37 error SCN-UNKNOWN-FIELD "brst" is not a field of a flow; did you mean "burst"?`,
    ],
  ],
  [
    "a key that is not there",
    small("as: alice, send", "as: alise, send"),
    [`${S}:8:11 error SCN-NAME no key of the world is called "alise"; did you mean "alice"?`],
  ],
  [
    "a flow that is not there",
    small("as: alice }", "flow: alise }"),
    [`${S}:10:40 error SCN-NAME no flow is called "alise"; did you mean "alice"?`],
  ],
  [
    "a stage that is not there",
    RAMP.replace("stage: ebb", "stage: eb"),
    [
      'scenarios/smoothing/up-and-down-again.yaml:23:86 error SCN-NAME no flow has a stage "eb"; did you mean "ebb"?',
    ],
  ],
  [
    "an event that is not there",
    RAMP.replace("events: RateLimitSmoothing*", "events: RateLimitSmothing*"),
    [
      'scenarios/smoothing/up-and-down-again.yaml:24:52 error SCN-NAME no event is called "RateLimitSmothing*"; did you mean "RateLimitSmoothingUp"?',
    ],
  ],
  [
    "a time without a unit",
    small("burst: 8", "every: 5, count: 3"),
    [
      `${S}:8:44 error SCN-VALUE 5 is not a duration above 0; write it with a unit, at most a year: "1.1s", "250ms", "1m30s"`,
    ],
  ],
  [
    "a shape without its length",
    small("burst: 8", "rate: 5"),
    [`${S}:8:5 error SCN-MISSING-FIELD "rate" needs "for": How long.`],
  ],
  [
    "two shapes",
    small("burst: 8", "burst: 8, rate: 5, for: 1s"),
    [`${S}:8:47 error SCN-ONE-OF "burst" and "rate" are both given, and a flow takes one of them`],
  ],
  [
    "a field of another shape",
    small("burst: 8", "burst: 8, for: 1s"),
    [
      `${S}:8:47 error SCN-UNKNOWN-FIELD "for" does not go with "burst"; fields that do: name, as, send, from, headers, at, clients, skew, cost, behaviour, sequential, burst`,
    ],
  ],
  [
    "a variable without an axis",
    small("burst: 8", "burst: $size"),
    [`${S}:8:44 error SCN-VARIABLE no axis of the matrix is called "size"; there is none`],
  ],
  [
    "a misspelt variable",
    MERGE.replace("$algorithm", "$algoritm"),
    [
      `${M}:8:3 error SCN-UNUSED-AXIS nothing uses the axis "algorithm"; write $algorithm where its value belongs, or take the axis out`,
      `${M}:17:25 error SCN-VARIABLE no axis of the matrix is called "algoritm"; did you mean "algorithm"?`,
    ],
  ],
  [
    "an axis without a list",
    MERGE.replace("algorithm: [fixed-window, sliding-log]", "algorithm: fixed-window"),
    [
      `${M}:8:14 error SCN-MATRIX the axis "algorithm" needs a list with at least one value; or a group: all, immediate, logs`,
    ],
  ],
  [
    "a cell that is not there",
    MERGE.replace(
      "sequence: { flow: first }",
      "where: { algorithm: fixed }\n    sequence: { flow: first }",
    ),
    [
      `${M}:23:25 error SCN-NAME "fixed" is not a value of the axis "algorithm"; known: fixed-window, sliding-log`,
    ],
  ],
  [
    "an anchor and its alias",
    small("alice: {", "alice: &a {").replace("as: alice }", "as: *a }"),
    [
      `${S}:6:21 error SCN-YAML-FEATURE &a is an anchor; write the value out where it is needed`,
      `${S}:10:38 error SCN-YAML-FEATURE *a is an alias; write the value out, or vary it with the matrix`,
    ],
  ],
  [
    "a tag",
    small("five a second", "!!str five"),
    [
      `${S}:2:14 error SCN-YAML-FEATURE !!str is a tag; leave it out; quote a string that looks like a number`,
    ],
  ],
  [
    "an integer that no record takes",
    small("rate: 5", `meta_data: { n: -${"9".repeat(41)} }, rate: 5`),
    [`${S}:6:52 error SCN-VALUE an integer has at most 40 digits`],
  ],
  [
    "a rate that would become 0",
    small("rate: 5", "rate: 1e-400"),
    [
      `${S}:6:42 error SCN-VALUE 1e-400 is a number closer to 0 than there is, and would become 0; write 0`,
    ],
  ],
  [
    "a merge key",
    small("rate: 5", "<<: { per: 2 }, rate: 5"),
    [`${S}:6:36 error SCN-YAML-FEATURE "<<" is a merge key; write the fields out`],
  ],
  [
    "a directive",
    `%YAML 1.1\n---\n${SMALL}`,
    [
      `${S}:1:1 error SCN-YAML-FEATURE the file begins with a %YAML directive; leave it out; scenarios are YAML 1.2`,
    ],
  ],
  [
    "a second document",
    `${SMALL}---\na: 1\n`,
    [`${S}:11:1 error SCN-YAML-FEATURE a second document begins here; one file holds one scenario`],
  ],
  [
    "a field twice",
    small("rate: 5, per: 1", "rate: 5, per: 1, rate: 6"),
    [`${S}:6:53 error SCN-DUPLICATE-FIELD "rate" is given twice; keep one of them`],
  ],
  [
    "a tab",
    small("  keys", "\tkeys"),
    [
      `${S}:6:1 error SCN-YAML this is not YAML 1.2: Tabs are not allowed as indentation; indent with spaces`,
    ],
  ],
  [
    "brackets without end",
    `a: ${"[".repeat(20_000)}`,
    [`${S}:1:1 error SCN-YAML this is not YAML 1.2: collections are nested too deep`],
  ],
  [
    "nothing",
    "",
    [`${S}:1:1 error SCN-VALUE the file is empty; weir new FOLDER/NAME creates a first scenario`],
  ],
  [
    "a count of nothing",
    small("sequence: { as: alice }, equals: 5*200 3*429", "count: { status: 500 }, equals: 0"),
    [
      `${S}:10:5 error SCN-VACUOUS a count of 0 would also hold if nothing was sent; write among how many: among: { atLeast: 100 }`,
    ],
  ],
  [
    "no comparison",
    small(", equals: 5*200 3*429", ""),
    [`${S}:10:5 error SCN-ONE-OF a sequence needs "equals" or "agreeWith", one of the two`],
  ],
  [
    "two comparisons",
    small("sequence: { as: alice }, equals: 5*200 3*429", "count: {}, atLeast: 1, atMost: 9"),
    [
      `${S}:10:45 error SCN-ONE-OF "atLeast" and "atMost" exclude each other; write one of them; "between" has two bounds`,
    ],
  ],
  [
    "an unknown requirement",
    small("LIM-1]", "LMI-1]"),
    [`${S}:3:10 error SCN-REQUIREMENT there is no requirement "LMI-1"; did you mean "LIM-1"?`],
  ],
  [
    "no traffic",
    small("traffic:\n  - { as: alice, send: GET /orders, burst: 8 }\n", ""),
    [
      `${S}:1:1 error SCN-TRAFFIC no request is sent, so the expectations have nothing to examine; write at least one flow under traffic`,
    ],
  ],
  [
    "more traffic than memory",
    small("burst: 8", "rate: 1000000, for: 1h"),
    [
      `${S}:8:3 error SCN-TRAFFIC the traffic has about 3600000000 requests, and 50000000 are the most`,
    ],
  ],
  [
    "more traffic than memory, counted without its pauses",
    small("burst: 8", "onoff: { on: 1s, off: 9s, rate: 1000000 }, for: 1h"),
    [
      `${S}:8:3 error SCN-TRAFFIC the traffic has about 360000000 requests, and 50000000 are the most`,
    ],
  ],
  [
    "two flows of one name",
    small("burst: 8 }", "burst: 8 }\n  - { as: alice, send: GET /orders, burst: 8 }"),
    [`${S}:9:5 error SCN-DUPLICATE-NAME two flows are called "alice"; give each a name of its own`],
  ],
  [
    "a method with swapped letters",
    small("send: GET", "send: GTE"),
    [`${S}:8:24 error SCN-VALUE "GTE" is not an HTTP method; did you mean "GET"?`],
  ],
  [
    "a method that few servers know",
    small("send: GET", "send: PURGE"),
    [
      `${S}:8:24 warning SCN-METHOD "PURGE" is none of the usual HTTP methods; those are GET, HEAD, POST, PUT, PATCH, DELETE, OPTIONS, TRACE, CONNECT`,
    ],
  ],
  [
    "a series that is not there",
    RAMP.replace("gauge.allowance]", "gauge.allowence]"),
    [
      'scenarios/smoothing/up-and-down-again.yaml:32:68 error SCN-NAME no series is called "gauge.allowence"; did you mean "gauge.allowance"?',
    ],
  ],
  [
    "a mark that is not there",
    RAMP.replace("marks: [events]", "marks: [event]"),
    [
      'scenarios/smoothing/up-and-down-again.yaml:32:114 error SCN-VALUE "event" is not one of events; did you mean "events"?',
    ],
  ],
  [
    "faults that nobody expects, expected",
    small(
      "sequence: { as: alice }, equals: 5*200 3*429",
      "configuration: { level: errors }, equals: []",
    ),
    [
      `${S}:10:64 error SCN-VACUOUS a world with unexpected errors is rejected anyway; leave this expectation out, or write level: warnings`,
    ],
  ],
  [
    "several things at once",
    small("burst: 8", "burst: many")
      .replace("rate: 5", "rate: fast")
      .replace("title", "titel")
      .replace("5*200", "5*2000"),
    [
      `${S}:2:1 error SCN-UNKNOWN-FIELD "titel" is not a field of a scenario; did you mean "title"?`,
      `${S}:6:42 error CFG-TYPE rate must be a number; got "fast"`,
      `${S}:8:44 error SCN-VALUE "many" is not an integer from 1 to 50000000`,
      `${S}:10:55 error SCN-VALUE "5*2000 3*429" is not a row of statuses; write "5*200 3*429"`,
    ],
  ],
];

/** Without the warning that some policies lose, which the example is about. */
const errorsIn = (text: string): readonly string[] =>
  problemLines(text).filter((line) => !line.includes(" CFG-POLICY-LOSES "));

test.each(broken)("%s is reported at its position", (_what, text, lines) => {
  expect(errorsIn(text)).toEqual(lines);
});

test("a problem of every variant is reported once", () => {
  expect(errorsIn(MERGE.replace("flow: second", "flow: secnd"))).toEqual([
    `${M}:26:23 error SCN-NAME no flow is called "secnd"; did you mean "second"?`,
  ]);
});
