// Worlds in which reading and resolving is what can go wrong: every form of an API, every spelling of a path, partitions, quotas
// and endpoints of one API, budgets apart, identities of every kind, windows from a millisecond to a year. Requests are few and
// come at the edges of those windows.
import * as fc from "fast-check";
import { ALGORITHMS } from "../../core/config.ts";
import type { Json } from "../../scenario/types.ts";
import { duration, type RawScenario } from "../as-scenario.ts";
import { SECOND_US, WINDOWS } from "./limits.ts";
import { without, type RawObject } from "./worlds.ts";

const maybe = (arbitrary: fc.Arbitrary<RawObject>, freq = 2): fc.Arbitrary<RawObject> =>
  fc.option(arbitrary, { nil: {}, freq });
const together = (...parts: readonly fc.Arbitrary<RawObject>[]): fc.Arbitrary<RawObject> =>
  fc.tuple(...parts).map((all) => Object.assign({}, ...all) as RawObject);

/** What is more than any burst still wins merges. */
const LARGE = [999, 2001, 100_000, 1_000_000];
const BURST = 2100;

const rate = fc.oneof(
  { weight: 14, arbitrary: fc.integer({ min: 1, max: 6 }) },
  { weight: 1, arbitrary: fc.constantFrom(-1, 0, 1.5, 2.999999) },
  { weight: 1, arbitrary: fc.constantFrom(...LARGE) },
);
const per = fc.constantFrom(...WINDOWS);
const plain: fc.Arbitrary<RawObject> = fc.record({ rate, per });
const smoothed: fc.Arbitrary<RawObject> = fc
  .record({
    rate: fc.integer({ min: 2, max: 8 }),
    per,
    threshold: fc.integer({ min: 1, max: 8 }),
    step: fc.integer({ min: 1, max: 3 }),
    trigger: fc.constantFrom(0.25, 0.5, 1),
    delay: fc.constantFrom(0.5, 7, 3600, 86_400),
  })
  .map((all) => ({
    rate: all.rate,
    per: all.per,
    smoothing: {
      enabled: true,
      threshold: Math.min(all.threshold, all.rate),
      step: all.step,
      trigger: all.trigger,
      delay: all.delay,
    },
  }));
/** Of keys and policies, which alone may be smoothed (SMO-C7). */
const own = fc.oneof({ weight: 5, arbitrary: plain }, { weight: 1, arbitrary: smoothed });

const quota = fc.record({
  quota_max: fc.oneof(fc.integer({ min: 1, max: 8 }), fc.constantFrom(-1, 0)),
  quota_renewal_rate: fc.constantFrom(0.5, 3600, 31_536_000, -1),
}) as fc.Arbitrary<RawObject>;

// Pairs of spellings that are one resource or two, as the options say (EPT-C7).
const ENTRIES = ["/x", "/X", "/x/", "/x;v=1", "/caf%C3%A9", "/caf%c3%a9", "/x/{id}", "/x/*/y", "*"];
const SENT = [
  "",
  "/x",
  "/x",
  "/X",
  "/x/",
  "/x;v=2",
  "/y/..;z/x",
  "/y/%2e%2e/x",
  "/%78",
  "//x",
  "/caf%c3%A9",
  "/x/7",
  "/x/7/8/y",
  "/x%2Fy",
];
const METHODS = ["GET", "HEAD", "POST"];
const SWITCHES: readonly RawObject[] = [
  {},
  {},
  { enabled: false },
  { enabled: true },
  { disabled: true },
];

const entries: fc.Arbitrary<readonly RawObject[]> = fc
  .uniqueArray(
    fc.record({
      path: fc.constantFrom(...ENTRIES),
      method: fc.constantFrom(...METHODS),
      limit: plain,
      on: fc.constantFrom(...SWITCHES),
    }),
    { maxLength: 3, selector: ({ path, method }) => `${method} ${path}` },
  )
  .map((all) => all.map(({ limit, on, ...where }) => ({ ...where, ...limit, ...on })));

const KEY_BY: readonly RawObject[] = [
  {},
  {},
  {},
  { key_by: "credential" },
  { key_by: "ip" },
  { key_by: { header: "X-Tenant" } },
];

const keyless = fc.constantFrom(false, false, false, true);
const disabled = fc.constantFrom(...Array.from({ length: 9 }, () => false), true);

