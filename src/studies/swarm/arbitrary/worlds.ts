// Configurations as in a file: small enough for a readable counterexample, with all levels that can apply to a request.
import * as fc from "fast-check";
import { ALGORITHMS, type Algorithm } from "../../../limiter/core/algorithms.ts";
import type { Json } from "../../../kit/reading/shape.ts";
import {
  coarselySmoothedLimit,
  finelySmoothedLimit,
  plainLimit,
  smoothedLimit,
  type RawLimit,
} from "./limits.ts";

export type RawObject = { readonly [name: string]: Json };

export interface RawWorld {
  readonly apis: RawObject;
  readonly policies: RawObject;
  readonly keys: RawObject;
  readonly gateway: RawObject;
}

/** The parts that may occur in a world. */
export interface WorldParts {
  readonly algorithms: readonly Algorithm[];
  readonly smoothing: "none" | "whole" | "fine" | "coarse"; // "fine" and "coarse" are in quarters
  readonly quotas: boolean;
  readonly apiQuotas: boolean; // also quotas of single APIs
  readonly throttles: boolean;
  readonly patterns: boolean;
  readonly policies: boolean;
  readonly endpoints: boolean;
  readonly keyFirst: boolean;
  readonly thresholds: boolean; // whether the rate decides the algorithm, so that levels may differ (ALG-C1)
  readonly outages: boolean; // whether to draw every effect of an unreachable store (ALG-C8)
}

export const RICH: WorldParts = {
  algorithms: ALGORITHMS,
  smoothing: "whole",
  quotas: true,
  apiQuotas: true,
  throttles: false,
  patterns: true,
  policies: true,
  endpoints: true,
  keyFirst: false,
  thresholds: false,
  outages: false,
};

export const APIS = ["orders", "bills"] as const;
export const KEYS = ["alice", "bob", "carol"] as const;
const POLICIES = ["gold", "silver", "bronze"] as const;
export const PATHS = ["", "/a", "/b/c"] as const;

/** An object without its undefined fields, because JSON has no undefined. */
export const without = (fields: Readonly<Record<string, Json | undefined>>): RawObject =>
  Object.fromEntries(
    Object.entries(fields).filter((entry): entry is [string, Json] => entry[1] !== undefined),
  );

const limitJson = (limit: RawLimit): RawObject => ({ ...limit }) as unknown as RawObject;
const maybe = <T>(arbitrary: fc.Arbitrary<T>, freq = 2): fc.Arbitrary<T | undefined> =>
  fc.option(arbitrary, { nil: undefined, freq });
const rarely = (word: string): fc.Arbitrary<RawObject> =>
  fc.oneof(
    { weight: 11, arbitrary: fc.constant({}) },
    { weight: 1, arbitrary: fc.constant({ [word]: true }) },
  );

const SMOOTHED = {
  whole: smoothedLimit,
  fine: finelySmoothedLimit,
  coarse: coarselySmoothedLimit,
};

/** A limit of a key or policy; no other limit can be smoothed (SMO-C7). */
export function keyLimit({ smoothing }: WorldParts): fc.Arbitrary<RawObject> {
  const plain = plainLimit;
  const unlimited = fc.constant({ rate: -1, per: 1 });
  const all =
    smoothing === "none"
      ? fc.oneof({ weight: 20, arbitrary: plain }, { weight: 1, arbitrary: unlimited })
      : fc.oneof(
          { weight: 8, arbitrary: plain },
          { weight: 12, arbitrary: SMOOTHED[smoothing] },
          { weight: 1, arbitrary: unlimited },
        );
  return all.map(limitJson);
}

const apiLimit = plainLimit.map(limitJson);

const endpointEntries = (parts: WorldParts, limit: fc.Arbitrary<RawObject>): fc.Arbitrary<Json> =>
  parts.endpoints
    ? fc
        .array(fc.record({ path: fc.constantFrom("/a", "/b/c", "/b/{x}", "*"), limit }), {
          maxLength: 2,
        })
        .map((entries) =>
          entries.map(({ path, limit: each }) => ({ path, method: "GET", ...each })),
        )
    : fc.constant([]);

const api = (name: string, parts: WorldParts): fc.Arbitrary<RawObject> =>
  fc
    .record({
      limit: maybe(apiLimit),
      endpoints: endpointEntries(parts, apiLimit),
      flags: rarely("disable_rate_limit"),
      keyless: rarely("keyless"),
    })
    .map(({ limit, endpoints, flags, keyless }) =>
      without({ listen: `/${name}`, ...limit, ...flags, ...keyless, endpoints }),
    );

const quota = (parts: WorldParts): fc.Arbitrary<RawObject> =>
  parts.quotas
    ? fc.oneof(
        { weight: 3, arbitrary: fc.constant({}) },
        {
          weight: 1,
          arbitrary: fc.record({
            quota_max: fc.integer({ min: 1, max: 12 }),
            quota_renewal_rate: fc.constantFrom(1, 2.5, 10, -1),
          }),
        },
      )
    : fc.constant({});

const throttle = (parts: WorldParts): fc.Arbitrary<RawObject> =>
  parts.throttles
    ? fc.oneof(
        { weight: 2, arbitrary: fc.constant({}) },
        {
          weight: 1,
          arbitrary: fc.record({
            throttle_interval: fc.constantFrom(0.25, 0.5, 1),
            throttle_retry_limit: fc.integer({ min: 1, max: 4 }),
          }),
        },
      )
    : fc.constant({});

