// Which fields an API may have in each form: short form, classic definition, OAS document.
import { LIMIT, type MemberTable } from "./members.ts";

const SWITCH = ["enabled", "disabled"];

export const SHORT_API: MemberTable = {
  what: "an API",
  read: [
    "listen",
    "target",
    "strip_listen_path",
    "name",
    "active",
    "rate",
    "per",
    "shadow",
    "keyless",
    "key_by",
    "disable_rate_limit",
    "global_rate_limit",
    "endpoints",
  ],
  stored: {},
};

/** `definition:` and `openapi:`, and the fields that may be set in addition to the pasted document. */
export const WRAPPED_DEFINITION: MemberTable = {
  what: "a pasted API",
  read: ["definition", "listen", "target", "key_by"],
  stored: {},
};
export const WRAPPED_OAS: MemberTable = {
  what: "a pasted OAS API",
  read: ["openapi", "listen", "target", "key_by"],
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
    "key_by",
    "disable_rate_limit",
    "global_rate_limit",
    "extended_paths",
    "version_data",
  ],
  stored: { _id: "any", org_id: "string", slug: "string", definition: "object" },
};
export const PROXY: MemberTable = {
  what: "proxy",
  read: ["listen_path", "target_url", "strip_listen_path"],
  stored: {},
};
export const VERSION_DATA: MemberTable = {
  what: "version_data",
  read: ["versions"],
  stored: { not_versioned: "boolean", default_version: "string" },
};
export const VERSION: MemberTable = {
  what: "a version",
  read: ["extended_paths"],
  stored: { name: "string", use_extended_paths: "boolean" },
};
export const EXTENDED_PATHS: MemberTable = {
  what: "extended_paths",
  read: ["rate_limit"],
  stored: {},
};

export const OAS_EXTENSION_NAME = "x-gw-api-gateway";

export const OAS_DOCUMENT: MemberTable = {
  what: "an OAS document",
  read: ["openapi", "info", "paths", "listen", "servers", "key_by", OAS_EXTENSION_NAME],
  stored: {
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
  read: ["value", "strip"],
  stored: {},
};
export const OAS_AUTHENTICATION: MemberTable = {
  what: "authentication",
  read: ["enabled"],
  stored: {},
};
export const OAS_UPSTREAM: MemberTable = {
  what: "upstream",
  read: ["rateLimit", "url"],
  stored: {},
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

export const WEIGHTED_TARGET: MemberTable = {
  what: "a target",
  read: ["url", "weight"],
  stored: {},
};
export const KEY_BY: MemberTable = { what: "key_by", read: ["header"], stored: {} };

/** Fields that distinguish a classic definition from the short form of an API. */
export const MARKS_OF_A_CLASSIC_API = [
  "api_id",
  "id",
  "proxy",
  "extended_paths",
  "version_data",
  "use_keyless",
];
