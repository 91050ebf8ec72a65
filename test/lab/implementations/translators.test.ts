// A translator enforces every limit of a world, on exactly the requests that the limit counts, or it reports why it cannot.
import { spawnSync } from "node:child_process";
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import * as fc from "fast-check";
import { describe, expect, test } from "vitest";
import type { Configuration } from "#src/limiter/core/config.ts";
import { resolver } from "#src/limiter/core/resolve/resolver.ts";
import { limiter, LOCAL_STORE_TRAITS, prepare } from "#src/limiter/core/limiter.ts";
import { micros } from "#src/kit/units.ts";
import {
  APIS,
  KEYS,
  PATHS,
  RICH,
  world,
  type WorldParts,
} from "#src/studies/swarm/arbitrary/worlds.ts";
import { gateway } from "#src/gateway/gateway.ts";
import { reachesLimiter, route } from "#src/gateway/route.ts";
import {
  findImplementations,
  ownImplementations,
  type Implementation,
} from "#src/lab/implementations/catalogue.node.ts";
import { homeOf, searchPath, whyNotRunnable } from "#src/lab/implementations/home.node.ts";
import { patternsOf } from "#src/lab/implementations/matching.ts";
import {
  findUnsupported,
  levelOf,
  requireAll,
  SOMEWHERE,
  type Site,
} from "#src/lab/implementations/translation.ts";
import { limitId, readWantedWorld, type WantedWorld } from "#src/lab/implementations/wanted.ts";
import { isFailure, requireValue } from "#src/kit/reading/failure.ts";
import type { JsonMap } from "#src/kit/reading/shape.ts";
import { localStore, memoryStore } from "#src/limiter/store/memory.ts";
import { readConfiguration } from "#src/limiter/world/read.ts";
import { holds } from "../../runs.ts";

const worlds = world({ ...RICH, patterns: false });
/** Whole rates per second or per minute, without smoothing and quotas: what most gateways express. */
const plain = (parts: Partial<WorldParts>): fc.Arbitrary<JsonMap> =>
  world({
    ...RICH,
    ...parts,
    smoothing: "none",
    quotas: false,
    apiQuotas: false,
    patterns: false,
  }).map(
    (raw) =>
      JSON.parse(
        JSON.stringify(raw, (name, value: unknown) =>
          typeof value !== "number"
            ? value
            : name === "per"
              ? value < 10
                ? 1
                : 60
              : name === "rate"
                ? Math.max(1, Math.ceil(value))
                : value,
        ),
      ) as JsonMap,
  );

/** Of each request one limit, of its key: for gateways that count it once. */
const oneLevel = plain({ policies: false, endpoints: false }).map(({ apis, ...others }) => ({
  ...others,
  apis: Object.fromEntries(
    Object.entries(apis as Record<string, JsonMap>).map(([id, { listen = `/${id}` }]) => [
      id,
      { listen },
    ]),
  ),
}));

function configurationOf(raw: JsonMap): Configuration {
  const { configuration } = readConfiguration(raw);
  if (configuration === null) throw new Error("the world has errors");
  return configuration;
}

const servers: readonly Implementation[] = (
  await Promise.all(
    ownImplementations().map(async (name) => requireValue(await findImplementations(name))),
  )
)
  .flat()
  .filter(({ translate }) => translate !== null);

/** Requests that reach the limits of a world: each by its name, with the ids of the limits that count it. */
function* listCounted(
  configuration: Configuration,
): Generator<readonly [string, readonly string[]]> {
  const rules = limiter(
    resolver(configuration),
    localStore(memoryStore(), memoryStore()),
    LOCAL_STORE_TRAITS,
    null,
  );
  const claimed = gateway(rules, () => micros(0));
  for (const credential of KEYS)
    for (const api of APIS)
      for (const path of ["/", ...PATHS, "/a%20b%0ac"])
        for (const method of ["GET", "POST", "M-SEARCH"]) {
          const target = `/${api}${path}`;
          const routed = route(claimed, { method, target, credential }, micros(0));
          if (!reachesLimiter(routed)) continue;
          const { levels } = prepare(rules, routed.resolved, micros(0));
          const name = `${credential} ${method} ${decodeURIComponent(target)}`;
          yield [name, levels.map(({ budget }) => limitId(budget))];
        }
}