const short = (name: string): fc.Arbitrary<RawObject> =>
  fc
    .record({
      limit: maybe(plain, 1),
      endpoints: entries,
      keyless,
      disable_rate_limit: disabled,
      by: fc.constantFrom(...KEY_BY),
    })
    .map(({ limit, by, ...rest }) => ({ listen: `/${name}`, ...limit, ...rest, ...by }));

const classic = (name: string): fc.Arbitrary<RawObject> =>
  fc
    .record({
      limit: fc.option(plain, { nil: undefined, freq: 1 }),
      endpoints: entries,
      more: entries,
      keyless,
      disabled,
      by: fc.constantFrom(...KEY_BY),
    })
    .map(({ limit, endpoints, more, by, ...rest }) => ({
      definition: without({
        name,
        api_id: name,
        active: true,
        use_keyless: rest.keyless,
        disable_rate_limit: rest.disabled,
        proxy: { listen_path: `/${name}/`, target_url: "http://upstream.example" },
        global_rate_limit: limit,
        extended_paths: { rate_limit: endpoints },
        version_data: { versions: { Default: { extended_paths: { rate_limit: more } } } },
      }),
      ...by,
    }));

const OPERATIONS = ["/x", "/x/{id}", "/x/{id}/y", "/x/{id}/{y}", "/caf%c3%a9", "/{any}"];
/** Windows as the durations of OAS have them, which know no fractions (EPT-C4). */
const SPELLED = ["1ms", "500ms", "1s", "1s500ms", "7s", "1m", "1h", "24h", "8760h"];

const spelled = fc
  .record({
    rate: fc.integer({ min: 1, max: 5 }),
    per: fc.constantFrom(...SPELLED),
    on: fc.constantFrom<RawObject>({}, { enabled: true }, { enabled: true }, { enabled: false }),
  })
  .map(({ on, ...limit }): Json => ({ ...limit, ...on }));

const oas = (name: string): fc.Arbitrary<RawObject> =>
  fc
    .record({
      operations: fc.uniqueArray(
        fc.record({
          path: fc.constantFrom(...OPERATIONS),
          method: fc.constantFrom("get", "get", "head", "post"),
          limit: fc.option(spelled, { nil: null, freq: 5 }),
        }),
        { maxLength: 5, selector: ({ path, method }) => `${method} ${path}` },
      ),
      upstream: fc.option(spelled, { nil: null, freq: 2 }),
      keyless,
      skipped: disabled,
      by: fc.constantFrom(...KEY_BY),
    })
    .map(({ operations, upstream, skipped, by, ...rest }) => {
      const named = operations.map((each, index) => ({ ...each, id: `op${index}` }));
      const paths = Object.groupBy(named, ({ path }) => path);
      return {
        openapi: {
          openapi: "3.0.3",
          info: { title: name, version: "1" },
          paths: Object.fromEntries(
            Object.entries(paths).map(([path, each = []]) => [
              path,
              Object.fromEntries(
                each.map(({ method, id }) => [method, { operationId: id, responses: {} }]),
              ),
            ]),
          ),
          "x-gw-api-gateway": without({
            info: { id: name, state: { active: true } },
            server: {
              listenPath: { value: `/${name}/` },
              authentication: { enabled: !rest.keyless },
            },
            upstream: upstream === null ? undefined : { rateLimit: upstream },
            middleware: {
              global: { skipRateLimit: skipped },
              operations: Object.fromEntries(
                named.flatMap(({ id, limit }) =>
                  limit === null ? [] : [[id, { rateLimit: limit }]],
                ),
              ),
            },
          }),
        },
        ...by,
      };
    });

const right: fc.Arbitrary<RawObject> = fc
  .record({
    limit: together(maybe(own), maybe(quota, 4)),
    endpoints: fc.array(
      fc.record({
        path: fc.constantFrom(...ENTRIES),
        name: fc.constantFrom(...METHODS),
        limit: own,
      }),
      { maxLength: 1 },
    ),
  })
  .map(({ limit, endpoints }) =>
    without({
      limit: Object.keys(limit).length === 0 ? undefined : limit,
      endpoints: endpoints.map(({ path, ...method }): Json => ({ path, methods: [method] })),
    }),
  );
const rights: fc.Arbitrary<RawObject> = fc
  .record({ a: right, b: right }, { requiredKeys: [] })
  .map((some) => ({ access_rights: { ...some } }));

const PARTITIONS: readonly RawObject[] = [
  {},
  {},
  { partitions: { acl: true } },
  { partitions: { acl: true, rate_limit: true } },
  { partitions: { rate_limit: true } },
  { partitions: { quota: true } },
  { partitions: { acl: true, quota: true } },
  { partitions: { per_api: true } },
];
const policy = together(
  maybe(own, 1),
  maybe(quota, 4),
  rights,
  fc.constantFrom(...PARTITIONS),
  maybe(fc.constant({ meta_data: { team: "blue" } }), 8),
);

