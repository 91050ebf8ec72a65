import { expect, test } from "vitest";
import { exactAspects } from "../../src/cli/serving/exact-aspects.ts";
import { configured } from "../core/limiters.ts";

const LIMITED = { path: "/x", method: "GET", enabled: true, rate: 1, per: 1 };
const ENTRY = { path: "/x", methods: [{ name: "GET", limit: { rate: 1, per: 1 } }] };
const said = (aspects: string): string =>
  `limits   of endpoints take ${aspects} exactly: another spelling is another path (endpoint_matching)`;
const ALL = said("letter_case, trailing_slash, path_parameters, head");
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
    said("trailing_slash, path_parameters"),
  ],
  [
    "all that are the same",
    {
      ...api(LIMITED),
      gateway: {
        endpoint_matching: {
          letter_case: "same",
          trailing_slash: "same",
          path_parameters: "same",
          head: "same",
        },
      },
    },
    null,
  ],
])("%s (EPT-C7)", (_, world, line) => {
  expect(exactAspects(configured(world))).toBe(line);
});