/** JavaScript has no \\z, and its $ is the same. */
const isMatch = (pattern: string, name: string): boolean =>
  new RegExp(pattern.replaceAll("\\z", "$")).test(name);

/** The ids of the limits that count a request by their patterns. */
const limitsThatCount = (world: WantedWorld, name: string): readonly string[] =>
  world.limits
    .filter((limit) => {
      const patterns = patternsOf(limit, world);
      if (patterns === null || patterns.counted.some((each) => isMatch(each, name))) return true;
      return patterns.others?.every((other) => !isMatch(other, name)) === true;
    })
    .map(({ id }) => id)
    .toSorted();

test("the patterns of a limit match the requests that Weir counts for it, and no others of the world", () => {
  holds(
    fc.property(worlds, (raw) => {
      const configuration = configurationOf(raw as unknown as JsonMap);
      const wanted = readWantedWorld(configuration);
      for (const [name, counted] of listCounted(configuration))
        expect({ name, limits: limitsThatCount(wanted, name) }).toEqual({
          name,
          limits: counted.toSorted(),
        });
    }),
    100,
  );
});

test("one limit of each level counts a request of no place, whatever its path and its credential have", () => {
  const text = fc.stringMatching(/^[a-z /]{0,8}$/);
  const place = fc.constantFrom(...APIS, ...KEYS, "GET /", " GET /", "\nGET /");
  const path = fc.array(fc.oneof(text, place), { maxLength: 4 }).map((parts) => parts.join(""));
  const credential = fc.oneof(fc.constantFrom("", ...KEYS), text);
  const method = fc.constantFrom("GET", "M-SEARCH", "FOO+BAR");
  holds(
    fc.property(worlds, credential, method, path, (raw, key, verb, rest) => {
      const wanted = readWantedWorld(configurationOf(raw as unknown as JsonMap));
      const name = `${key} ${verb} /nowhere/${rest}`;
      const levels = wanted.limits.map(levelOf);
      const counting = wanted.limits.filter(({ id }) => limitsThatCount(wanted, name).includes(id));
      expect(new Set(counting.map(levelOf))).toEqual(new Set(levels));
    }),
    200,
  );
});

test("limits of different APIs and keys are no levels of one request", () => {
  const { manifest } = servers.find(({ id }) => id === "nginx")!;
  let several = 0;
  holds(
    fc.property(plain({ endpoints: false }), (raw) => {
      const configuration = configurationOf(raw);
      const wanted = readWantedWorld(configuration);
      const deepest = Math.max(0, ...[...listCounted(configuration)].map(([, ids]) => ids.length));
      // From 1, as in every manifest: a limit that no request reaches is enforced too.
      const isTooDeep = [1, 2, 3].map((levels) => {
        const capabilities = { ...manifest.capabilities, levels };
        const lacking = findUnsupported({ ...manifest, capabilities }, wanted);
        return lacking.some((sentence) => sentence.startsWith("a request meets"));
      });
      expect(isTooDeep).toEqual([1, 2, 3].map((levels) => deepest > levels));
      const scopes = new Set(wanted.limits.map(({ scope }) => scope));
      if (deepest < scopes.size) several++;
    }),
    100,
  );
  expect(several).toBeGreaterThan(0);
});

test.each(servers.map((each) => [each.id, each] as const))(
  "%s enforces every limit of a world, or reports why it cannot",
  (_, { manifest, translate, variant }) => {
    let expressed = 0;
    holds(
      fc.property(fc.oneof(worlds, plain({}), oneLevel), (raw) => {
        const wanted = readWantedWorld(configurationOf(raw as unknown as JsonMap));
        const lacking = findUnsupported(manifest, wanted);
        if (lacking.length > 0) return;
        const translation = translate!(wanted, { ...SOMEWHERE, variant });
        if (isFailure(translation)) return;
        requireAll(manifest.name, wanted, translation);
        expressed++;
      }),
      60,
    );
    expect(expressed).toBeGreaterThan(0);
  },
);

