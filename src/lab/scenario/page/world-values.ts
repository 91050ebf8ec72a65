// The values that fields of a world may have, for editors and for the docs. The configuration reader decides: these
// schemas accept all that it accepts, and leave out dependencies between fields.
import { ALGORITHMS } from "../../../limiter/core/algorithms.ts";
import {
  CHANGED_LIMITS,
  LASTS_OF_WINDOW,
  REFUSED_REQUESTS,
  TOKENS,
  WEIGHTS,
  WINDOW_STARTS,
} from "../../../limiter/core/imitation.ts";
import { PROFILE_NAMES } from "../../../limiter/spec/profiles.ts";
import type { Schema } from "../../../kit/reading/shape.ts";

export interface WorldValue {
  readonly schema: Schema;
  readonly called: string;
  readonly doc: string;
}

const SECONDS: Schema = { type: ["number", "string", "null"], minimum: 0 };
const A_DURATION = "seconds, or a duration";

const number = (doc: string, least = 0): WorldValue => ({
  schema: { type: ["number", "null"], minimum: least },
  called: "a number",
  doc,
});
export const integer = (doc: string, least: number): WorldValue => ({
  schema: { type: ["integer", "null"], minimum: least },
  called: `an integer of at least ${least}`,
  doc,
});
export const flag = (doc: string): WorldValue => ({
  schema: { type: ["boolean", "null"] },
  called: "true or false",
  doc,
});
const seconds = (doc: string): WorldValue => ({ schema: SECONDS, called: A_DURATION, doc });
const oneOf = (names: readonly string[], doc: string): WorldValue => ({
  schema: { enum: [...names, null] },
  called: names.map((name) => `\`${name}\``).join(", "),
  doc,
});

/** The field `key_by` of the gateway options and of an API. */
export const KEY_BY: WorldValue = {
  schema: {
    anyOf: [
      { enum: ["credential", "ip", null] },
      {
        type: "object",
        properties: { header: { type: "string" } },
        required: ["header"],
        additionalProperties: false,
      },
    ],
  },
  called: "`credential`, `ip` or `{ header: NAME }`",
  doc: "By what the budgets of keys and of a keyless API are counted (default `credential`): [clients that share a budget](#clients-that-share-a-budget).",
};

export type WorldValues = Readonly<Record<string, WorldValue>>;

export const SMOOTHING_SCHEMA: Schema = {
  type: ["object", "null"],
  properties: {
    enabled: { type: ["boolean", "null"], description: "Whether smoothing is on." },
    threshold: { type: ["number", "null"], description: "The lowest allowance." },
    step: { type: ["number", "null"], description: "By how much the allowance changes." },
    trigger: {
      type: ["number", "null"],
      description: "A rise begins once the demand exceeds the allowance less this part of a step.",
    },
    delay: { ...SECONDS, description: "The least time between two changes." },
  },
};

export const LIMIT_VALUES: WorldValues = {
  rate: number(
    "Requests per `per`; -1 is unlimited. At most 6 decimals, and not between 0 and 1.",
    -1,
  ),
  per: seconds("The window, such as `60`, `1m` or `250ms`."),
  shadow: flag("The limit is evaluated and never enforced."),
  smoothing: {
    schema: { $ref: "#/$defs/smoothing" },
    called: "a map of `enabled`, `threshold`, `step`, `trigger`, `delay`",
    doc: "The allowance follows the demand in steps, between `threshold` and `rate`. Only for keys and policies.",
  },
};

/** The fields of `imitate`, which apply only in virtual time. */
const IMITATE_VALUES: WorldValues = {
  clock_resolution: seconds("The clock of the limiter moves in steps of this length."),
  refused: oneOf(
    REFUSED_REQUESTS,
    "What a refused request does: nothing, count, count at all limits that it meets, begin the window anew, or count if it is the first of a window.",
  ),
  window_start: oneOf(
    WINDOW_STARTS,
    "When a window begins: with a request, one after the other since the first request of the client, by the clock and a checksum of the key, or one after the other with a gap of less than a millisecond.",
  ),
  window_end: oneOf(["counted"], "A request that is exactly as old as the window still counts."),
  last_of_window: oneOf(
    LASTS_OF_WINDOW,
    "The request that reaches the limit is refused, where each client has a budget.",
  ),
  tokens: oneOf(
    TOKENS,
    "How a bucket has tokens: whole ones, of which a fraction is lost at each admission; on credit, so that the next request waits for the last one; or at most the rate in a window.",
  ),
  weights: oneOf(
    WEIGHTS,
    "The weighted count of the earlier window is rounded down, exactly or as floating point computes it, or a single request has its whole weight.",
  ),
  saved_turns: integer("How many turns a queue that refuses nothing saves up while it is idle.", 1),
  changed_limit: oneOf(
    CHANGED_LIMITS,
    "What a change of a limit leaves: as many requests as before, the same share of the limit, or a budget of its own for each rate.",
  ),
  lifetime: oneOf(
    ["whole_seconds"],
    "A bucket is stored for twice the time that it needs to fill, in whole seconds. With 0 seconds nothing is refused.",
  ),
  levels: oneOf(
    ["in_sequence"],
    "Limits count one after the other: a request that one of them refuses was counted by those before it.",
  ),
  block: {
    schema: { anyOf: [SECONDS, { const: "per" }] },
    called: "seconds, a duration, or `per`",
    doc: "From the first refusal on, all requests of the client are refused for this time; then its budget is new.",
  },
  keys: integer("How many budgets a limit has; the least recently used one is dropped.", 1),
};

