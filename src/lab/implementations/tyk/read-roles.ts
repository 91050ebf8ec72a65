// Which fields of Tyk's files cannot change a limit, and which might.
import type { ReadRole } from "../reading.ts";
import { IRRELEVANT, READ, UNKNOWN_FIELD } from "../roles.ts";

/** Words of limits, in fields that this reader does not know. */
const OF_LIMITS = /rate(?!s?_limit_response_headers)|limit|quota|throttl|smooth|^drl|sentinel/i;

/** Fields with such a word that limit no requests. */
const HARMLESS =
  /size_?limit|trigger_limit|limit_size|quota_(?:remaining|renews|reset|used)|set_quota_on_create|checkpoint_limit|generate|integrat|iterat|operat|separat|time_?limit|rate_limit_response_headers|enable_non_transactional_rate_limiter|quota_renewal|enable_rate_limit_smoothing|requestsizelimit|saturat|max_conn|connection|skipquotareset|disable_quota_reset|migrat|strat/i;

export function roleOfField(path: string): ReadRole {
  const name = path.split(".").at(-1) ?? "";
  if (name === "" || /^(?:x-tyk-api-gateway|spec)$/.test(name)) return READ;
  return OF_LIMITS.test(name) && !HARMLESS.test(name) ? UNKNOWN_FIELD : IRRELEVANT;
}
