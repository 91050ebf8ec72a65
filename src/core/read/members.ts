// Which members each kind of object may have. `read` members act; `stored` members are part of the
// documented record, are checked for their type and kept, and decide nothing (LIM-C9).

export type FieldType = "any" | "string" | "number" | "integer" | "boolean" | "object" | "strings";

export interface MemberTable {
  readonly what: string; // as a message calls it, with its article
  readonly read: readonly string[];
  readonly stored: Readonly<Record<string, FieldType>>;
}

const LIMIT = ["rate", "per", "smoothing"];
const QUOTA_AND_THROTTLE = [
  "quota_max",
  "quota_renewal_rate",
  "throttle_interval",
  "throttle_retry_limit",
];
const SWITCH = ["enabled", "disabled"];

export const WORLD: MemberTable = {
  what: "a world",
  read: ["apis", "policies", "keys", "gateway"],
  stored: {},
};

export const GATEWAY: MemberTable = {
  what: "the gateway options",
  read: [
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
    "limit_order",
    "store_transaction",
    "store_timeout",
    "on_store_error",
    "expected_gateways",
    "throttle_max_waiting",
    "rate_limit_headers",
    "normalize_path",
  ],
  stored: {},
};

export const SMOOTHING: MemberTable = {
  what: "smoothing",
  read: ["enabled", "threshold", "step", "trigger", "delay"],
  stored: {},
};

// ---------------------------------------------------------------- APIs

export const SHORT_API: MemberTable = {
  what: "an API",
  read: [
    "listen",
    "name",
    "active",
    "rate",
    "per",
    "keyless",
    "disable_rate_limit",
    "global_rate_limit",
    "endpoints",
  ],
  stored: {},
};

/** `definition:` and `openapi:` with what may stand beside the pasted document. */
export const WRAPPED_DEFINITION: MemberTable = {
  what: "a pasted API",
  read: ["definition", "listen"],
  stored: {},
};
export const WRAPPED_OAS: MemberTable = {
  what: "a pasted OAS API",
  read: ["openapi", "listen"],
  stored: {},
};

export const GLOBAL_RATE_LIMIT: MemberTable = {
  what: "an API-level limit",
  read: [...LIMIT, ...SWITCH],
  stored: {},
};

export const ENDPOINT_ENTRY: MemberTable = {
  what: "an endpoint limit",
  read: ["path", "method", ...LIMIT, ...SWITCH],
  stored: {},
};

export const CLASSIC_API: MemberTable = {
  what: "an API definition",
  read: [
    "api_id",
    "id",
    "name",
    "active",
    "listen",
    "proxy",
    "use_keyless",
    "disable_rate_limit",
    "global_rate_limit",
    "extended_paths",
    "version_data",
  ],
  stored: { _id: "any", org_id: "string", slug: "string", definition: "object" },
};
export const PROXY: MemberTable = {
  what: "proxy",
  read: ["listen_path"],
  stored: { target_url: "string", strip_listen_path: "boolean" },
};
export const VERSION_DATA: MemberTable = {
  what: "version_data",
  read: ["versions"],
  stored: { not_versioned: "boolean", default_version: "string" },
};
export const VERSION: MemberTable = {
  what: "a version",
  read: ["extended_paths"],
  stored: { name: "string" },
};
export const EXTENDED_PATHS: MemberTable = {
  what: "extended_paths",
  read: ["rate_limit"],
  stored: {},
};

export const OAS_EXTENSION_NAME = "x-gw-api-gateway";

export const OAS_DOCUMENT: MemberTable = {
  what: "an OAS document",
  read: ["openapi", "info", "paths", "listen", OAS_EXTENSION_NAME],
  stored: {
    servers: "any",
    components: "object",
    security: "any",
    tags: "any",
    externalDocs: "object",
  },
};
export const OAS_EXTENSION: MemberTable = {
  what: OAS_EXTENSION_NAME,
  read: ["info", "server", "upstream", "middleware", "operations"],
  stored: {},
};
export const OAS_API_INFO: MemberTable = {
  what: "info",
  read: ["id", "name", "state"],
  stored: { dbId: "string", orgId: "string" },
};
export const OAS_STATE: MemberTable = { what: "state", read: ["active"], stored: {} };
export const OAS_SERVER: MemberTable = {
  what: "server",
  read: ["listenPath", "authentication"],
  stored: {},
};
export const OAS_LISTEN_PATH: MemberTable = {
  what: "listenPath",
  read: ["value"],
  stored: { strip: "boolean" },
};
export const OAS_AUTHENTICATION: MemberTable = {
  what: "authentication",
  read: ["enabled"],
  stored: {},
};
export const OAS_UPSTREAM: MemberTable = {
  what: "upstream",
  read: ["rateLimit"],
  stored: { url: "string" },
};
export const OAS_MIDDLEWARE: MemberTable = {
  what: "middleware",
  read: ["operations", "global"],
  stored: {},
};
export const OAS_GLOBAL: MemberTable = { what: "global", read: ["skipRateLimit"], stored: {} };
export const OAS_OPERATION: MemberTable = { what: "an operation", read: ["rateLimit"], stored: {} };
export const OAS_RATE_LIMIT: MemberTable = {
  what: "a rateLimit",
  read: [...LIMIT, ...SWITCH],
  stored: {},
};

// ---------------------------------------------------------------- policies and keys

export const POLICY: MemberTable = {
  what: "a policy",
  read: [
    "id",
    "_id",
    ...LIMIT,
    ...QUOTA_AND_THROTTLE,
    "is_inactive",
    "meta_data",
    "access_rights",
    "apis",
    "hmac_enabled",
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

/** The document's Key table, every field of it, and the two short members `apis` and `count`. */
export const KEY: MemberTable = {
  what: "a key",
  read: [
    "key_id",
    ...LIMIT,
    "allowance",
    ...QUOTA_AND_THROTTLE,
    "apply_policies",
    "apply_policy_id",
    "access_rights",
    "apis",
    "count",
    "is_inactive",
    "expires",
    "meta_data",
    "hmac_enabled",
    "certificate",
  ],
  stored: {
    alias: "string",
    basic_auth_data: "object",
    data_expires: "integer",
    date_created: "string",
    enable_detailed_recording: "boolean",
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

/**
 * Members of an access right that narrow access in ways the gateway does not check. Whoever has them
 * is refused, because access control never fails open (MGT-C8).
 */
export const UNENFORCED_ACCESS = [
  "allowed_urls",
  "versions",
  "restricted_types",
  "allowed_types",
  "field_access_rights",
  "disable_introspection",
] as const;

export const ACCESS_RIGHT: MemberTable = {
  what: "an access right",
  read: ["limit", "endpoints", ...UNENFORCED_ACCESS],
  stored: { api_id: "string", api_name: "string", allowance_scope: "string" },
};

/** Quota and throttling act at the root of a key or policy; in the limit of one API they are stored only. */
export const STORED_IN_ACCESS_LIMIT = QUOTA_AND_THROTTLE;

export const ACCESS_LIMIT: MemberTable = {
  what: "a per-API limit",
  read: [...LIMIT, "allowance", ...QUOTA_AND_THROTTLE],
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

/**
 * A policy or key is a pasted record when it speaks the record's own language: an identity of its own,
 * an organisation, or access rights. Otherwise it is a short form.
 */
export const MARKS_OF_A_RECORD = ["id", "_id", "key_id", "org_id", "access_rights"];

/** What tells a classic definition from the short form of an API. */
export const MARKS_OF_A_CLASSIC_API = [
  "api_id",
  "id",
  "proxy",
  "extended_paths",
  "version_data",
  "use_keyless",
];
