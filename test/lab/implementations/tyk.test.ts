// Tyk, which no registry of packages has: its files and keys have the limits of the world that they are translated from, and no
// others.
import * as fc from "fast-check";
import { expect, test } from "vitest";
import { matchesPattern } from "#src/limiter/core/resolve/endpoint.ts";
import { PATHS, RICH, world } from "#src/studies/swarm/arbitrary/worlds.ts";
import { findImplementations } from "#src/lab/implementations/catalogue.node.ts";
import { whyNotRunnable } from "#src/lab/implementations/home.node.ts";
import {
  findUnsupported,
  SOMEWHERE,
  type Configured,
} from "#src/lab/implementations/translation.ts";
import { readWantedWorld, type WantedWorld } from "#src/lab/implementations/wanted.ts";
import { isFailure, requireValue, type Failure } from "#src/kit/reading/failure.ts";
import type { JsonMap } from "#src/kit/reading/shape.ts";
import { readConfiguration } from "#src/limiter/world/read.ts";
import { holds } from "../../runs.ts";

const implementations = requireValue(await findImplementations("tyk"));

const readWorld = (raw: unknown): WantedWorld =>
  readWantedWorld(readConfiguration(raw).configuration!);

function translate(wanted: WantedWorld, variant = "rolling-window"): Configured | Failure {
  const { translate: by } = implementations.find((each) => each.variant === variant)!;
  return by!(wanted, { ...SOMEWHERE, variant });
}

const sentencesOf = (keys: JsonMap, variant?: string): readonly string[] => {
  const raw = { apis: { orders: { listen: "/orders" }, stock: { listen: "/stock" } }, keys };
  const translated = translate(readWorld(raw), variant);
  return isFailure(translated) ? translated.problems : [];
};

interface TykLimit {
  readonly rate: number;
  readonly per: number;
}

interface TykEntry {
  readonly path: string;
}

interface TykApi {
  readonly api_id: string;
  readonly global_rate_limit: TykLimit & { readonly disabled?: boolean };
  readonly proxy: { readonly listen_path: string };
  readonly version_data: {
    readonly versions: {
      readonly Default: {
        readonly extended_paths: {
          readonly rate_limit: readonly (TykEntry & TykLimit & { readonly method: string })[];
        };
      };
    };
  };
}

interface TykKey extends TykLimit {
  readonly access_rights: Readonly<
    Record<
      string,
      {
        readonly limit?: TykLimit;
        readonly endpoints: readonly (TykEntry & {
          readonly methods: readonly { readonly name: string; readonly limit: TykLimit }[];
        })[];
      }
    >
  >;
}

/** A rate of -1 limits nothing. */
const textOf = (what: readonly unknown[], { rate, per }: TykLimit): readonly string[] =>
  rate < 0 ? [] : [JSON.stringify([...what, rate, per])];

const pathsOf = ({ path }: TykEntry): readonly string[] =>
  PATHS.filter((each) => new RegExp(path).test(each));

function listTykLimits({ files, setup }: Configured): ReadonlySet<string> {
  const apis = Object.entries(files)
    .filter(([file]) => file.startsWith("apis/"))
    .map(([, text]) => JSON.parse(text) as TykApi);
  const pathOf = (id: string): string =>
    apis.find(({ api_id }) => api_id === id)!.proxy.listen_path;
  const ofApis = apis.flatMap(({ global_rate_limit: whole, proxy, version_data: { versions } }) => [
    ...(whole.disabled === true ? [] : textOf(["api", proxy.listen_path], whole)),
    ...versions.Default.extended_paths.rate_limit.flatMap((entry) =>
      textOf(["api-endpoint", proxy.listen_path, entry.method, pathsOf(entry)], entry),
    ),
  ]);
  const ofKeys = setup!.flatMap(({ path, body }) => {
    const credential = decodeURIComponent(path.replace("/tyk/keys/", ""));
    const key = JSON.parse(body) as TykKey;
    return Object.entries(key.access_rights).flatMap(([id, { limit, endpoints }]) => [
      ...(limit === undefined
        ? textOf(["key", pathOf(id), credential], key)
        : textOf(["key-api", pathOf(id), credential], limit)),
      ...endpoints.flatMap((entry) =>
        entry.methods.flatMap((method) =>
          textOf(
            ["key-endpoint", pathOf(id), method.name, pathsOf(entry), credential],
            method.limit,
          ),
        ),
      ),
    ]);
  });
  return new Set([...ofApis, ...ofKeys]);
}

