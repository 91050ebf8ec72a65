import { expect, test } from "vitest";
import { exactMatchingWarning } from "#src/gateway/serving/exact-matching.ts";
import { configurationOf } from "../../limiter/core/limiters.ts";

const LIMITED = { path: "/x", method: "GET", enabled: true, rate: 1, per: 1 };
const ENTRY = { path: "/x", methods: [{ name: "GET", limit: { rate: 1, per: 1 } }] };
const warningOf = (aspects: string): string =>
  `warning: endpoint limits compare ${aspects} exactly: another spelling is another path (endpoint_matching); see docs/serve/endpoint-spellings.md`;
const ALL_THE_SAME = {
  letter_case: "same",
  trailing_slash: "same",
  path_parameters: "same",
  head: "same",
};
const ALL = warningOf("letter_case, trailing_slash, path_parameters, head");
const api = (...endpoints: readonly object[]) => ({ apis: { a: { listen: "/a", endpoints } } });
const rights = { access_rights: { a: { endpoints: [ENTRY] } } };

test.each([
  ["an API that limits no endpoint", api(), null],
  ["an API that limits one", api(LIMITED), ALL],
  ["a policy that does", { ...api(), policies: { p: rights } }, ALL],
  ["a key that does", { ...api(), keys: { k: rights } }, ALL],
  [
    "some that are the same",
    { ...api(LIMITED), gateway: { endpoint_matching: { letter_case: "same", head: "same" } } },
    warningOf("trailing_slash, path_parameters"),
  ],
  [
    "all that are the same",
    { ...api(LIMITED), gateway: { endpoint_matching: ALL_THE_SAME } },
    null,
  ],
  [
    "paths that are not normalised",
    { ...api(LIMITED), gateway: { endpoint_matching: ALL_THE_SAME, normalize_path: false } },
    "warning: endpoint limits compare paths without normalization (normalize_path: false); see docs/serve/endpoint-spellings.md",
  ],
  [
    "paths that are not normalised, and HEAD that is no GET",
    {
      ...api(LIMITED),
      gateway: { endpoint_matching: { ...ALL_THE_SAME, head: "exact" }, normalize_path: false },
    },
    "warning: endpoint limits compare head exactly: another spelling is another path (endpoint_matching); paths without normalization (normalize_path: false); see docs/serve/endpoint-spellings.md",
  ],
])("%s (EPT-C7)", (_, world, line) => {
  expect(exactMatchingWarning(configurationOf(world))).toBe(line);
});