export const GATEWAY_VALUES: WorldValues = {
  profile: {
    schema: { enum: [...PROFILE_NAMES, null] },
    called: "one of the [profiles](profiles.md)",
    doc: "The options that make the gateway decide as a limiter of others, in virtual time.",
  },
  imitate: {
    schema: {
      type: ["object", "null"],
      properties: Object.fromEntries(
        Object.entries(IMITATE_VALUES).map(([name, { schema, doc }]) => [
          name,
          { ...schema, description: doc },
        ]),
      ),
      additionalProperties: false,
    },
    called: Object.keys(IMITATE_VALUES)
      .map((name) => `\`${name}\``)
      .join(", "),
    doc: "How the algorithm counts differently, as [limiters of others](profiles.md#words) do; in virtual time.",
  },
  algorithm: {
    schema: {
      enum: [...new Set(ALGORITHMS.flatMap((name) => [name, name.replaceAll("_", "-")])), null],
    },
    called: "one of the algorithms below",
    doc: "Overrides the options that switch one on. `-` is read as `_`.",
  },
  enable_fixed_window_rate_limiter: flag("Limits are enforced by `fixed_window`."),
  enable_sentinel_rate_limiter: flag("Limits are enforced by `sentinel`."),
  enable_non_transactional_rate_limiter: flag("Limits are enforced by `non_transactional`."),
  drl_threshold: number(
    "Limits above this rate per gateway are enforced by `drl`; 0 (default) switches it off.",
  ),
  drl_expiry: seconds("How long a gateway is active after its last heartbeat (default `4s`)."),
  drl_notification_frequency: seconds("The time between heartbeats (default `2s`)."),
  fixed_window_start: oneOf(
    ["first_request", "clock"],
    "When a window of `fixed_window` begins (default `first_request`).",
  ),
  sentinel_mark: oneOf(
    ["sliding", "fixed"],
    "Whether the mark of `sentinel` follows the log (default `sliding`), or is set for one `per`.",
  ),
  burst: {
    schema: { anyOf: [{ type: ["integer", "null"], minimum: 1 }, { const: "rate" }] },
    called: 'an integer of at least 1, or "rate"',
    doc: "How many requests `gcra` admits at once (default 1); it may be above the rate.",
  },
  queue: {
    schema: { anyOf: [{ type: ["integer", "null"], minimum: 0 }, { const: "rate" }] },
    called: 'an integer of at least 0, or "rate"',
    doc: "How many requests may wait in the queue of a `leaky_bucket` (default `rate`: its integer part).",
  },
  limit_order: oneOf(
    ["api_first", "key_first"],
    "Which level is evaluated first (default `api_first`).",
  ),
  policy_budgets: oneOf(
    ["merged", "apart"],
    "Whether the policies of a key share one budget (default `merged`), or each has its own.",
  ),
  store_transaction: oneOf(["script", "multi"], "How `sliding_log` is sent (default `script`)."),
  store_timeout: seconds("How long the store may take to reply (default `100ms`)."),
  on_store_error: oneOf(
    ["local", "allow", "deny"],
    "If the store fails, each gateway enforces its share (default `local`), admits or denies.",
  ),
  expected_gateways: integer("How many gateways share a limit while the store fails.", 1),
  throttle_max_waiting: integer("How many throttled requests may wait (default 1000).", 0),
  rate_limit_headers: oneOf(
    ["legacy", "ietf", "both", "off"],
    "Headers that describe limits (default `legacy`).",
  ),
  normalize_path: flag("Paths are normalized before they are matched (default true)."),
  endpoint_matching: {
    schema: {
      type: ["object", "null"],
      properties: Object.fromEntries(
        ["letter_case", "trailing_slash", "path_parameters", "head"].map((name) => [
          name,
          { enum: ["exact", "same", null] },
        ]),
      ),
      additionalProperties: false,
    },
    called: "`letter_case`, `trailing_slash`, `path_parameters`, `head`: `exact` or `same`",
    doc: "What makes no difference when endpoint limits are matched (default `exact`: everything does): [settings for your server](../serve/endpoint-spellings.md).",
  },
  key_by: KEY_BY,
  ipv6_prefix: integer(
    "How many bits of an IPv6 address are one client, if `key_by` is `ip` (default 64).",
    1,
  ),
  cost_header: {
    schema: { type: ["string", "null"] },
    called: "the name of a header",
    doc: "The header with the cost of a request (LIM-C19): an integer from 1 to 1000, otherwise the request is rejected with 400. Unset: each request costs 1. The client chooses its own cost, so set it only for trusted clients, or where a proxy sets the header.",
  },
};
