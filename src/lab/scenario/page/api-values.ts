// The fields of an API in each of its forms: short, classic definition, OAS document.
import * as api from "../../../limiter/world/api-members.ts";
import type { Schema } from "../../../kit/reading/shape.ts";
import {
  definition,
  inside,
  list,
  map,
  METHOD,
  PATTERN,
  recordSchema,
  text,
} from "./record-values.ts";
import {
  flag,
  integer,
  KEY_BY,
  LIMIT_VALUES,
  type WorldValue,
  type WorldValues,
} from "./world-values.ts";

const ON_OR_OFF: WorldValues = {
  enabled: flag("`false` switches the limit off (default true)."),
  disabled: flag("`true` switches the limit off; the reverse of `enabled`."),
};
const ENTRY = { ...LIMIT_VALUES, ...ON_OR_OFF, path: PATTERN, method: METHOD };
const entries = (doc: string): WorldValue =>
  list(
    definition("endpoint_entry"),
    "a list of `path`, `method`, `rate`, `per`, `shadow`, `enabled`",
    doc,
  );

/** `per` of an OAS limit has to be a string (EPT-4). */
const OAS_LIMIT: WorldValues = {
  ...LIMIT_VALUES,
  ...ON_OR_OFF,
  per: {
    schema: { type: ["string", "null"], pattern: "^([0-9]+h)?([0-9]+m)?([0-9]+s)?([0-9]+ms)?$" },
    called: "a duration",
    doc: "The window, such as `10s` or `1m30s`.",
  },
};
const OAS_RATE_LIMIT = inside(api.OAS_RATE_LIMIT, OAS_LIMIT, "The limit.");

const LISTEN = text("The path under which the API is served, such as `/orders`.", "a path");
const UPSTREAM: Schema = {
  anyOf: [
    { type: "string" },
    recordSchema([api.WEIGHTED_TARGET], {
      url: text("An absolute http or https URL.", "a URL"),
      weight: integer("Its part of the requests (default 1, at most 1000).", 1),
    }),
  ],
};
const TARGET: WorldValue = {
  schema: { anyOf: [{ type: ["string", "null"] }, { type: "array", items: UPSTREAM }] },
  called: "a URL, or a list of URLs or of `{ url, weight }`",
  doc: "Where admitted requests are sent; of several upstreams each gets its part.",
};
const ACTIVE = flag("`false` switches the API off: 404 (default true).");
const KEYLESS = flag("Requests need no key, and only limits of the API apply (default false).");
const NAME = text("The name that people read (default the id).");
const STRIP = flag(
  "Whether the listen path is taken off before a request is sent (default false).",
);
const UNLIMITED = flag("Switches rate limits off at every level of this API (default false).");

const GLOBAL_RATE_LIMIT = inside(
  api.GLOBAL_RATE_LIMIT,
  { ...LIMIT_VALUES, ...ON_OR_OFF },
  "The API-level limit: one budget for all clients.",
);

export const API_VALUES: WorldValues = {
  listen: LISTEN,
  target: TARGET,
  strip_listen_path: STRIP,
  name: NAME,
  active: ACTIVE,
  rate: {
    ...LIMIT_VALUES["rate"]!,
    doc: "The API-level limit in short: `global_rate_limit` with fewer words.",
  },
  per: LIMIT_VALUES["per"]!,
  shadow: LIMIT_VALUES["shadow"]!,
  keyless: KEYLESS,
  key_by: KEY_BY,
  disable_rate_limit: UNLIMITED,
  global_rate_limit: GLOBAL_RATE_LIMIT,
  endpoints: entries("Limits of single paths and methods; the first entry that matches applies."),
};

const EXTENDED_PATHS = inside(
  api.EXTENDED_PATHS,
  { rate_limit: entries("Limits of endpoints, evaluated in this order.") },
  "Where a classic definition has its endpoint limits.",
);

const VERSION_VALUES: WorldValues = {
  versions: map(
    recordSchema([api.VERSION], { extended_paths: EXTENDED_PATHS }),
    "a map of versions",
    "The endpoint limits of all versions apply, in their order.",
  ),
};

