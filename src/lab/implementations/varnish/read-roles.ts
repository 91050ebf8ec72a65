// Which statements of VCL cannot change a limit, and which might.
import type { ReadRole } from "../reading.ts";
import { IRRELEVANT, misunderstood, READ, UNKNOWN_STEP } from "../roles.ts";

const LIMITERS: readonly (readonly [RegExp, string])[] = [
  [
    /vsthrottle\.remaining/,
    "remaining adds tokens to the bucket in vsthrottle 0.20, and this reader does not",
  ],
  [/vsthrottle\.blocked/, ""],
  [/vsthrottle\.return_token/, "it gives a token back, and this reader does not"],
  [
    /vsthrottle\.is_denied/,
    "it counts outside of conditions of vcl_recv, where requests depend on the cache or the response",
  ],
  [/throttl|rate_?limit/i, "it may limit requests, and this reader does not know it"],
];

/** Statements without an effect on which requests are counted. */
const IRRELEVANT_SOURCE =
  /^(?:vcl|backend|director|probe|acl|sub|import|unset|std\.(?:log|syslog|collect|querysort|rollback|cache_req_body|late_100_continue|timestamp)|cookie\.|header\.|hash_data|ban|purge|set (?:resp|beresp|bereq|obj|req\.(?:backend_hint|grace|hash_ignore_busy|hash_always_miss|ttl|esi|storage|director))|new )/;

/** `isInFlow`: of vcl_recv or of a subroutine that it calls. */
export function roleOf(source: string, isInFlow: boolean): ReadRole {
  if (source.startsWith("import vsthrottle")) return READ;
  const [, consequence] = LIMITERS.find(([pattern]) => pattern.test(source)) ?? [];
  if (consequence !== undefined && consequence !== "") return misunderstood(consequence);
  if (IRRELEVANT_SOURCE.test(source) || !isInFlow) return IRRELEVANT;
  return UNKNOWN_STEP;
}
