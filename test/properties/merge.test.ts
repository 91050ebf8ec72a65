import * as fc from "fast-check";
import { describe, expect, test } from "vitest";
import type {
  AccessRight,
  EndpointLimit,
  Key,
  Policy,
  Quota,
  Throttle,
} from "#src/limiter/core/config.ts";
import { compareEffectiveRate, limitOf, type Limit } from "#src/limiter/core/limit.ts";
import { merge, type MergedKey } from "#src/limiter/core/resolve/merge.ts";
import { DEFAULT_OPTIONS } from "#src/limiter/world/options.ts";
import { micros, NEVER, SECOND } from "#src/kit/units.ts";
import { holds } from "../runs.ts";

const APART = { ...DEFAULT_OPTIONS, policyBudgets: "apart" } as const;

const IDS = ["gold", "silver", "bronze", "iron"];
const APIS = ["orders", "bills", "stock"];

/** Limits of a hundred different rates, or of four, so that ties are common. */
const limit = (ties: boolean): fc.Arbitrary<Limit> =>
  fc.oneof(
    {
      weight: 9,
      arbitrary: fc
        .tuple(fc.integer({ min: 0, max: ties ? 2 : 10_000 }), fc.constantFrom(1, 2, 0.5))
        .map(([rate, per]) => limitOf(rate, per)),
    },
    { weight: 1, arbitrary: fc.constant(limitOf(-1, 1)) },
  );

const endpoint = (ties: boolean): fc.Arbitrary<EndpointLimit> =>
  fc.record({
    method: fc.constantFrom("GET", "POST"),
    pattern: fc.constantFrom("/a", "/b").map((text) => ({ text, pieces: [text] })),
    limit: limit(ties),
  });

const most = (ties: boolean): fc.Arbitrary<number> =>
  fc.integer({ min: 1, max: ties ? 2 : 1_000_000 });

const quota = (ties: boolean): fc.Arbitrary<Quota | null> =>
  fc.option(fc.record({ max: most(ties), renewalUs: fc.constantFrom(SECOND, NEVER) }));

const throttle = (ties: boolean): fc.Arbitrary<Throttle | null> =>
  fc.option(fc.record({ intervalUs: fc.constantFrom(SECOND, micros(5)), retryLimit: most(ties) }));

const right = (ties: boolean): fc.Arbitrary<AccessRight> =>
  fc.record({
    limit: fc.option(limit(ties)),
    quota: quota(ties),
    throttle: throttle(ties),
    endpoints: fc.uniqueArray(endpoint(ties), {
      maxLength: 3,
      selector: ({ method, pattern }) => `${method} ${pattern.text}`,
    }),
    unenforced: fc.subarray(["allowed_urls", "versions"]),
  });

const rights = (ties: boolean): fc.Arbitrary<ReadonlyMap<string, AccessRight>> =>
  fc
    .uniqueArray(fc.tuple(fc.constantFrom(...APIS), right(ties)), { selector: ([api]) => api })
    .map((entries) => new Map(entries));

const policy = (id: string, ties: boolean): fc.Arbitrary<Policy> =>
  fc.record({
    id: fc.constant(id),
    supplies: fc.record({ access: fc.boolean(), rate: fc.boolean(), quota: fc.boolean() }),
    limit: fc.option(limit(ties)),
    quota: quota(ties),
    throttle: throttle(ties),
    accessRights: rights(ties),
    inactive: fc.boolean(),
    metaData: fc.constant({}),
  });

const policies = (ties: boolean): fc.Arbitrary<ReadonlyMap<string, Policy>> =>
  fc
    .tuple(...IDS.map((id) => policy(id, ties)))
    .map((all) => new Map(all.map((one) => [one.id, one])));

const keyWith = (applyPolicies: readonly string[], own: Limit | null): Key => ({
  id: "alice",
  limit: own,
  quota: null,
  throttle: null,
  applyPolicies,
  accessRights: null,
  inactive: false,
  expiresUs: NEVER,
  metaData: {},
  unenforced: [],
});

const rateOf = (one: Limit): string =>
  one.rate === -1 ? "unlimited" : String((one.rate * SECOND) / one.perUs);

/** The result of a merge, sorted. */
const summaryOf = (
  { root, grants, quota, throttle, inactive, missing }: MergedKey,
  of: (one: Limit) => unknown,
) => ({
  inactive,
  missing: missing.toSorted(),
  root: root === null ? null : of(root.limit),
  quota,
  throttle,
  grants: [...grants]
    .toSorted(([a], [b]) => a.localeCompare(b))
    .map(([api, grant]) => ({
      api,
      own: grant.own === null ? null : of(grant.own.limit),
      drawsOnRoot: grant.drawsOnRoot,
      quota: grant.quota,
      throttle: grant.throttle,
      unenforced: grant.unenforced.toSorted(),
      endpoints: grant.endpoints
        .map(({ method, pattern, limit: each }) => [method, pattern.text, of(each)])
        .toSorted((a, b) => JSON.stringify(a).localeCompare(JSON.stringify(b))),
    })),
});

/** The effective rate of an API, where there is a limit at all. */
function effective({ grants, root }: MergedKey, api: string): Limit | null {
  const grant = grants.get(api);
  if (grant === undefined) return null;
  return grant.own?.limit ?? (grant.drawsOnRoot ? (root?.limit ?? null) : null);
}

