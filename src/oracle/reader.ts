// Reads a world from its text, as the format describes it and the requirements say what it means.
import { SPECIFIED } from "../spec/by-algorithm.ts";
import type { Json } from "../reading/shape.ts";
import {
  PARTS,
  type AccessRight,
  type Configuration,
  type GatewayOptions,
  type Key,
  type Policy,
} from "./configured.ts";
import { apiOf, keyByOf, patternOf } from "./reader-apis.ts";
import { isThrottled, limitOf, quotaOf } from "./reader-limits.ts";
import {
  at,
  entriesIn,
  listIn,
  membersIn,
  numberIn,
  of,
  timeIn,
  textIn,
  textsIn,
  type Members,
} from "./text.ts";

const known = new WeakMap<Members, Configuration>();

/** The same text is read once. */
export function configurationOf(raw: Members): Configuration {
  const found = known.get(raw) ?? read(raw);
  known.set(raw, found);
  return found;
}

function read(raw: Members): Configuration {
  const apis = entriesIn(raw["apis"]).map(([name, said]) => apiOf(name, membersIn(said)));
  const policies = entriesIn(raw["policies"]).map(([name, said]) =>
    policyOf(name, membersIn(said)),
  );
  const keys = entriesIn(raw["keys"]).map(([name, said]) => ({
    name,
    credentials: credentialsOf(name, membersIn(said)),
    key: keyOf(name, membersIn(said)),
  }));
  return {
    apis: new Map(apis.map((api) => [api.id, api])),
    policies: new Map(policies.map((policy) => [policy.id, policy])),
    keys: new Map(
      keys.flatMap(({ credentials, key }) =>
        credentials.map((credential): [string, Key] => [
          credential,
          credentials.length === 1 ? key : { ...key, id: credential },
        ]),
      ),
    ),
    credentials: new Map(keys.map(({ name, credentials }) => [name, credentials])),
    options: optionsOf(membersIn(raw["gateway"])),
  };
}

/** `count: 3` makes three keys alike: name-1 to name-3. */
function credentialsOf(name: string, said: Members): readonly string[] {
  const count = numberIn(said["count"]);
  return count <= 1 ? [name] : Array.from({ length: count }, (_, index) => `${name}-${index + 1}`);
}

const saysSomething = (value: Json | undefined): boolean =>
  value !== undefined && value !== null && value !== false && value !== "" && !isEmptyList(value);

const isEmptyList = (value: Json): boolean => Array.isArray(value) && value.length === 0;

const SIGNED = ["hmac_enabled", "enable_http_signature_validation"];
const RESTRICTED = [
  "allowed_urls",
  "restricted_types",
  "allowed_types",
  "field_access_rights",
  "disable_introspection",
];

const saysAny = (said: Members, names: readonly string[]): boolean =>
  names.some((name) => saysSomething(of(said, name)));

const isUnenforcedRight = (said: Members): boolean => {
  const versions = listIn(said["versions"]);
  return saysAny(said, RESTRICTED) || versions.some((version) => version !== "Default");
};

function rightsOf(said: Members): Map<string, AccessRight> {
  const named = textsIn(said["apis"]).map((api): [string, Json] => [api, {}]);
  return new Map(
    [...named, ...entriesIn(said["access_rights"])].map(([api, right]) => [
      api,
      rightOf(membersIn(right)),
    ]),
  );
}

function rightOf(said: Members): AccessRight {
  const limit = membersIn(said["limit"]);
  return {
    limit: limitOf(limit),
    quota: quotaOf(limit),
    isThrottled: isThrottled(limit),
    endpoints: listIn(said["endpoints"]).flatMap((entry) =>
      listIn(at(entry, "methods")).flatMap((method) => {
        const own = limitOf(membersIn(at(method, "limit")));
        const pattern = patternOf(textIn(at(entry, "path")) ?? "");
        const name = textIn(at(method, "name")) ?? "";
        return own === null ? [] : [{ method: name.toUpperCase(), pattern, limit: own }];
      }),
    ),
    isUnenforced: isUnenforcedRight(said),
  };
}

const allotmentOf = (id: string, said: Members) => ({
  id,
  limit: limitOf(said),
  quota: quotaOf(said),
  isThrottled: isThrottled(said),
  isInactive: said["is_inactive"] === true,
  metaData: membersIn(said["meta_data"]),
  accessRights: rightsOf(said),
});

function policyOf(name: string, said: Members): Policy {
  const partitions = membersIn(said["partitions"]);
  const isPerApi = partitions["per_api"] === true;
  const isParted = [...PARTS, "complexity"].some((part) => partitions[part] === true);
  return {
    ...allotmentOf(textIn(said["id"]) ?? textIn(said["_id"]) ?? name, said),
    isUnenforced: saysAny(said, SIGNED),
    supplies: new Set(PARTS.filter((part) => !isParted || partitions[part] === true)),
    isPerApi,
  };
}

/** LIM-C7: the list wins where it is not empty. */
function keyOf(name: string, said: Members): Key {
  const listed = textsIn(said["apply_policies"]);
  const single = textIn(said["apply_policy_id"]);
  const expiresUs = timeIn(said["expires"]);
  return {
    ...allotmentOf(textIn(said["key_id"]) ?? name, said),
    isUnenforced: saysAny(said, [...SIGNED, "certificate", "mtls_static_certificate_bindings"]),
    applyPolicies: listed.length > 0 || single === null ? listed : [single],
    expiresUs: expiresUs > 0 ? expiresUs : Number.POSITIVE_INFINITY,
  };
}

function optionsOf(said: Members): GatewayOptions {
  const isOn = (name: string): boolean => said[name] === true;
  const word = <T extends string>(name: string, ...words: readonly [T, ...T[]]): T => {
    const spoken = textIn(said[name])?.replaceAll("-", "_");
    return words.find((each) => each === spoken) ?? words[0];
  };
  const same = (name: string): boolean => at(said, "endpoint_matching", name) === "same";
  const algorithm = textIn(said["algorithm"])?.replaceAll("-", "_");
  return {
    algorithm: SPECIFIED.find((each) => each === algorithm) ?? null,
    enableFixedWindowRateLimiter: isOn("enable_fixed_window_rate_limiter"),
    enableSentinelRateLimiter: isOn("enable_sentinel_rate_limiter"),
    enableNonTransactionalRateLimiter: isOn("enable_non_transactional_rate_limiter"),
    drlThreshold: numberIn(said["drl_threshold"]),
    fixedWindowStart: word("fixed_window_start", "first_request", "clock"),
    sentinelMark: word("sentinel_mark", "sliding", "fixed"),
    burst: said["burst"] === "rate" ? "rate" : numberIn(said["burst"] ?? 1),
    limitOrder: word("limit_order", "api_first", "key_first"),
    policyBudgets: word("policy_budgets", "merged", "apart"),
    storeTimeoutUs: timeIn(said["store_timeout"] ?? 0.1),
    onStoreError: word("on_store_error", "local", "allow", "deny"),
    rateLimitHeaders: word("rate_limit_headers", "legacy", "ietf", "both", "off"),
    normalizePath: said["normalize_path"] !== false,
    sameness: {
      letterCase: same("letter_case"),
      trailingSlash: same("trailing_slash"),
      pathParameters: same("path_parameters"),
      head: same("head"),
    },
    keyBy: keyByOf(said["key_by"]) ?? "credential",
    ipv6Prefix: numberIn(said["ipv6_prefix"] ?? 64),
  };
}
