import type { Configuration } from "#src/limiter/core/config.ts";
import { isObject } from "#src/limiter/world/place.ts";
import { readConfiguration } from "#src/limiter/world/read.ts";

/** The problems of a world, one line each: `code at.its.path`. */
export const problemsOf = (raw: unknown): readonly string[] =>
  readConfiguration(raw).problems.map(({ code, path }) => `${code} ${path.join(".")}`);

export const messages = (raw: unknown): readonly string[] =>
  readConfiguration(raw).problems.map(({ message, fix }) =>
    fix === "" ? message : `${message}: ${fix}`,
  );

/** The configuration of a world without errors. */
export function configurationOf(raw: unknown): Configuration {
  const { configuration, problems } = readConfiguration(raw);
  if (configuration === null) throw new Error(JSON.stringify(problems, null, 2));
  return configuration;
}

export const orders = { orders: { listen: "/orders" } };

/** A world with one key, `alice`, with access to its API unless it has access rights of its own. */
export const withKey = (alice: unknown, gateway: unknown = {}): unknown => ({
  apis: orders,
  policies: { gold: { rate: 5, per: 1, apis: ["orders"] } },
  keys: { alice: isObject(alice) && !hasAccess(alice) ? { ...alice, apis: ["orders"] } : alice },
  gateway,
});

const hasAccess = (key: object): boolean =>
  ["apis", "access_rights", "apply_policies", "apply_policy_id"].some((name) => name in key);

/** A world with one API, `orders`. */
export const withApi = (api: unknown): unknown => ({ apis: { orders: api } });

/** A smallest OAS document, with one limited operation. */
export const oas = (paths: unknown, operations: unknown, rest: object = {}): object => ({
  openapi: "3.0.3",
  info: { title: "orders", version: "1" },
  paths,
  "x-gw-api-gateway": { server: { listenPath: { value: "/orders" } }, middleware: { operations } },
  ...rest,
});
