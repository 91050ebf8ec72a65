// Reads a world from its text, as the format and the requirements define it.
import { SPECIFIED } from "../../limiter/spec/by-algorithm.ts";
import { withProfile } from "../../limiter/spec/profiles.ts";
import type { Json } from "../../kit/reading/shape.ts";
import {
  PARTS,
  type OracleAccessRight,
  type OracleConfiguration,
  type OracleOptions,
  type OracleKey,
  type OraclePolicy,
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
  type WorldFields,
} from "./text.ts";

const configurations = new WeakMap<WorldFields, OracleConfiguration>();

/** The configuration of a world; cached, so that each world is read only once. */
export function configurationOf(raw: WorldFields): OracleConfiguration {
  const configuration = configurations.get(raw) ?? read(raw);
  configurations.set(raw, configuration);
  return configuration;
}

function read(raw: WorldFields): OracleConfiguration {
  const apis = entriesIn(raw["apis"]).map(([name, fields]) => apiOf(name, membersIn(fields)));
  const policies = entriesIn(raw["policies"]).map(([name, fields]) =>
    policyOf(name, membersIn(fields)),
  );
  const apiNamed = referencesTo(raw["apis"], apis);
  const policyNamed = referencesTo(raw["policies"], policies);
  const keys = entriesIn(raw["keys"]).map(([name, fields]) => {
    const key = keyOf(name, membersIn(fields));
    const applyPolicies = key.applyPolicies.map(policyNamed);
    const credentials = credentialsOf(name, membersIn(fields));
    return { name, credentials, key: { ...withRights(key, apiNamed), applyPolicies } };
  });
  return {
    apis: new Map(apis.map((api) => [api.id, api])),
    policies: new Map(policies.map((policy) => [policy.id, withRights(policy, apiNamed)])),
    keys: new Map(
      keys.flatMap(({ credentials, key }) =>
        credentials.map((credential): [string, OracleKey] => [
          credential,
          credentials.length === 1 ? key : { ...key, id: credential },
        ]),
      ),
    ),
    credentials: new Map(keys.map(({ name, credentials }) => [name, credentials])),
    options: optionsOf(membersIn(withProfile(membersIn(raw["gateway"])) as WorldFields)),
  };
}

/** Resolves references: a world refers to an API or a policy by id, or else by its name in the map. */
function referencesTo(
  entries: Json | undefined,
  all: readonly { readonly id: string }[],
): (name: string) => string {
  const ids = new Set(all.map(({ id }) => id));
  const byName = new Map(entriesIn(entries).map(([name], index) => [name, all[index]!.id]));
  return (name) => (ids.has(name) ? name : (byName.get(name) ?? name));
}

const withRights = <Holder extends OraclePolicy | OracleKey>(
  holder: Holder,
  apiNamed: (name: string) => string,
): Holder => ({
  ...holder,
  accessRights: new Map(
    [...holder.accessRights].map(([api, right]) => [apiNamed(api), right] as const),
  ),
});

/** `count: 3` makes three equal keys: name-1 to name-3. */
function credentialsOf(name: string, fields: WorldFields): readonly string[] {
  const count = numberIn(fields["count"]);
  return count <= 1 ? [name] : Array.from({ length: count }, (_, index) => `${name}-${index + 1}`);
}

const hasValue = (value: Json | undefined): boolean =>
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

const hasAny = (fields: WorldFields, names: readonly string[]): boolean =>
  names.some((name) => hasValue(of(fields, name)));

const isUnenforcedRight = (fields: WorldFields): boolean => {
  const versions = listIn(fields["versions"]);
  return hasAny(fields, RESTRICTED) || versions.some((version) => version !== "Default");
};

function rightsOf(fields: WorldFields): Map<string, OracleAccessRight> {
  const named = textsIn(fields["apis"]).map((api): [string, Json] => [api, {}]);
  return new Map(
    [...named, ...entriesIn(fields["access_rights"])].map(([api, right]) => [
      api,
      rightOf(membersIn(right)),
    ]),
  );
}

