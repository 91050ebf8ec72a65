// Warnings about surprising merges of a key's policies (LIM-C15, LIM-C6): policies without any effect, and limits that
// apply at APIs which their policy does not name. The key's name is left out, so that many keys can share one warning.
import type { EndpointLimit, Key, Policy, Quota, Throttle } from "../core/config.ts";
import { isUnlimited, type Limit } from "../core/limit.ts";
import { formatDuration, microsToSeconds } from "../../kit/units.ts";
import type { Matching } from "../core/resolve/endpoint.ts";
import type { LimitCandidate, Grant, MergedKey, Roots } from "../core/resolve/merge.ts";
import { nameOfEntry } from "../core/resolve/same-entry.ts";

interface MergeWarning {
  readonly code: "CFG-POLICY-LOSES" | "CFG-POLICY-GOVERNS-ELSEWHERE";
  readonly text: (key: string) => string;
  readonly fix: string;
}

export const limitText = ({ rate, perUs }: Limit): string =>
  rate < 0 ? "unlimited" : `${rate} per ${microsToSeconds(perUs)} s`;

export const quotaText = ({ max, renewalUs }: Quota): string =>
  max < 0
    ? "no quota"
    : `a quota of ${max}${Number.isFinite(renewalUs) ? ` per ${microsToSeconds(renewalUs)} s` : ""}`;

const throttleText = ({ intervalUs, retryLimit }: Throttle): string =>
  `throttling of ${retryLimit} retries after ${formatDuration(intervalUs)}`;

const textWithSource = ({ limit, policy }: LimitCandidate): string =>
  `${limitText(limit)} of ${policy === null ? "the key" : `policy "${policy}"`}`;

const isSame = (one: unknown, other: unknown): boolean =>
  JSON.stringify(one) === JSON.stringify(other);

// ---------------------------------------------------------------- policies that lose every merge

/** A value that a policy contributes to a merge, whether it is effective, and the value that is effective instead. */
interface Entered {
  readonly text: string;
  readonly isEffective: boolean;
  readonly instead: string;
}

export function losingPolicies(
  key: Key,
  merged: MergedKey,
  policies: ReadonlyMap<string, Policy>,
  matching: Matching,
): readonly MergeWarning[] {
  if (merged.grants.size === 0 || key.applyPolicies.length < 2) return [];
  return [...new Set(key.applyPolicies)].flatMap((id): readonly MergeWarning[] => {
    const policy = policies.get(id);
    const entered = policy === undefined ? [] : entriesOf(policy, merged, matching);
    if (entered.length === 0 || entered.some(({ isEffective }) => isEffective)) return [];
    const { text, instead } = entered[0]!;
    const more = entered.length > 1 ? `, and ${entered.length - 1} more of its numbers lose` : "";
    return [
      {
        code: "CFG-POLICY-LOSES",
        text: (name) =>
          `policy "${id}" loses every merge on ${name}: ${instead} applies instead of ${text}${more}`,
        fix: `of several policies only the highest rate and the largest quota apply: remove "${id}" from the key, or raise its numbers`,
      },
    ];
  });
}

function entriesOf(policy: Policy, merged: MergedKey, matching: Matching): readonly Entered[] {
  const { supplies } = policy;
  const grants = [...merged.grants].flatMap(([api, grant]) => {
    const right = policy.accessRights.get(api);
    return right === undefined ? [] : [{ api, grant, right }];
  });
  const roots = rootsFor(policy, merged);
  const rates = [
    ...(policy.limit === null ? [] : [rootEntered(policy.limit, roots)]),
    ...(policy.throttle === null
      ? []
      : [
          throttleEntered(
            policy.throttle,
            roots.map(({ throttle }) => throttle),
          ),
        ]),
    ...grants.flatMap(({ api, grant, right }) => [
      ...(right.limit === null ? [] : [ownEntered(api, right.limit, grant, merged)]),
      ...(right.throttle === null ? [] : [throttleEntered(right.throttle, [grant.throttle])]),
      ...right.endpoints.map((entry) => endpointEntered(api, entry, grant, matching)),
    ]),
  ];
  const quotas = [
    ...(policy.quota === null
      ? []
      : [
          quotaEntered(
            policy.quota,
            roots.map(({ quota }) => quota),
          ),
        ]),
    ...grants.flatMap(({ grant, right }) =>
      right.quota === null ? [] : [quotaEntered(right.quota, [grant.quota])],
    ),
  ];
  return [...(supplies.rate ? rates : []), ...(supplies.quota ? quotas : [])];
}

/** Every merge of root fields in which a policy is a candidate: one, or one per API if policies have own budgets. */
function rootsFor({ accessRights }: Policy, merged: MergedKey): readonly Roots[] {
  const apart = [...merged.grants].flatMap(([api, { roots }]) =>
    roots !== null && (accessRights.size === 0 || accessRights.has(api)) ? [roots] : [],
  );
  return [...merged.grants.values()].some(({ roots }) => roots !== null) ? apart : [merged];
}