/** EPT-C5: the key-level endpoint limits of one API. */
const ownEndpoints = (parts: WorldParts): fc.Arbitrary<Json | undefined> =>
  parts.endpoints
    ? maybe(
        fc
          .array(fc.record({ path: fc.constantFrom("/a", "/b/{x}"), limit: keyLimit(parts) }), {
            minLength: 1,
            maxLength: 2,
          })
          .map((entries) =>
            entries.map(({ path, limit }) => ({ path, methods: [{ name: "GET", limit }] })),
          ),
        3,
      )
    : fc.constant(undefined);

const accessRight = (parts: WorldParts): fc.Arbitrary<RawObject> =>
  fc
    .record({
      limit: maybe(keyLimit(parts)),
      quota: parts.apiQuotas ? quota(parts) : fc.constant({}),
      endpoints: ownEndpoints(parts),
    })
    .map(({ limit, quota: apiQuota, endpoints }) => {
      const own = { ...limit, ...apiQuota };
      return without({ limit: Object.keys(own).length === 0 ? undefined : own, endpoints });
    });

const accessRights = (parts: WorldParts): fc.Arbitrary<RawObject> =>
  fc
    .record({ orders: accessRight(parts), bills: maybe(accessRight(parts), 4) })
    .map((rights) => without(rights));

const allotment = (parts: WorldParts): fc.Arbitrary<RawObject> =>
  fc
    .record({
      root: maybe(keyLimit(parts), 4),
      quota: quota(parts),
      throttle: throttle(parts),
      access_rights: accessRights(parts),
    })
    .map(({ root, quota: allowed, throttle: waits, access_rights: rights }) => ({
      ...root,
      ...allowed,
      ...waits,
      access_rights: rights,
    }));

const limitsOfKey = (parts: WorldParts): fc.Arbitrary<RawObject> =>
  fc
    .record({
      own: allotment(parts),
      policies: parts.policies
        ? fc.oneof(
            { weight: 2, arbitrary: fc.constant(undefined) },
            {
              weight: 3,
              arbitrary: fc.shuffledSubarray([...POLICIES], { minLength: 1 }),
            },
          )
        : fc.constant(undefined),
    })
    .map(({ own, policies }) => ({ ...own, ...without({ apply_policies: policies }) }));

/** Values of the field `tenant`; the last one is too long for the name of a budget. */
const TENANTS = ["north", "south", "x".repeat(4_096), "x".repeat(4_097)];

const patternOfKey = ({ patterns }: WorldParts): fc.Arbitrary<RawObject> =>
  patterns
    ? maybe(fc.constantFrom(...TENANTS), 3).map((tenant): RawObject =>
        tenant === undefined
          ? {}
          : { meta_data: { tenant, rate_limit_pattern: "$gw_meta.tenant" } },
      )
    : fc.constant({});

const key = (parts: WorldParts): fc.Arbitrary<RawObject> =>
  fc.tuple(limitsOfKey(parts), patternOfKey(parts)).map(([some, more]) => ({ ...some, ...more }));

/** Keys with equal limits: keys of one pattern share a budget only if their windows are equal (LIM-C8). */
const keysWithEqualLimits = (parts: WorldParts): fc.Arbitrary<RawObject> =>
  fc
    .tuple(limitsOfKey(parts), patternOfKey(parts), patternOfKey(parts), fc.subarray([...KEYS]))
    .map(([some, one, other, chosen]) =>
      Object.fromEntries(
        KEYS.map((name) => [name, { ...some, ...(chosen.includes(name) ? one : other) }]),
      ),
    );

const keys = (parts: WorldParts): fc.Arbitrary<RawObject> => {
  const apart = recordOf(KEYS, () => key(parts));
  return parts.patterns ? fc.oneof(apart, keysWithEqualLimits(parts)) : apart;
};

/** The choice of an algorithm: by name (ALG-C9), or by flags and a threshold (ALG-C1), so that levels may differ. */
const choice = (parts: WorldParts): fc.Arbitrary<RawObject> => {
  const byName = fc.record({ algorithm: fc.constantFrom(...parts.algorithms) });
  const byRate = fc.record({
    drl_threshold: fc.integer({ min: 1, max: 8 }),
    enable_non_transactional_rate_limiter: fc.boolean(),
  });
  return parts.thresholds ? fc.oneof(byName, byRate) : byName;
};

const options = (parts: WorldParts): fc.Arbitrary<RawObject> =>
  fc
    .record({
      choice: choice(parts),
      burst: fc.constantFrom<Json>(1, 2, "rate", 9),
      queue: fc.constantFrom<Json>(0, 2, 12, "rate"),
      fixed_window_start: fc.constantFrom("first_request", "clock"),
      limit_order: parts.keyFirst
        ? fc.constantFrom("api_first", "key_first")
        : fc.constant("api_first"),
      ...(parts.outages ? { on_store_error: fc.constantFrom("local", "allow", "deny") } : {}),
    })
    .map(({ choice: chosen, ...gateway }) => ({ ...chosen, ...gateway }));

const recordOf = <Name extends string>(
  names: readonly Name[],
  arbitrary: (name: Name) => fc.Arbitrary<RawObject>,
): fc.Arbitrary<RawObject> =>
  fc.record(Object.fromEntries(names.map((name) => [name, arbitrary(name)])));

export const world = (parts: WorldParts): fc.Arbitrary<RawWorld> =>
  fc.record({
    apis: recordOf(APIS, (name) => api(name, parts)),
    policies: parts.policies ? recordOf(POLICIES, () => allotment(parts)) : fc.constant({}),
    keys: keys(parts),
    gateway: options(parts),
  });
