// Which fields of Tyk's files cannot change a limit, and which might.
import type { ReadRole } from "../reading.ts";
import { IRRELEVANT, misunderstood, READ } from "../roles.ts";

/** Words of limits, in fields that this reader does not know. */
const OF_LIMITS = /rate(?!s?_limit_response_headers)|limit|quota|throttl|smooth|^drl|sentinel/i;

/** Fields with such a word that limit no requests. */
const HARMLESS =
  /size_?limit|limit_size|quota_(?:remaining|renews)|generate|integrat|iterat|operat|separat|time_?limit|rate_limit_response_headers|enable_non_transactional_rate_limiter|quota_renewal|enable_rate_limit_smoothing|requestsizelimit|saturat|max_conn|connection|skipquotareset|disable_quota_reset|migrat|strat/i;

/** Fields that reject or limit requests in another way. */
const OTHERS: Readonly<Record<string, string>> = {
  enforce_org_quotas: "limits of organisations are in Redis, and are missing here",
  enforce_org_data_age: "",
};

export function roleOfField(path: string): ReadRole {
  const name = path.split(".").at(-1) ?? "";
  if (name === "" || /^(?:x-tyk-api-gateway|spec)$/.test(name)) return READ;
  const other = OTHERS[name];
  if (other !== undefined) return other === "" ? IRRELEVANT : misunderstood(other);
  return OF_LIMITS.test(name) && !HARMLESS.test(name)
    ? misunderstood("this reader does not know it; if it limits requests, the result is wrong")
    : IRRELEVANT;
}
