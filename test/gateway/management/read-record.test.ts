import { expect, test } from "vitest";
import { DEFAULT_OPTIONS } from "#src/limiter/world/options.ts";
import { readRecord } from "#src/gateway/management/read-record.ts";

const entry = (path: string) => ({ path, method: "GET", enabled: true, rate: 1, per: 1 });

test.each([
  ["exact", []],
  ["same", ["CFG-ENDPOINT-DUPLICATE"]],
] as const)(
  "a record is read by the options in force: a trailing slash that is %s (EPT-C7)",
  (trailingSlash, codes) => {
    const { endpointMatching } = DEFAULT_OPTIONS;
    const options = {
      ...DEFAULT_OPTIONS,
      endpointMatching: { ...endpointMatching, trailingSlash },
    };
    const governing = { apis: new Map(), policies: new Map(), options };
    const document = { listen: "/a", endpoints: [entry("/x"), entry("/x/")] };
    const { problems, api } = readRecord("apis", "a", document, governing);
    expect(problems.map(({ code }) => code)).toEqual(codes);
    expect(api?.endpoints).toHaveLength(2);
  },
);