const CLASSIC_VALUES: WorldValues = {
  ...API_VALUES,
  api_id: text("The id of the API (default its name in this file)."),
  id: text("The id of the API, if there is no `api_id`."),
  proxy: inside(
    api.PROXY,
    {
      listen_path: LISTEN,
      target_url: text("Where admitted requests are sent.", "a URL"),
      strip_listen_path: STRIP,
    },
    "The listen path and the upstream.",
  ),
  use_keyless: KEYLESS,
  extended_paths: EXTENDED_PATHS,
  version_data: {
    schema: definition("versions"),
    called: "a map",
    doc: "Versions, each with endpoint limits.",
  },
};

const LISTEN_PATH = inside(
  api.OAS_LISTEN_PATH,
  { value: LISTEN, strip: STRIP },
  "The path of the API.",
);
const operations = map(
  recordSchema([api.OAS_OPERATION], { rateLimit: OAS_RATE_LIMIT }),
  "a map of operations",
  "Limits by operationId, which `paths` declares.",
);

const EXTENSION_VALUES: WorldValues = {
  info: inside(
    api.OAS_API_INFO,
    {
      id: text("The id of the API."),
      name: NAME,
      state: inside(api.OAS_STATE, { active: ACTIVE }, "Whether the API is served."),
    },
    "Id, name and state.",
  ),
  server: inside(
    api.OAS_SERVER,
    {
      listenPath: LISTEN_PATH,
      authentication: inside(
        api.OAS_AUTHENTICATION,
        { enabled: flag("`false`: requests need no key.") },
        "Whether requests need a key.",
      ),
    },
    "Where the API is served, and whether requests need a key.",
  ),
  upstream: inside(
    api.OAS_UPSTREAM,
    {
      url: text("Where admitted requests are sent.", "a URL"),
      rateLimit: { ...OAS_RATE_LIMIT, doc: "The API-level limit." },
    },
    "The upstream, and the limit that protects it.",
  ),
  middleware: inside(
    api.OAS_MIDDLEWARE,
    {
      operations,
      global: inside(api.OAS_GLOBAL, { skipRateLimit: UNLIMITED }, "Settings of the whole API."),
    },
    "Limits of operations.",
  ),
  operations,
};

const ANY_MAP: Schema = { type: ["object", "null"], additionalProperties: true };

const OAS_VALUES: WorldValues = {
  openapi: text("The version of OAS, such as `3.0.3`."),
  info: { schema: ANY_MAP, called: "a map", doc: "Title and version of the document." },
  paths: map(ANY_MAP, "a map of paths", "Paths, methods and the operationId of each."),
  servers: list(ANY_MAP, "a list of servers", "The first absolute URL is the upstream."),
  listen: LISTEN,
  key_by: KEY_BY,
  [api.OAS_EXTENSION_NAME]: {
    schema: definition("oas_extension"),
    called: "a map",
    doc: "The gateway's part of an OAS document.",
  },
};

/** A pasted document, and the fields that may accompany it. */
const DOCUMENTS: WorldValues = {
  listen: LISTEN,
  target: TARGET,
  key_by: KEY_BY,
  definition: {
    schema: definition("classic_api"),
    called: "a classic API definition",
    doc: "A classic API definition, as it was exported.",
  },
  openapi: {
    schema: {
      anyOf: [
        definition("oas_document"),
        { type: "string", description: "The version, where the document itself was pasted." },
      ],
    },
    called: "an OAS document",
    doc: "An OAS document with the gateway's extension.",
  },
};

/** An API in any form, so that editors offer the fields of all forms. */
export const apiSchema = (): Schema =>
  recordSchema(
    [api.OAS_DOCUMENT, api.CLASSIC_API, api.WRAPPED_DEFINITION, api.WRAPPED_OAS, api.SHORT_API],
    { ...OAS_VALUES, ...CLASSIC_VALUES, ...DOCUMENTS },
  );

export const API_DEFINITIONS = {
  endpoint_entry: (): Schema => recordSchema([api.ENDPOINT_ENTRY], ENTRY),
  classic_api: (): Schema => recordSchema([api.CLASSIC_API], CLASSIC_VALUES),
  oas_document: (): Schema => recordSchema([api.OAS_DOCUMENT], OAS_VALUES),
  oas_extension: (): Schema => recordSchema([api.OAS_EXTENSION], EXTENSION_VALUES),
  versions: (): Schema => recordSchema([api.VERSION_DATA], VERSION_VALUES),
};