const PATTERNS = ["$gw_meta.team", "$gw_meta.team|x", "$gw_meta.absent", "same"];
const key = together(
  maybe(own, 1),
  maybe(quota, 4),
  rights,
  fc.shuffledSubarray(["p", "q", "r"]).map((listed): RawObject => ({ apply_policies: listed })),
  maybe(
    fc.constantFrom(...PATTERNS).map((pattern): RawObject => ({
      meta_data: { rate_limit_pattern: pattern, team: "red" },
    })),
    4,
  ),
);

const aspect = fc.constantFrom("exact", "same");
const flags = fc.record(
  {
    enable_fixed_window_rate_limiter: fc.constant(true),
    enable_sentinel_rate_limiter: fc.constant(true),
    enable_non_transactional_rate_limiter: fc.constant(true),
    drl_threshold: fc.constantFrom(0.000001, 0.5, 2),
  },
  { requiredKeys: [] },
);
const gateway = together(
  fc.oneof(
    fc.constantFrom(...ALGORITHMS).map((algorithm): RawObject => ({ algorithm })),
    flags.map((some): RawObject => ({ ...some })),
  ),
  fc.constantFrom<RawObject>({ burst: "rate" }, { burst: "rate" }, { burst: 2 }, {}),
  fc.constantFrom<RawObject>({}, { policy_budgets: "apart" }),
  fc.constantFrom<RawObject>({}, {}, { limit_order: "key_first" }),
  fc.constantFrom<RawObject>({}, { fixed_window_start: "clock" }),
  fc.constantFrom<RawObject>({}, {}, {}, { sentinel_mark: "fixed" }),
  fc.constantFrom<RawObject>({}, {}, {}, { normalize_path: false }),
  maybe(
    fc
      .record({
        letter_case: aspect,
        trailing_slash: aspect,
        path_parameters: aspect,
        head: aspect,
      })
      .map((all): RawObject => ({ endpoint_matching: all })),
    3,
  ),
  fc.constantFrom(...KEY_BY),
);

/** No flow of a scenario begins later. */
const LATEST_US = Math.max(...WINDOWS) * SECOND_US;

/** Bursts at the edges of windows, and a microsecond beside them. */
const flow = fc
  .record({
    as: fc.constantFrom("alice", "alice", "bob", null),
    api: fc.constantFrom("a", "b"),
    method: fc.constantFrom("GET", "GET", ...METHODS),
    path: fc.constantFrom(...SENT),
    burst: fc.oneof(
      { weight: 24, arbitrary: fc.integer({ min: 1, max: 9 }) },
      { weight: 1, arbitrary: fc.constant(BURST) },
    ),
    at: fc
      .tuple(fc.constantFrom(0, 0, ...WINDOWS), fc.constantFrom(-1, 0, 1))
      .map(([seconds, beside]) => Math.max(0, Math.round(seconds * SECOND_US) + beside))
      .map((us) => Math.min(us, LATEST_US)),
    headers: fc.constantFrom<RawObject>({}, { "X-Tenant": "one" }, { "x-tenant": "two" }),
  })
  .map(({ as, api, method, path, burst, at, headers }): RawObject => ({
    as,
    send: `${method} /${api}${path}`,
    headers,
    burst,
    at: duration(at),
  }));

export const written: fc.Arbitrary<RawScenario> = fc
  .record({
    a: fc.oneof(short("a"), classic("a")),
    b: fc.oneof(short("b"), oas("b")),
    policies: fc.record({ p: policy, q: policy, r: policy }),
    keys: fc.record({ alice: key, bob: key }),
    gateway,
    nodes: fc.constantFrom(1, 1, 1, 2, 3),
    flows: fc.array(flow, { minLength: 2, maxLength: 7 }),
  })
  .map(({ a, b, policies, keys, gateway: options, nodes, flows }) => ({
    world: { apis: { a, b }, policies, keys, gateway: options },
    around: nodes === 1 ? {} : { fleet: { nodes } },
    traffic: flows.map((each, index) => ({
      name: `flow-${index}`,
      ...each,
      // What such a mark says of one request depends on all that came before.
      ...(options["sentinel_mark"] === "fixed" && each["burst"] === BURST ? { burst: 20 } : {}),
    })),
    faults: [],
  }));