function rightOf(fields: WorldFields): OracleAccessRight {
  const limit = membersIn(fields["limit"]);
  return {
    limit: limitOf(limit),
    quota: quotaOf(limit),
    isThrottled: isThrottled(limit),
    endpoints: listIn(fields["endpoints"]).flatMap((entry) =>
      listIn(at(entry, "methods")).flatMap((method) => {
        const methodLimit = limitOf(membersIn(at(method, "limit")));
        const pattern = patternOf(textIn(at(entry, "path")) ?? "");
        const name = textIn(at(method, "name")) ?? "";
        return methodLimit === null
          ? []
          : [{ method: name.toUpperCase(), pattern, limit: methodLimit }];
      }),
    ),
    isUnenforced: isUnenforcedRight(fields),
  };
}

const allotmentOf = (id: string, fields: WorldFields) => ({
  id,
  limit: limitOf(fields),
  quota: quotaOf(fields),
  isThrottled: isThrottled(fields),
  isInactive: fields["is_inactive"] === true,
  metaData: membersIn(fields["meta_data"]),
  accessRights: rightsOf(fields),
});

function policyOf(name: string, fields: WorldFields): OraclePolicy {
  const partitions = membersIn(fields["partitions"]);
  const isPerApi = partitions["per_api"] === true;
  const isParted = [...PARTS, "complexity"].some((part) => partitions[part] === true);
  return {
    ...allotmentOf(textIn(fields["id"]) ?? textIn(fields["_id"]) ?? name, fields),
    isUnenforced: hasAny(fields, SIGNED),
    supplies: new Set(PARTS.filter((part) => !isParted || partitions[part] === true)),
    isPerApi,
  };
}

/** LIM-C7: if `apply_policies` is not empty, it wins over `apply_policy_id`. */
function keyOf(name: string, fields: WorldFields): OracleKey {
  const listed = textsIn(fields["apply_policies"]);
  const single = textIn(fields["apply_policy_id"]);
  const expiresUs = timeIn(fields["expires"]);
  return {
    ...allotmentOf(textIn(fields["key_id"]) ?? name, fields),
    isUnenforced: hasAny(fields, [...SIGNED, "certificate", "mtls_static_certificate_bindings"]),
    applyPolicies: listed.length > 0 || single === null ? listed : [single],
    expiresUs: expiresUs > 0 ? expiresUs : Number.POSITIVE_INFINITY,
  };
}

function optionsOf(fields: WorldFields): OracleOptions {
  const isOn = (name: string): boolean => fields[name] === true;
  const word = <T extends string>(name: string, ...words: readonly [T, ...T[]]): T => {
    const value = textIn(fields[name])?.replaceAll("-", "_");
    return words.find((each) => each === value) ?? words[0];
  };
  const same = (name: string): boolean => at(fields, "endpoint_matching", name) === "same";
  const algorithm = textIn(fields["algorithm"])?.replaceAll("-", "_");
  return {
    algorithm: SPECIFIED.find((each) => each === algorithm) ?? null,
    enableFixedWindowRateLimiter: isOn("enable_fixed_window_rate_limiter"),
    enableSentinelRateLimiter: isOn("enable_sentinel_rate_limiter"),
    enableNonTransactionalRateLimiter: isOn("enable_non_transactional_rate_limiter"),
    drlThreshold: numberIn(fields["drl_threshold"]),
    fixedWindowStart: word("fixed_window_start", "first_request", "clock"),
    sentinelMark: word("sentinel_mark", "sliding", "fixed"),
    burst: fields["burst"] === "rate" ? "rate" : numberIn(fields["burst"] ?? 1),
    queue: typeof fields["queue"] === "number" ? fields["queue"] : "rate",
    limitOrder: word("limit_order", "api_first", "key_first"),
    policyBudgets: word("policy_budgets", "merged", "apart"),
    storeTimeoutUs: timeIn(fields["store_timeout"] ?? 0.1),
    onStoreError: word("on_store_error", "local", "allow", "deny"),
    rateLimitHeaders: word("rate_limit_headers", "legacy", "ietf", "both", "off"),
    normalizePath: fields["normalize_path"] !== false,
    sameness: {
      letterCase: same("letter_case"),
      trailingSlash: same("trailing_slash"),
      pathParameters: same("path_parameters"),
      head: same("head"),
    },
    keyBy: keyByOf(fields["key_by"]) ?? "credential",
    ipv6Prefix: numberIn(fields["ipv6_prefix"] ?? 64),
    costHeader: textIn(fields["cost_header"])?.toLowerCase() ?? null,
    imitates: Object.keys(membersIn(fields["imitate"])).length > 0,
  };
}
