// Whatever JSON a world is, the check of it ends with a value: a configuration, or problems with a place.
import * as fc from "fast-check";
import { describe, expect, test } from "vitest";
import { readConfiguration } from "#src/limiter/world/read.ts";
import { resolve, resolver, sessionOf } from "#src/limiter/core/resolve/resolver.ts";
import { RICH, world } from "#src/studies/swarm/arbitrary/worlds.ts";
import { oas } from "./worlds.ts";
import { holds, holdsUntil } from "../../runs.ts";

const HOSTILE = [
  "__proto__",
  "constructor",
  "prototype",
  "toString",
  "hasOwnProperty",
  "valueOf",
  "length",
  "then",
  "",
  " ",
  "a.b",
  "a/b",
  "\u0000",
  "\uD800",
  "é",
  "$gw_meta.x",
  "0",
  "-1",
];
const FAMILIES = ["apis", "policies", "keys", "gateway"];
const WORDS = [
  ...FAMILIES,
  "listen",
  "rate",
  "per",
  "limit",
  "smoothing",
  "enabled",
  "threshold",
  "step",
  "trigger",
  "delay",
  "endpoints",
  "path",
  "method",
  "methods",
  "name",
  "access_rights",
  "apply_policies",
  "meta_data",
  "rate_limit_pattern",
  "quota_max",
  "quota_renewal_rate",
  "definition",
  "openapi",
  "algorithm",
  "count",
  "expires",
];
const NUMBERS = [0, -0, 1, -1, 0.5, 1e-7, 1e21, 2 ** 53, -(2 ** 53), Infinity, -Infinity, NaN];

type Raw = unknown;

const name = fc.constantFrom(...HOSTILE, ...WORDS, "orders", "alice", "gold");
const leaf: fc.Arbitrary<Raw> = fc.oneof(
  fc.constantFrom<Raw>(...NUMBERS, true, false, null, undefined, "", "1s", "/a", "{", "$x|y", "*"),
  fc.constantFrom(...HOSTILE),
  fc.string({ maxLength: 8 }),
  fc.double(),
);

/** Own members, also those whose names mean something to the language. */
const objectOf = (entries: readonly (readonly [string, Raw])[]): Raw => {
  const made: Record<string, Raw> = {};
  for (const [key, value] of entries)
    Object.defineProperty(made, key, {
      value,
      enumerable: true,
      configurable: true,
      writable: true,
    });
  return made;
};

const { tree } = fc.letrec<{ tree: Raw }>((tie) => ({
  tree: fc.oneof(
    { depthSize: "small", withCrossShrink: true },
    leaf,
    fc.array(tie("tree"), { maxLength: 4 }),
    fc.array(fc.tuple(name, tie("tree")), { maxLength: 6 }).map(objectOf),
  ),
}));

/** A world with every map of records, so that every path has a value. */
const shaped = fc
  .tuple(
    ...FAMILIES.map((family) =>
      fc
        .array(fc.tuple(name, fc.array(fc.tuple(name, tree), { maxLength: 6 }).map(objectOf)), {
          maxLength: 4,
        })
        .map((entries) => [family, objectOf(entries)] as const),
    ),
  )
  .map(objectOf);

/** The paths of everything in a value. */
function pathsOf(value: Raw, path: readonly string[] = []): readonly (readonly string[])[] {
  if (typeof value !== "object" || value === null) return [path];
  return [path, ...Object.entries(value).flatMap(([key, inner]) => pathsOf(inner, [...path, key]))];
}

/** The value with something else at the path; undefined takes it away. */
function replaceAt(value: Raw, [first, ...rest]: readonly string[], instead: Raw): Raw {
  if (first === undefined) return instead;
  if (Array.isArray(value))
    return value.map((item: Raw, index) =>
      String(index) === first ? replaceAt(item, rest, instead) : item,
    );
  return objectOf(
    Object.entries(value as object).map(([key, inner]: [string, Raw]) => [
      key,
      key === first ? replaceAt(inner, rest, instead) : inner,
    ]),
  );
}

const oasDocument = fc.constant(
  oas(
    { "/a/{id}": { get: { operationId: "readA", responses: {} } } },
    { readA: { rateLimit: { enabled: true, rate: 5, per: "10s" } } },
  ),
);
const goodWorld: fc.Arbitrary<Raw> = fc.oneof(
  world({ ...RICH, thresholds: true, throttles: true, keyFirst: true }),
  oasDocument.map((openapi) => ({ apis: { orders: { openapi } } })),
);

/** A world that is right but for one to three places. */
const nearlyRight = fc
  .tuple(goodWorld, fc.array(fc.tuple(fc.nat(), tree), { minLength: 1, maxLength: 3 }))
  .map(([good, changes]) =>
    changes.reduce<Raw>((now, [at, instead]) => {
      const paths = pathsOf(now);
      return replaceAt(now, paths[at % paths.length]!, instead);
    }, good),
  );

/** Problems of the result itself, for any input. */
function wrongWith(raw: Raw): readonly string[] {
  const { configuration, problems, credentials } = readConfiguration(raw);
  const faults = problems.filter(({ severity }) => severity === "error");
  const found: readonly (readonly [boolean, string])[] = [
    [
      (configuration === null) === faults.length > 0,
      "a configuration with faults, or none without",
    ],
    [problems.every(({ message }) => message.length > 0 && message.length < 2_000), "no sentence"],
    [problems.every(({ code }) => code.startsWith("CFG-")), "a code of something else"],
    [
      problems.every(({ path }) => path.every((part) => typeof part === "string" || part >= 0)),
      "no place",
    ],
    [configuration !== null || faults.length > 0, "nothing at all"],
    [[...credentials.values()].every((own) => Array.isArray(own)), "credentials that are none"],
    [Object.getPrototypeOf({}) === Object.prototype && !("listen" in {}), "a changed language"],
  ];
  return found.filter(([holds]) => !holds).map(([, what]) => what);
}

