// Worlds that test reading and resolving: every form of an API, every spelling of a path, partitions, quotas and
// endpoints of one API, separate budgets of policies, identities of every kind, windows from a millisecond to a year.
// Requests are few and arrive at the edges of those windows.
import * as fc from "fast-check";
import { ALGORITHMS } from "../../../limiter/core/algorithms.ts";
import type { Json } from "../../../kit/reading/shape.ts";
import { duration, type RawScenario } from "../as-scenario.ts";
import { SECOND_US, WINDOWS } from "./limits.ts";
import {
  BURST,
  classic,
  ENTRIES,
  KEY_BY,
  maybe,
  METHODS,
  oas,
  per,
  plain,
  short,
} from "./written-apis.ts";
import { without, type RawObject } from "./worlds.ts";

const merge = (...parts: readonly fc.Arbitrary<RawObject>[]): fc.Arbitrary<RawObject> =>
  fc.tuple(...parts).map((all) => Object.assign({}, ...all) as RawObject);

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
/** Limits for keys and policies; only these can be smoothed (SMO-C7). */
const own = fc.oneof({ weight: 5, arbitrary: plain }, { weight: 1, arbitrary: smoothed });

const quota = fc.record({
  quota_max: fc.oneof(fc.integer({ min: 1, max: 8 }), fc.constantFrom(-1, 0)),
  quota_renewal_rate: fc.constantFrom(0.5, 3600, 31_536_000, -1),
}) as fc.Arbitrary<RawObject>;

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
const right: fc.Arbitrary<RawObject> = fc
  .record({
    limit: merge(maybe(own), maybe(quota, 4)),
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
const policy = merge(
  maybe(own, 1),
  maybe(quota, 4),
  rights,
  fc.constantFrom(...PARTITIONS),
  maybe(fc.constant({ meta_data: { team: "blue" } }), 8),
);

const PATTERNS = ["$gw_meta.team", "$gw_meta.team|x", "$gw_meta.absent", "same"];
const key = merge(
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
/** Queues, the longest of which takes several windows to empty. */
const queue = fc.constantFrom<RawObject>({}, {}, { queue: 0 }, { queue: 2 }, { queue: 12 });
const gateway = merge(
  fc.oneof(
    fc.constantFrom(...ALGORITHMS).chain((algorithm) =>
      (algorithm === "leaky_bucket" ? queue : fc.constant({})).map((more): RawObject => ({
        algorithm,
        ...more,
      })),
    ),
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
  fc.constantFrom<RawObject>({}, {}, { ipv6_prefix: 48 }, { ipv6_prefix: 128 }),
);

/** Addresses. Two of the last three are in one network; with a short IPv6 prefix, all three are. */
const ADDRESSES: readonly RawObject[] = [
  {},
  {},
  { from: "10.0.0.7" },
  { from: "10.0.0.8" },
  { from: "2001:db8::1" },
  { from: "2001:db8::ffff:1" },
  { from: "2001:db8:0:1::1" },
];

/** The latest start of a flow that a scenario allows. */
const LATEST_US = Math.max(...WINDOWS) * SECOND_US;

const CREDENTIALS: readonly RawObject[] = [
  { Authorization: "Bearer bob" },
  { "X-API-Key": "bob" },
  { "x-api-key": "bob", "X-API-Key": "alice" },
];

/** Bursts at the edges of windows, and a microsecond before or after them. */
const flow = fc
  .record({
    as: fc.constantFrom<Json>("alice", "alice", "bob", null, ["alice", "bob"]),
    from: fc.constantFrom(...ADDRESSES),
    api: fc.constantFrom("a", "b"),
    method: fc.oneof(
      { weight: 24, arbitrary: fc.constantFrom("GET", "GET", ...METHODS) },
      { weight: 1, arbitrary: fc.constant("TRACE") },
    ),
    path: fc.constantFrom(...SENT),
    burst: fc.oneof(
      { weight: 24, arbitrary: fc.integer({ min: 1, max: 9 }) },
      { weight: 1, arbitrary: fc.constant(BURST) },
    ),
    at: fc
      .tuple(fc.constantFrom(0, 0, ...WINDOWS), fc.constantFrom(-1, 0, 1))
      .map(([seconds, offsetUs]) => Math.max(0, Math.round(seconds * SECOND_US) + offsetUs))
      .map((us) => Math.min(us, LATEST_US)),
    headers: fc.oneof(
      {
        weight: 24,
        arbitrary: fc.constantFrom<RawObject>({}, { "X-Tenant": "one" }, { "x-tenant": "two" }),
      },
      { weight: 1, arbitrary: fc.constantFrom(...CREDENTIALS) }, // a second credential
    ),
  })
  .map(({ as, from, api, method, path, burst, at, headers }): RawObject => ({
    as,
    send: `${method} /${api}${path}`,
    ...from,
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
      // With a burst, the effect of a fixed mark on one request depends on all earlier requests.
      ...(options["sentinel_mark"] === "fixed" && each["burst"] === BURST ? { burst: 20 } : {}),
    })),
    faults: [],
  }));