function rootEntered(limit: Limit, roots: readonly Roots[]): Entered {
  const root = roots.find((one) => one.root !== null)?.root ?? null;
  return {
    text: limitText(limit),
    isEffective: roots.some((one) => isSame(one.root?.limit, limit)),
    instead: root === null ? "no limit" : textWithSource(root),
  };
}

function ownEntered(api: string, limit: Limit, grant: Grant, merged: MergedKey): Entered {
  const winner = grant.own ?? (grant.roots ?? merged).root;
  return {
    text: `${limitText(limit)} for API ${api}`,
    isEffective: isSame(winner?.limit, limit),
    instead: winner === null ? "no limit" : textWithSource(winner),
  };
}

function endpointEntered(
  api: string,
  entry: EndpointLimit,
  grant: Grant,
  matching: Matching,
): Entered {
  const { method, pattern, limit } = entry;
  const name = nameOfEntry(entry, matching);
  const winner = grant.endpoints.find((one) => nameOfEntry(one, matching) === name);
  return {
    text: `${limitText(limit)} for ${method} ${pattern.text} of API ${api}`,
    isEffective: isSame(winner?.limit, limit),
    instead: winner === undefined ? "no limit" : limitText(winner.limit),
  };
}

function quotaEntered(quota: Quota, effective: readonly (Quota | null)[]): Entered {
  const winner = effective.find((one) => one !== null) ?? null;
  return {
    text: quotaText(quota),
    isEffective: effective.some((one) => isSame(one, quota)),
    instead: winner === null ? "no quota" : quotaText(winner),
  };
}

function throttleEntered(throttle: Throttle, effective: readonly (Throttle | null)[]): Entered {
  const winner = effective.find((one) => one !== null) ?? null;
  return {
    text: throttleText(throttle),
    isEffective: effective.some((one) => isSame(one, throttle)),
    instead: winner === null ? "no throttling" : throttleText(winner),
  };
}

// ---------------------------------------------------------------- policies that govern elsewhere

const MOST_APIS = 5;

/** Warns of effects at APIs that a policy does not name; `apart` is the merge without these effects (LIM-C6). */
export function governingElsewhere(merged: MergedKey, apart: MergedKey): readonly MergeWarning[] {
  const changes = [...merged.grants].flatMap(([api, grant]) => {
    const other = apart.grants.get(api);
    if (other === undefined || other.roots === null) return [];
    const descriptions = [
      ...describeRateChange(api, grant, { ...other, roots: other.roots }, merged, apart),
      ...describeQuotaChange(other.roots, merged),
    ];
    return descriptions.length === 0 ? [] : [`${api} ${descriptions.join(" and ")}`];
  });
  if (changes.length === 0) return [];
  const listed = changes.slice(0, MOST_APIS).join("; ");
  const more = changes.length > MOST_APIS ? `; and ${changes.length - MOST_APIS} more` : "";
  return [
    {
      code: "CFG-POLICY-GOVERNS-ELSEWHERE",
      text: (name) =>
        `the policies of ${name} grant different APIs, and their limits are merged over all of them: ${listed}${more}`,
      fix: "set policy_budgets: apart in the gateway options for a budget of each policy's own APIs",
    },
  ];
}

type Apart = Grant & { readonly roots: Roots };

function describeRateChange(
  api: string,
  grant: Grant,
  other: Apart,
  merged: MergedKey,
  apart: MergedKey,
): readonly string[] {
  const now = grant.own ?? merged.root;
  const then = other.own ?? other.roots.root;
  const sharing = grant.own !== null ? [] : apisOnRoot(merged, () => true);
  const own = new Set(
    apisOnRoot(apart, (one) => one.roots?.root?.policy === other.roots.root?.policy),
  );
  const isLimited = now !== null && !isUnlimited(now.limit);
  const strangers = isLimited
    ? sharing.filter((one) => one !== api && (other.own !== null || !own.has(one)))
    : [];
  const shared =
    strangers.length === 0 ? "" : `, shared with ${strangers.slice(0, MOST_APIS).join(", ")}`;
  if (!isSame(now?.limit, then?.limit)) {
    const before = then === null ? "no limit" : textWithSource(then);
    return [`has ${now === null ? "no limit" : textWithSource(now)} instead of ${before}${shared}`];
  }
  return shared === "" ? [] : [`has ${textWithSource(now!)}${shared}`];
}

const apisOnRoot = (
  { grants }: MergedKey,
  isWanted: (grant: Grant) => boolean,
): readonly string[] =>
  [...grants].flatMap(([api, grant]) => (grant.drawsOnRoot && isWanted(grant) ? [api] : []));

function describeQuotaChange(then: Roots, { quota, quotaOf }: MergedKey): readonly string[] {
  if (isSame(quota, then.quota) && quotaOf === then.quotaOf) return [];
  const now = quota === null ? "no quota" : quotaText(quota);
  return [
    `counts against ${now} instead of ${then.quota === null ? "none" : quotaText(then.quota)}`,
  ];
}