const listWantedLimits = ({ limits }: WantedWorld): ReadonlySet<string> =>
  new Set(
    limits.flatMap(({ scope, rate, perUs, places }) =>
      places.flatMap(({ path, endpoint, credentials }) => {
        const at =
          endpoint === null
            ? [path]
            : [
                path,
                endpoint.method,
                PATHS.filter((each) => matchesPattern({ text: "", pieces: endpoint.pieces }, each)),
              ];
        const clients = credentials.length === 0 ? [[]] : credentials.map((each) => [each]);
        return clients.flatMap((client) =>
          textOf([scope, ...at, ...client], { rate, per: perUs / 1_000_000 }),
        );
      }),
    ),
  );

test("files and keys have the limits of a world", () => {
  const { manifest } = implementations[0]!;
  const worlds = world({
    ...RICH,
    smoothing: "none",
    quotas: false,
    apiQuotas: false,
    patterns: false,
  });
  let expressed = 0;
  holds(
    fc.property(worlds, (raw) => {
      const whole = JSON.parse(JSON.stringify(raw), (name, value: unknown) =>
        typeof value === "number" && (name === "rate" || name === "per")
          ? Math.max(1, Math.ceil(value))
          : value,
      ) as JsonMap;
      const wanted = readWorld(whole);
      if (findUnsupported(manifest, wanted).length > 0) return;
      const translated = translate(wanted);
      if (isFailure(translated)) return;
      expect(listTykLimits(translated)).toEqual(listWantedLimits(wanted));
      expressed++;
    }),
    100,
  );
  expect(expressed).toBeGreaterThan(20);
});

test.each([
  ["drl", {}],
  ["rolling-window", { enable_redis_rolling_limiter: true }],
  ["sentinel", { enable_sentinel_rate_limiter: true }],
  ["fixed-window", { enable_fixed_window_rate_limiter: true }],
])("the configuration of %s selects its limiter and no other", (variant, options) => {
  const { files } = requireValue(translate(readWorld({ apis: {}, keys: {} }), variant));
  const config = JSON.parse(files["tyk.conf"]!) as JsonMap;
  expect(
    Object.fromEntries(Object.entries(config).filter(([name]) => name.endsWith("_limiter"))),
  ).toEqual(options);
  expect(config["storage"]).toMatchObject(SOMEWHERE.redis!);
});

test("what Tyk cannot express is a sentence", () => {
  const key = { apis: ["orders"], rate: 5, per: 1 };
  expect(sentencesOf({ alice: key })).toEqual([]);
  expect(sentencesOf({ alice: { ...key, per: 0.5 } })).toEqual([
    "Tyk has periods of whole seconds: 5 per 500ms (key)",
  ]);
  expect(sentencesOf({ al: key })).toEqual(["Tyk has keys of at least 3 letters: al"]);
  expect(sentencesOf({ alice: { ...key, per: 7 } })).toEqual([]);
  expect(sentencesOf({ alice: { ...key, per: 7 } }, "fixed-window")).toEqual([
    "windows of Tyk begin in the year 1, not in 1970: 5 per 7s (key)",
  ]);
  const right = {
    endpoints: [{ path: "/a", methods: [{ name: "GET", limit: { rate: 2, per: 1 } }] }],
  };
  const both = { rate: 5, per: 1, access_rights: { orders: right, stock: right } };
  expect(sentencesOf({ alice: both })).toEqual([
    'Tyk counts the same endpoint of two APIs together for a key, here GET ^/a$ for "alice"',
  ]);
});

test("a key with several limits is a sentence, because its record has one", async () => {
  const apis = { orders: { listen: "/orders" }, stock: { listen: "/stock" } };
  const wanted = readWorld({
    apis,
    policies: {
      gold: { rate: 5, per: 1, access_rights: { orders: {} } },
      silver: { rate: 3, per: 1, access_rights: { stock: {} } },
    },
    keys: { alice: { apply_policies: ["gold", "silver"] } },
    gateway: { policy_budgets: "apart" },
  });
  const [weir] = requireValue(await findImplementations("weir"));
  for (const [name, translated] of [
    ["Tyk", translate(wanted)],
    ["Weir", weir!.translate!(wanted, { ...SOMEWHERE, variant: weir!.variant })],
  ] as const)
    expect(isFailure(translated) ? translated.problems : []).toEqual([
      `a key of ${name} without policies has one limit, and "alice" has 5 per 1s (key) and 3 per 1s (key)`,
    ]);
});

test("without its program it is a sentence with the variable", () => {
  const { TYK_BINARY: before } = process.env;
  delete process.env["TYK_BINARY"];
  expect(whyNotRunnable(implementations[0]!)).toMatch(
    /^Tyk Gateway (?:is installed by its owner: set TYK_BINARY to the path of its program|needs redis-server on the PATH)$/,
  );
  if (before !== undefined) process.env["TYK_BINARY"] = before;
});
