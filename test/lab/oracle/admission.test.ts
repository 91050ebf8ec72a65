// Requests that are rejected before any limit is evaluated (LIM-C1, MGT-C9), and why.
import { expect, test } from "vitest";
import { micros } from "#src/kit/units.ts";
import { resolveAdmission, type Admission, costOf } from "#src/lab/oracle/admission.ts";
import { key, right, type WorldText } from "../../histories/world.ts";
import { readWorld } from "./evaluate.ts";

interface Question {
  readonly path?: string;
  readonly credential?: string | null;
  readonly between?: readonly [number, number];
  readonly method?: string;
  readonly isAmbiguous?: boolean;
}

const admit = (
  {
    path = "/orders",
    credential = "alice",
    between = [0, 0],
    method = "GET",
    isAmbiguous = false,
  }: Question,
  world: WorldText,
): Admission => {
  const [unixFromUs, unixToUs] = between;
  const shown = { credential, isAmbiguous };
  return resolveAdmission(
    { method, path, headers: {}, ...shown, unixFromUs, unixToUs },
    readWorld(world),
  );
};

function inWords(found: Admission): string {
  switch (found.kind) {
    case "served":
      return `served ${found.paths.join(" or ")}`;
    case "rejected":
      return `${found.statuses.join(" or ")}: ${found.why}`;
    case "open":
      return `open: ${found.why}`;
  }
}

const strict = new Map([["orders", { ...right(), unenforced: ["versions"] }]]);
test.each([
  [{}, {}, "served /"],
  [{ path: "/orders/..%2fusers" }, {}, "400: the path hides a separator (EPT-C7)"],
  [{ path: "/stock" }, {}, "404: no API listens there"],
  [{ credential: null }, {}, "401: no credential"],
  [{ credential: "bob" }, {}, "403: unknown credential"],
  [{ isAmbiguous: true, path: "/stock" }, {}, "400: two credentials under one name"],
  [{ method: "TRACE", isAmbiguous: true }, {}, "405: its answer would hold the credential"],
  [{}, { inactive: true }, "403: the key or a policy of it is inactive"],
  [{}, { applyPolicies: ["gone"] }, "403: none of the key's policies exists (LIM-C7)"],
  [
    {},
    { unenforced: ["hmac_enabled"] },
    "403: the key has restrictions that the gateway does not enforce (MGT-C8)",
  ],
  [
    {},
    { accessRights: strict },
    "403: the key has restrictions that the gateway does not enforce (MGT-C8)",
  ],
  [{}, { accessRights: new Map() }, "403: the key has no access to the API"],
  [
    { between: [2, 2] },
    { inactive: true, expiresUs: micros(1) },
    "401 or 403: the key has expired, the key or a policy of it is inactive",
  ],
] as const)("%j with a key of %j: %s", (question, more, expected) => {
  expect(inWords(admit(question, { keys: [key("alice", more)] }))).toBe(expected);
});

test.each([
  [9, 9, "served /"],
  [9, 10, "open: the key expires about now"],
  [10, 10, "open: the key expires about now"],
  [10, 11, "open: the key expires about now"],
  [11, 12, "401: the key has expired"],
])("between %d and %d a key that expires at 10 is: %s", (from, to, expected) => {
  const keys = [key("alice", { expiresUs: micros(10) })];
  expect(inWords(admit({ between: [from, to] }, { keys }))).toBe(expected);
});

test.each([
  ["/orders/a?b?c\nd", "served /a"],
  ["/orders//a?b", "served //a"],
])("a path that is not normalized loses only its query: %j is %s", (path, expected) => {
  expect(inWords(admit({ path }, { options: { normalizePath: false } }))).toBe(expected);
});

test.each([
  ["", 1],
  ["3", 3],
  ["0012", 12],
  ["1000", 1000],
  ["00001", null],
  ["1001", null],
  ["0", null],
  ["2, 3", null],
])("a cost stated as %j is %s (LIM-C19)", (text, cost) => {
  expect(costOf({ "X-Cost": text }, { costHeader: "x-cost" })).toBe(cost);
});
