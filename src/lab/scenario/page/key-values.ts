// The fields of keys and of policies.
import * as members from "../../../limiter/world/members.ts";
import type { Schema } from "../../../kit/reading/shape.ts";
import {
  definition,
  inside,
  list,
  map,
  METHOD,
  names,
  orOff,
  PATTERN,
  recordSchema,
  text,
} from "./record-values.ts";
import { flag, integer, LIMIT_VALUES, type WorldValue, type WorldValues } from "./world-values.ts";

const ALLOTMENTS: WorldValues = {
  quota_max: integer("Admitted requests per renewal period; 0 and -1 are off.", -1),
  quota_renewal_rate: orOff("The renewal period. It starts with the first admitted request."),
  throttle_interval: orOff("How long a refused request waits before it is evaluated again."),
  throttle_retry_limit: integer("How often a request is evaluated again; 0 and -1 are off.", -1),
};
const ALLOWANCE: WorldValue = {
  schema: { type: ["number", "null"] },
  called: "a number",
  doc: "The same as `rate`. It decides nothing.",
};

const ACCESS_LIMIT = inside(
  members.ACCESS_LIMIT,
  { ...LIMIT_VALUES, ...ALLOTMENTS, allowance: ALLOWANCE },
  "A limit of this API alone, in a budget of its own.",
);

const METHOD_LIMIT = inside(members.ACCESS_METHOD_LIMIT, LIMIT_VALUES, "The limit.");
const ACCESS_METHOD = recordSchema([members.ACCESS_METHOD], { name: METHOD, limit: METHOD_LIMIT });
const ACCESS_ENDPOINT = recordSchema([members.ACCESS_ENDPOINT], {
  path: PATTERN,
  methods: list(ACCESS_METHOD, "a list of `name`, `limit`", "Methods, each with its limit."),
});

const describeUnenforced = (value: WorldValue): WorldValue => ({
  ...value,
  doc: "Not enforced by this gateway: if it is set, requests of the key are rejected (403).",
});
const UNENFORCED_LIST = describeUnenforced(list({ type: ["string", "object"] }, "a list", ""));
const UNENFORCED_FLAG = describeUnenforced(flag(""));

export const ACCESS_VALUES: WorldValues = {
  limit: ACCESS_LIMIT,
  endpoints: list(ACCESS_ENDPOINT, "a list of `path`, `methods`", "Limits of single endpoints."),
  allowed_urls: UNENFORCED_LIST,
  versions: {
    ...UNENFORCED_LIST,
    doc: "`[Default]` has no effect. With other versions requests of the key are rejected (403).",
  },
  restricted_types: UNENFORCED_LIST,
  allowed_types: UNENFORCED_LIST,
  field_access_rights: UNENFORCED_LIST,
  disable_introspection: UNENFORCED_FLAG,
};

const OF_KEYS_AND_POLICIES: WorldValues = {
  ...LIMIT_VALUES,
  ...ALLOTMENTS,
  access_rights: map(
    definition("access_right"),
    "a map from an API to `limit` and `endpoints`",
    "APIs with limits of their own; `{}` grants access without a limit of its own.",
  ),
  apis: names("Access to these APIs: the short form of `access_rights`."),
  is_inactive: flag("`true`: requests of the key are rejected (403)."),
  meta_data: {
    schema: {
      properties: {
        rate_limit_pattern: {
          type: ["string", "null"],
          examples: ["$gw_meta.team", "$gw_meta.team|$gw_meta.tier"],
          description: "Budgets are counted by this: `$gw_meta.FIELD`, strings, joined by `|`.",
        },
      },
    },
    called: "a map",
    doc: "Metadata. `rate_limit_pattern` names the fields that budgets are counted by.",
  },
  hmac_enabled: UNENFORCED_FLAG,
  enable_http_signature_validation: UNENFORCED_FLAG,
};

export const POLICY_VALUES: WorldValues = {
  ...OF_KEYS_AND_POLICIES,
  id: text("The id of the policy (default its name in this file)."),
  _id: text("The id of the policy, if there is no `id`."),
  partitions: inside(
    members.PARTITIONS,
    {
      acl: flag("The policy supplies access."),
      rate_limit: flag("It supplies limits, smoothing and throttling."),
      quota: flag("It supplies quotas."),
      complexity: flag("It supplies query complexity, which this gateway does not enforce."),
      per_api: flag("Its limits apply to each of its APIs separately."),
    },
    "The parts that the policy supplies; without any it supplies all.",
  ),
};

export const KEY_VALUES: WorldValues = {
  ...OF_KEYS_AND_POLICIES,
  key_id: text("The id of the key (default its name in this file)."),
  allowance: ALLOWANCE,
  apply_policies: names("The policies that the key applies; they win over `apply_policy_id`."),
  apply_policy_id: text("One policy.", "a name"),
  count: {
    schema: { type: ["integer", "null"], minimum: 1, maximum: 1_000_000 },
    called: "an integer from 1 to 1,000,000",
    doc: "The number of keys with these limits, named NAME-1, NAME-2 and so on.",
  },
  expires: integer(
    "Unix seconds; 0 and -1 never expire. Afterwards requests are rejected (401).",
    -1,
  ),
  certificate: describeUnenforced(text("")),
  mtls_static_certificate_bindings: UNENFORCED_LIST,
};

export const policySchema = (): Schema => recordSchema([members.POLICY], POLICY_VALUES);
export const keySchema = (): Schema => recordSchema([members.KEY], KEY_VALUES);

export const accessRightSchema = (): Schema => recordSchema([members.ACCESS_RIGHT], ACCESS_VALUES);
