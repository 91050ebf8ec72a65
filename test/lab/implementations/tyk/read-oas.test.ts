// The reader of Tyk: API definitions of the OAS form.
import { expect, test } from "vitest";
import { openOf, play, times } from "../read-and-play.ts";
import { decide, oas, policy, readFiles } from "./world.ts";

const LOG = { use_db_app_configs: false, enable_redis_rolling_limiter: true };

const rateLimit = (rate: number, per: string, enabled = true): object => ({ enabled, rate, per });

test("an OAS API has a limit of its own and of operations, tried from the longest path on", () => {
  const api = oas(
    "a",
    { upstream: { url: "u", rateLimit: rateLimit(1, "1m") } },
    {
      "/x": rateLimit(2, "1m"),
      "/x/{id}/y": rateLimit(3, "1m30s"),
      "/off": rateLimit(9, "1s", false),
    },
  );
  const decideAt = (path: string, at = 0): string =>
    decide([api, LOG], [...times(4, { at: 0, path }), { at, path }]);
  expect(decideAt("/a/x")).toBe("++---");
  expect(decideAt("/a/x/1/y")).toBe("+++--");
  expect(decideAt("/a/x/1/y", 80)).toBe("+++--");
  expect(decideAt("/a/x/1/y", 91)).toBe("+++-+");
  expect(decideAt("/a/off")).toBe("+----");
  expect(decideAt("/a/z")).toBe("+----");
  const parts = oas("a", {}, { "/longer-one": rateLimit(1, "1m"), "/b/c": rateLimit(2, "1m") });
  expect(decide([parts, LOG], times(3, { at: 0, path: "/a/longer-one/b/c" }))).toBe("++-");
  const skipped = oas("a", {
    upstream: { rateLimit: rateLimit(1, "1m") },
    middleware: { global: { skipRateLimit: true } },
  });
  expect(decide([skipped, LOG], times(2, { at: 0, path: "/a/x" }))).toBe("++");
});

test("a limit of an operation that no path has is named", () => {
  const api = oas("a", { middleware: { operations: { lost: { rateLimit: rateLimit(1, "1s") } } } });
  expect(openOf(readFiles([api, LOG]))).toEqual([
    expect.stringMatching(/no path has the operationId lost, so this limit is missing/),
  ]);
});

test("an OAS API is found in an export of a dashboard", () => {
  const oasApi = oas("a", { upstream: { rateLimit: rateLimit(1, "60s") } });
  const read = readFiles([{ oas: oasApi, api_definition: {} }, LOG]);
  expect(play(read, times(2, { at: 0, path: "/a/" }))).toBe("+-");
});

test("blocked requests and those outside the allowed ones are rejected before the limit", () => {
  const apiWith = (middleware: object): object => {
    const api = oas("a", { upstream: { rateLimit: rateLimit(1, "1m") } }, {});
    return JSON.parse(
      JSON.stringify({
        ...api,
        paths: { "/x": { get: { operationId: "x" } }, "/y": { get: { operationId: "y" } } },
      }).replace('"operations":{}', `"operations":${JSON.stringify(middleware)}`),
    ) as object;
  };
  const decideAt = (middleware: object): string =>
    ["/a/x", "/a/y", "/a/z"]
      .map((path) => decide([apiWith(middleware), LOG], times(2, { at: 0, path })))
      .join(" ");
  const enabled = { enabled: true };
  expect(decideAt({})).toBe("+- +- +-");
  expect(decideAt({ x: { block: enabled } })).toBe("++ +- +-");
  expect(decideAt({ x: { allow: enabled } })).toBe("+- ++ ++");
  expect(decideAt({ x: { allow: enabled }, y: { ignoreAuthentication: enabled } })).toBe(
    "+- +- ++",
  );
  expect(decideAt({ x: { allow: { enabled: false } } })).toBe("+- +- +-");
});

test("an OAS API needs keys if its authentication is enabled", () => {
  const gold = policy("gold", { a: {} }, { rate: 1, per: 60 });
  const decideWith = (authentication: object): string => {
    const server = { listenPath: { value: "/a/" }, ...authentication };
    return decide([oas("a", { server }), gold, LOG], times(2, { at: 0, path: "/a/" }));
  };
  expect(decideWith({})).toBe("++");
  expect(decideWith({ authentication: { enabled: false } })).toBe("++");
  expect(decideWith({ authentication: { enabled: true } })).toBe("+-");
});
