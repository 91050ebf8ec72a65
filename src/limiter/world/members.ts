// Which fields each type of object may have. `read` fields have an effect; `stored` fields belong to the documented
// record: their type is checked, they are retained, and they have no effect (LIM-C9).

export type FieldType = "any" | "string" | "integer" | "boolean" | "object" | "strings";

export interface MemberTable {
  readonly what: string; // the object's name in messages, with its article
  readonly read: readonly string[];
  readonly stored: Readonly<Record<string, FieldType>>;
}

export const LIMIT = ["rate", "per", "smoothing", "shadow"];
const QUOTA = ["quota_max", "quota_renewal_rate"];
const THROTTLE = ["throttle_interval", "throttle_retry_limit"];

export const WORLD: MemberTable = {
  what: "a world",
  read: ["apis", "policies", "keys", "gateway"],
  stored: {},
};

export const GATEWAY: MemberTable = {
  what: "the gateway options",
  read: [
    "profile",
    "algorithm",
    "enable_fixed_window_rate_limiter",
    "enable_sentinel_rate_limiter",
    "enable_non_transactional_rate_limiter",
    "drl_threshold",
    "drl_expiry",
    "drl_notification_frequency",
    "fixed_window_start",
    "sentinel_mark",
    "burst",
    "queue",
    "limit_order",
    "policy_budgets",
    "store_transaction",
    "store_timeout",
    "on_store_error",
    "expected_gateways",
    "throttle_max_waiting",
    "rate_limit_headers",
    "normalize_path",
    "endpoint_matching",
    "key_by",
    "ipv6_prefix",
    "cost_header",
    "imitate",
  ],
  stored: {},
};

export const IMITATE: MemberTable = {
  what: "imitate",
  read: [
    "clock_resolution",
    "refused",
    "window_start",
    "window_end",
    "last_of_window",
    "tokens",
    "weights",
    "saved_turns",
    "changed_limit",
    "lifetime",
    "levels",
    "block",
    "keys",
  ],
  stored: {},
};

export const ENDPOINT_MATCHING: MemberTable = {
  what: "endpoint_matching",
  read: ["letter_case", "trailing_slash", "path_parameters", "head"],
  stored: {},
};

export const SMOOTHING: MemberTable = {
  what: "smoothing",
  read: ["enabled", "threshold", "step", "trigger", "delay"],
  stored: {},
};

/**
 * Fields by which a key or policy requires, for every request, a check that the gateway does not make. Such a key is
 * rejected, because access control never fails open (MGT-C8).
 */
export const UNENFORCED_POLICY = ["hmac_enabled", "enable_http_signature_validation"];
export const UNENFORCED_KEY = [
  ...UNENFORCED_POLICY,
  "certificate",
  "mtls_static_certificate_bindings",
];

export const POLICY: MemberTable = {
  what: "a policy",
  read: [
    "id",
    "_id",
    ...LIMIT,
    ...QUOTA,
    ...THROTTLE,
    "is_inactive",
    "meta_data",
    "access_rights",
    "apis",
    "partitions",
    ...UNENFORCED_POLICY,
  ],
  stored: {
    name: "string",
    org_id: "string",
    tags: "strings",
    key_expires_in: "integer",
    max_query_depth: "integer",
    last_updated: "string",
    date_created: "string",
  },
};

export const PARTITIONS: MemberTable = {
  what: "partitions",
  read: ["acl", "rate_limit", "quota", "complexity", "per_api"],
  stored: {},
};

/** Every field of the specification's table of keys, and the two short fields `apis` and `count`. */
export const KEY: MemberTable = {
  what: "a key",
  read: [
    "key_id",
    ...LIMIT,
    "allowance",
    ...QUOTA,
    ...THROTTLE,
    "apply_policies",
    "apply_policy_id",
    "access_rights",
    "apis",
    "count",
    "is_inactive",
    "expires",
    "meta_data",
    ...UNENFORCED_KEY,
  ],
  stored: {
    alias: "string",
    basic_auth_data: "object",
    data_expires: "integer",
    date_created: "string",
    enable_detailed_recording: "boolean",
    enable_detail_recording: "boolean", // as other gateways with this format spell it
    hmac_string: "string",
    id_extractor_deadline: "integer",
    jwt_data: "object",
    last_check: "integer",
    last_updated: "string",
    max_query_depth: "integer",
    monitor: "object",
    oauth_client_id: "string",
    oauth_keys: "object",
    org_id: "string",
    quota_remaining: "integer",
    quota_renews: "integer",
    session_lifetime: "integer",
    tags: "strings",
  },
};

/** Fields of an access right that require a check which the gateway does not make (MGT-C8). */
export const UNENFORCED_ACCESS = [
  "allowed_urls",
  "versions",
  "restricted_types",
  "allowed_types",
  "field_access_rights",
  "disable_introspection",
];

export const ACCESS_RIGHT: MemberTable = {
  what: "an access right",
  read: ["limit", "endpoints", ...UNENFORCED_ACCESS],
  stored: { api_id: "string", api_name: "string", allowance_scope: "string" },
};

export const ACCESS_LIMIT: MemberTable = {
  what: "a per-API limit",
  read: [...LIMIT, "allowance", ...QUOTA, ...THROTTLE],
  stored: { quota_remaining: "integer", quota_renews: "integer", max_query_depth: "integer" },
};
export const ACCESS_ENDPOINT: MemberTable = {
  what: "an endpoint",
  read: ["path", "methods"],
  stored: {},
};
export const ACCESS_METHOD: MemberTable = { what: "a method", read: ["name", "limit"], stored: {} };
export const ACCESS_METHOD_LIMIT: MemberTable = {
  what: "an endpoint limit",
  read: [...LIMIT],
  stored: {},
};

/** Fields that distinguish a pasted policy or key from its short form. */
export const MARKS_OF_A_RECORD = ["id", "_id", "key_id", "org_id", "access_rights"];
