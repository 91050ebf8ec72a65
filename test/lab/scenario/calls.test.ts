// Calls to the management APIs in a scenario file.
import { describe, expect, test } from "vitest";
import type { ManagementCall } from "#src/lab/scenario/types.ts";
import { decodeScenario, problemsOf, small } from "./examples.ts";

const FLOW = "{ as: alice, send: GET /orders, burst: 8 }";
const withCall = (call: string): string => small(FLOW, `${FLOW}\n  - ${call}`);
const callOf = (call: string): ManagementCall | undefined =>
  decodeScenario(withCall(call)).variants[0]?.calls[0];

describe("a call", () => {
  test("has the interface of its path, its credential, and no body", () => {
    expect(callOf("{ call: DELETE api/profiles/p1 }")).toEqual({
      name: "DELETE api/profiles/p1",
      on: "broker",
      method: "DELETE",
      path: "/api/profiles/p1",
      as: "valid",
      headers: {},
      body: null,
      atUs: 0,
    });
  });

  test.each<[call: string, on: string]>([
    ["PUT admin/org/keys/alice", "admin"],
    ["POST api/users/search?p=2", "dashboard"],
    ["GET api/portal/policies", "dashboard"],
    ["GET api/apis/orders", "dashboard"],
    ["POST api/v1/catalogues", "studio"],
    ["GET api/profiles", "broker"],
    ["GET portal-api/webhooks?page=1", "portal"],
  ])("%s goes to the %s interface", (call, on) => {
    expect(callOf(`{ call: "${call}" }`)?.on).toBe(on);
  });

  test.each<[call: string, part: Partial<ManagementCall>]>([
    [
      "{ call: GET openapi.json, on: admin, at: 1s, name: document, as: none }",
      { on: "admin", path: "/openapi.json", atUs: 1_000_000 as ManagementCall["atUs"], as: "none" },
    ],
    [
      "{ call: PUT admin/org/keys/alice, body: { rate: 7, tags: null } }",
      { body: '{"rate":7,"tags":null}', headers: { "Content-Type": "application/json" } },
    ],
    ["{ call: PUT admin/org/keys/alice, body: null }", { body: "null" }],
    [
      "{ call: PUT admin/org/keys/alice, raw: '{', headers: { Content-Type: text/plain } }",
      { body: "{", headers: { "Content-Type": "text/plain" } },
    ],
    ["{ call: PUT admin/org/keys/alice, raw: ä, size: 4 }", { body: "ä  " }],
    [
      "{ call: DELETE admin/org/keys/alice, if_match: 3 }",
      { headers: { "If-Match": '"3"' }, body: null },
    ],
    ['{ call: DELETE admin/org/keys/alice, if_match: "*" }', { headers: { "If-Match": "*" } }],
  ])("%s", (call, part) => {
    expect(callOf(call)).toMatchObject(part);
  });

  test("may be all the traffic there is", () => {
    const text = small(FLOW, "{ name: raise, call: PUT admin/org/keys/alice, body: {} }").replace(
      /- \{ id: .*\}/,
      "- { id: response, response: { call: raise }, matches: { status: 200 } }",
    );
    expect(problemsOf(text)).toEqual([]);
  });

  test.each<[call: string, line: string]>([
    [
      "{ call: PUT /admin/org/keys/alice }",
      'SCN-VALUE "PUT /admin/org/keys/alice" is not a method and a path after the interface\'s base; write "PUT admin/org/keys/alice": the method in capitals, a space, the path without a slash before it',
    ],
    [
      "{ call: PUTT admin/org/keys }",
      'SCN-VALUE "PUTT" is not an HTTP method; did you mean "PUT"?',
    ],
    [
      "{ call: PUT admn/org/keys }",
      'SCN-NAME no interface has paths that begin with "admn/org"; did you mean "admin/org"?',
    ],
    [
      "{ call: GET nowhere }",
      'SCN-NAME no interface has paths that begin with "nowhere"; write on: and one of studio, dashboard, admin, broker, portal',
    ],
    [
      "{ cal: GET api/users }",
      'SCN-UNKNOWN-FIELD "cal" is not a field of a call; did you mean "call"?',
    ],
    [
      "{ call: GET api/users, burst: 2 }",
      'SCN-UNKNOWN-FIELD "burst" is not a field of a call; known: name, call, on, at, as, headers, if_match, body, raw, size',
    ],
    [
      "{ call: GET api/users, as: alice }",
      'SCN-VALUE "alice" is not one of valid, invalid, empty, none',
    ],
    [
      "{ call: POST api/users, body: {}, raw: x }",
      'SCN-ONE-OF "body" and "raw" exclude each other',
    ],
    [
      "{ call: POST api/users, raw: long, size: 3 }",
      "SCN-VALUE the body has 4 bytes, so it cannot be padded to 3",
    ],
    [
      "{ call: GET api/users, name: alice }",
      'SCN-DUPLICATE-NAME two parts of the traffic are called "alice"; give each a name of its own',
    ],
  ])("%s is reported: %s", (call, line) => {
    expect(problemsOf(withCall(call))).toEqual([line]);
  });
});

test("a configuration that calls change cannot be changed by configure", () => {
  const text = `${withCall("{ call: DELETE admin/org/keys/alice, at: 1s }")}
faults:
  - { at: 0s, configure: { keys: { alice: { rate: 7 } } } }
`;
  expect(problemsOf(text)).toEqual([
    "SCN-UNKNOWN-FIELD a configuration that calls change cannot be changed by configure too; write a call for this change too",
  ]);
});

describe("an expectation of a response", () => {
  const expecting = (expectation: string): string =>
    withCall("{ name: raise, call: PUT admin/org/keys/alice, body: {} }").replace(
      /- \{ id: .*\}/,
      `- { id: response, ${expectation} }`,
    );

  test("selects calls, and compares their responses", () => {
    const text = expecting(
      "response: { call: raise, nth: last }, matches: { status: 200, body: { ID: <string> } }",
    );
    expect(decodeScenario(text).variants[0]?.expectations[0]?.measure).toEqual({
      kind: "answer",
      call: ["raise"],
      nth: "last",
      status: 200,
      headers: {},
      body: { ID: "<string>" },
    });
  });

  test.each<[expectation: string, line: string]>([
    [
      "response: { call: rise }, matches: { status: 200 }",
      'SCN-NAME no call is named "rise"; did you mean "raise"?',
    ],
    [
      "response: { call: raise, as: alice }, matches: { status: 200 }",
      'SCN-ONE-OF "as" chooses requests, and "call" chooses calls',
    ],
    [
      "response: { call: raise }, matches: { body: { ID: <strin> } }",
      'SCN-VALUE <strin> is not a pattern; did you mean "string"?',
    ],
    [
      "response: { call: raise }, matches: { body: [<something>] }",
      "SCN-VALUE <something> is not a pattern; known: <any>, <string>, <number>, <integer>, <boolean>, <list>, <map>, <absent>, <contains part of a string>",
    ],
    [
      "response: { call: raise }, matches: {}",
      "SCN-VACUOUS this matches every response; name a status, a header or a part of the body",
    ],
  ])("%s is reported: %s", (expectation, line) => {
    expect(problemsOf(expecting(expectation))).toEqual([line]);
  });
});

test("two interfaces cannot have the same path", () => {
  const text = small("world:\n", "world:\n  management: { bases: { admin: /studio } }\n");
  expect(problemsOf(text)).toEqual([
    "SCN-VALUE studio and admin have the same path; write another one",
  ]);
});
