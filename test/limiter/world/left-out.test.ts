// Limits of an API that are not enforced: switched off, or 0/0.
import { expect, test } from "vitest";
import type { OmittedLimit } from "#src/limiter/core/config.ts";
import { configurationOf, oas, withApi } from "./worlds.ts";

const off = { rate: 1, per: 1, enabled: false };
const limitsLeftOut = (api: unknown): readonly OmittedLimit[] | undefined =>
  configurationOf(withApi(api)).apis.values().next().value?.leftOut;

test.each([
  [{ listen: "/o", endpoints: [{ path: "/x", method: "GET", rate: 1, per: 1 }] }, undefined],
  [
    {
      listen: "/o",
      global_rate_limit: { rate: 0, per: 0 },
      endpoints: [
        { path: "/x", method: "get", ...off },
        { path: "/y", method: 7, ...off },
        { path: "/z", method: "GET", rate: 0, per: 0 },
        { path: "/none", method: "GET", rate: 0, per: 1 },
      ],
    },
    ["get /x: disabled", "7 /y: disabled", "GET /z: zero", "global_rate_limit: zero"],
  ],
  [
    {
      proxy: { listen_path: "/o" },
      extended_paths: { rate_limit: [{ path: "/x", method: "GET", ...off }] },
    },
    ["GET /x: disabled"],
  ],
  [{ proxy: { listen_path: "/o" } }, undefined],
  [
    oas(
      { "/x": { get: { operationId: "a" } } },
      {},
      {
        "x-gw-api-gateway": {
          server: { listenPath: { value: "/o" } },
          upstream: { rateLimit: { enabled: false } },
          operations: { a: { rateLimit: { rate: 0, per: "0s", enabled: false } } },
        },
      },
    ),
    ["GET /x: disabled", "global_rate_limit: disabled"],
  ],
])("of %j is left out: %j", (api: unknown, omitted) => {
  expect(limitsLeftOut(api)?.map(({ where, why }) => `${where}: ${why}`)).toEqual(omitted);
});