/** Draws inputs until as many as `floors` were opened and read: a generator that stops at the door tests only the door. */
async function drawUntilRead(
  floors: { readonly opened: number; readonly read: number },
  inputs: fc.Arbitrary<Raw>,
  runs: number,
): Promise<{ readonly opened: number; readonly read: number }> {
  let opened = 0;
  let read = 0;
  const isEnough = (): number =>
    Number(opened > floors.opened && (floors.read === 0 || read > floors.read));
  await holdsUntil(
    1,
    isEnough,
    fc.property(inputs, (raw) => {
      const { configuration, problems } = readConfiguration(raw);
      opened += Number(problems.some(({ path }) => path.length >= 3) || configuration !== null);
      read += Number(configuration !== null);
      expect(wrongWith(raw)).toEqual([]);
    }),
    runs,
  );
  return { opened, read };
}

describe("the check of a configuration answers", () => {
  test("to any JSON", async () => {
    const { opened } = await drawUntilRead({ opened: 0, read: 0 }, tree, 1_000);
    expect(opened).toBeGreaterThan(0);
  });

  test("to families of anything", async () => {
    const { opened } = await drawUntilRead({ opened: 120, read: 0 }, shaped, 150);
    expect(opened).toBeGreaterThan(120);
  });

  test("to worlds that are nearly right, and many of them are read", async () => {
    const { opened, read } = await drawUntilRead({ opened: 400, read: 40 }, nearlyRight, 600);
    expect(opened).toBeGreaterThan(400);
    expect(read).toBeGreaterThan(40);
  });

  const deep = (levels: number, inList: boolean): Raw => {
    let value: Raw = 1;
    for (let level = 0; level < levels; level++) value = inList ? [value] : { a: value };
    return value;
  };

  test.each([
    ["lists", true],
    ["maps", false],
  ])("to %s that lie in each other a hundred thousand times, wherever they are", (_, inList) => {
    const bottomless = deep(100_000, inList);
    const good = {
      apis: {
        orders: {
          listen: "/orders",
          rate: 1,
          per: 1,
          endpoints: [{ path: "/a", method: "GET", rate: 1, per: 1 }],
        },
      },
      policies: {
        gold: { rate: 1, per: 1, access_rights: { orders: { limit: { rate: 1, per: 1 } } } },
      },
      keys: { alice: { apply_policies: ["gold"], meta_data: { tenant: "north" } } },
      gateway: { algorithm: "gcra", burst: 1 },
    };
    for (const path of pathsOf(good))
      expect(wrongWith(replaceAt(good, path, bottomless))).toEqual([]);
    const document = oas(
      { "/a": { get: { operationId: "a" } } },
      { a: { rateLimit: { rate: 1, per: "1s" } } },
    );
    for (const path of pathsOf(document))
      expect(
        wrongWith({ apis: { orders: { openapi: replaceAt(document, path, bottomless) } } }),
      ).toEqual([]);
  });

  test("to lists and names that are longer than anybody writes", () => {
    const many = 3_000;
    const list = Array.from({ length: many }, (_, index) => index);
    const entries = list.map((index) => ({ path: `/a${index}`, method: "GET", rate: 1, per: 1 }));
    const apis = { orders: { listen: "/orders" } };
    for (const raw of [
      { apis: { orders: { listen: "/orders", endpoints: entries } } },
      { apis: { orders: { listen: "/orders", endpoints: list } } },
      { apis: { orders: { listen: `/${"a/".repeat(many)}b` } } },
      { apis, keys: { alice: { apis: ["orders"], apply_policies: list.map(String) } } },
      {
        apis,
        keys: { alice: { apis: ["orders"], meta_data: { rate_limit_pattern: "a|".repeat(many) } } },
      },
      {
        apis: {
          orders: {
            listen: "/orders",
            endpoints: [{ path: "{a}".repeat(many), method: "GET", rate: 1, per: 1 }],
          },
        },
      },
      { apis: { orders: Object.fromEntries(list.map((index) => [`rate${index}`, 1])) } },
      { ["x".repeat(100_000)]: "y".repeat(100_000) },
    ])
      expect(wrongWith(raw)).toEqual([]);
  });

  test("with names that mean something to the language as with any others", () => {
    for (const hostile of HOSTILE.filter((each) => each.trim() !== "")) {
      const raw = objectOf([
        ["apis", objectOf([[hostile, { listen: "/orders" }]])],
        ["policies", objectOf([[hostile, { rate: 2, per: 1, apis: [hostile] }]])],
        ["keys", objectOf([[hostile, { apply_policies: [hostile] }]])],
      ]);
      const { configuration } = readConfiguration(raw);
      expect([hostile, configuration?.apis.size, configuration?.keys.size]).toEqual([
        hostile,
        1,
        1,
      ]);
      expect([...configuration!.policies.values()][0]?.accessRights.size).toBe(1);
    }
  });
});

test("a configuration of a nearly valid world can be resolved", () => {
  let resolved = 0;
  holds(
    fc.property(nearlyRight, (raw) => {
      const { configuration } = readConfiguration(raw);
      if (configuration === null) return;
      const resolving = resolver(configuration);
      for (const credential of configuration.keys.keys()) {
        const session = sessionOf(resolving, credential);
        for (const api of resolving.apis)
          for (const path of ["/", "/a", "/b/c", `/${"a".repeat(2_000)}`])
            if (session !== null)
              resolved += Number(resolve(resolving, api, session, "GET", path) !== null);
      }
    }),
    300,
  );
  expect(resolved).toBeGreaterThan(10); // however the seed falls
});