const applied = fc.shuffledSubarray(IDS, { minLength: 1 });
/** Policies that are applied, and one that is added to them. */
const appliedAndAdded = fc
  .shuffledSubarray(IDS, { minLength: 2 })
  .map(([added, ...ids]) => ({ ids, added: added! }));
const own = fc.option(limit(false));
const hasNoTie = (all: ReadonlyMap<string, Policy>): boolean => {
  const limits = [...all.values()].flatMap(({ limit: root, accessRights }) => [
    root,
    ...[...accessRights.values()].flatMap((each) => [
      each.limit,
      ...each.endpoints.map(({ limit: ofPath }) => ofPath),
    ]),
  ]);
  const each = [...all.values()].flatMap((one) => [one, ...one.accessRights.values()]);
  return [
    limits.filter((one) => one !== null).map(rateOf),
    each.flatMap(({ quota }) => (quota === null ? [] : [quota.max])),
    each.flatMap(({ throttle }) => (throttle === null ? [] : [throttle.retryLimit])),
  ].every((values) => new Set<unknown>(values).size === values.length);
};

describe("policies on one key (LIM-5, LIM-C4, LIM-C6)", () => {
  test("give the same in every order, if no two are equal", () => {
    const orders = applied.chain((ids) =>
      fc.tuple(fc.constant(ids), fc.shuffledSubarray(ids, { minLength: ids.length })),
    );
    holds(
      fc.property(policies(false), own, orders, (all, root, [ids, shuffled]) => {
        fc.pre(hasNoTie(all));
        const exactly = (one: Limit): Limit => one;
        expect(summaryOf(merge(keyWith(shuffled, root), all), exactly)).toEqual(
          summaryOf(merge(keyWith(ids, root), all), exactly),
        );
      }),
      500,
    );
  });

  test("give the same effective rates in every order, with or without ties", () => {
    holds(
      fc.property(policies(true), own, applied, (all, root, ids) => {
        const rates = (order: readonly string[]) => {
          const merged = merge(keyWith(order, root), all);
          return APIS.map((api) => {
            const found = effective(merged, api);
            return found === null ? null : rateOf(found);
          });
        };
        expect(rates(ids.toReversed())).toEqual(rates(ids));
      }),
      500,
    );
  });

  test("change nothing when they are listed twice", () => {
    holds(
      fc.property(policies(true), own, applied, (all, root, ids) => {
        const once = merge(keyWith(ids, root), all);
        expect(merge(keyWith([...ids, ...ids.toReversed()], root), all)).toEqual(once);
      }),
      500,
    );
  });

  test("are merged once: an unknown one among them changes nothing but the list of the missing", () => {
    holds(
      fc.property(policies(true), own, applied, (all, root, ids) => {
        const { missing, ...rest } = merge(keyWith(["lost", ...ids], root), all);
        const { missing: _, ...without } = merge(keyWith(ids, root), all);
        expect(missing).toEqual(["lost"]);
        expect(rest).toEqual(without);
      }),
      200,
    );
  });

  // Covers neither budgets without a limit nor those that the first policy replaces: a key's own root, and the root
  // at an API that no policy rates (LIM-C5, LIM-C14).
  test("never make an API slower by being added (LIM-C6)", () => {
    holds(
      fc.property(policies(true), appliedAndAdded, (all, { ids, added }) => {
        const hasRoot = (id: string): boolean =>
          all.get(id)!.supplies.rate && all.get(id)!.limit !== null;
        fc.pre(!hasRoot(added) || ids.some(hasRoot));
        const isRated = (api: string): boolean =>
          ids.some((id) => all.get(id)!.supplies.rate && all.get(id)!.accessRights.has(api));
        const before = merge(keyWith(ids, null), all);
        const after = merge(keyWith([...ids, added], null), all);
        const slower = APIS.filter(isRated).filter((api) => {
          const [was, is] = [effective(before, api), effective(after, api)];
          return was !== null && (is === null || compareEffectiveRate(is, was) < 0);
        });
        expect(slower).toEqual([]);
      }),
      1000,
    );
  });

  test("apart, change nothing at an API that they do not name (LIM-C6)", () => {
    holds(
      fc.property(policies(true), own, appliedAndAdded, (all, root, { ids, added }) => {
        const { accessRights } = all.get(added)!;
        fc.pre(accessRights.size > 0);
        const before = merge(keyWith(ids, root), all, APART).grants;
        const after = merge(keyWith([...ids, added], root), all, APART).grants;
        const others = [...before.keys()].filter((api) => !accessRights.has(api));
        expect(others.map((api) => after.get(api))).toEqual(others.map((api) => before.get(api)));
      }),
      1000,
    );
  });

  test("as separate budgets give the numbers of one budget if all policies name the same APIs (LIM-C6)", () => {
    holds(
      fc.property(policies(true), own, applied, (all, root, ids) => {
        const [first, ...others] = ids.map((id) =>
          [...all.get(id)!.accessRights.keys()].toSorted(),
        );
        fc.pre(first!.length > 0 && others.every((apis) => apis.join() === first!.join()));
        const merged = merge(keyWith(ids, root), all);
        const apart = merge(keyWith(ids, root), all, APART);
        for (const [api, grant] of apart.grants) {
          expect({ ...grant, roots: null }).toEqual(merged.grants.get(api));
          const { root: limit, quota: count, quotaOf, throttle: patience } = merged;
          expect(grant.roots).toEqual({ root: limit, quota: count, quotaOf, throttle: patience });
        }
      }),
      1000,
    );
  });
});