test("entries of an API whose limits are disabled are not enforced (LIM-9)", () => {
  const scopesOf = (disable_rate_limit: boolean): readonly string[] =>
    readWantedWorld(
      configurationOf({
        apis: {
          orders: {
            listen: "/orders",
            disable_rate_limit,
            endpoints: [{ path: "/a", method: "GET", rate: 1, per: 1 }],
          },
        },
        keys: { alice: { apis: ["orders"], rate: 5, per: 1 } },
        gateway: {},
      }),
    ).limits.map(({ scope }) => scope);
  expect([scopesOf(false), scopesOf(true)]).toEqual([["api-endpoint", "key"], []]);
});

// ---------------------------------------------------------------- the program's own check

const validateByEnvoy = ({ dir, home }: Site): readonly string[] => [
  `${home}/site/envoy/_bin/envoy`,
  "--mode",
  "validate",
  "-l",
  "error",
  "-c",
  `${dir}/envoy.json`,
];

/** How a program checks a configuration without starting. */
const CHECKS: Readonly<Record<string, (site: Site) => readonly string[]>> = {
  nginx: ({ dir }) => ["nginx", "-t", "-q", "-p", dir, "-e", "stderr", "-c", `${dir}/nginx.conf`],
  haproxy: ({ dir }) => ["haproxy", "-c", "-q", "-f", `${dir}/haproxy.cfg`],
  envoy: validateByEnvoy,
  "envoy-ratelimit": validateByEnvoy,
};

const checked = servers.flatMap((each) => {
  const check = CHECKS[each.id.split("/")[0]!];
  return check === undefined ? [] : [{ ...each, check }];
});

describe("the program accepts the generated configuration", () => {
  test.for(checked.map((each) => [each.id, each] as const))("%s", ([, implementation], context) => {
    const why = whyNotRunnable(implementation);
    context.skip(why !== null, why ?? "");
    const { manifest, translate, variant, check } = implementation;
    const home = homeOf(implementation);
    let accepted = 0;
    const names = (count: number, name: string): readonly string[] =>
      Array.from({ length: count }, (_, index) => `${name}-with-a-long-name-${index}`);
    const many = {
      apis: Object.fromEntries(
        names(60, "api").map((id) => [id, { listen: `/${id}`, rate: 5, per: 1 }]),
      ),
      keys: Object.fromEntries(
        names(120, "key").map((id) => [id, { apis: names(60, "api"), rate: 5, per: 1 }]),
      ),
      gateway: { algorithm: "gcra", burst: "rate" },
    };
    holds(
      fc.property(fc.oneof(plain({}), fc.constant(many)), (raw) => {
        const wanted = readWantedWorld(configurationOf(raw));
        if (wanted.limits.length === 0 || findUnsupported(manifest, wanted).length > 0) return;
        const dir = mkdtempSync(join(tmpdir(), "weir-check-"));
        try {
          const site = { ...SOMEWHERE, dir, home, variant };
          const translation = translate!(wanted, site);
          if (isFailure(translation)) return;
          for (const [file, text] of Object.entries(translation.files)) {
            mkdirSync(dirname(join(dir, file)), { recursive: true });
            writeFileSync(join(dir, file), text);
          }
          const [program, ...args] = check(site);
          const env = { ...process.env, ...searchPath(home) };
          const { status, stderr } = spawnSync(program!, args, { env, encoding: "utf8" });
          expect(stderr.trim()).toBe("");
          expect(status).toBe(0);
          accepted++;
        } finally {
          rmSync(dir, { recursive: true, force: true });
        }
      }),
      8,
    );
    expect(accepted).toBeGreaterThan(0);
  });
});
