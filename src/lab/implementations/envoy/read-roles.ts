// Which filters and fields of Envoy cannot change a limit, and which might.
import type { ReadRole } from "../reading.ts";
import { IRRELEVANT, misunderstood, UNKNOWN_STEP } from "../roles.ts";

const ENDS_REQUESTS =
  "requests that it ends are counted here, although they do not reach the limit";

/** HTTP filters by the last part of their name or type. */
const FILTERS: readonly (readonly [RegExp, ReadRole])[] = [
  [
    /^(?:rate_?limit|rate_limit_quota)$/i,
    misunderstood("it limits by another service, whose limits are not in this file"),
  ],
  [
    /^(?:adaptive_concurrency|admission_control)$/i,
    misunderstood("it limits requests by load, and a log has no load"),
  ],
  [
    /^(?:ext_?authz|jwt_?authn|rbac|oauth2?|basic_?auth|api_?key_?auth|csrf|fault|http_?fault|cache|health_?check|ip_tagging)$/i,
    misunderstood(ENDS_REQUESTS),
  ],
  [
    /^(?:lua|wasm|ext_?proc|golang|composite|header_?mutation|dynamic_modules)$/i,
    misunderstood("its program may refuse or change requests"),
  ],
  [
    /^(?:router|cors|compressor|decompressor|gzip|brotli|grpc_?\w*|connect_grpc_bridge|buffer|tap|stat\w*|header_?to_?metadata|json_to_metadata|set_?metadata|set_filter_state|upstream_codec|cdn_?loop|dynamic_forward_proxy|original_src|bandwidth_?limit|file_system_buffer|custom_response|geoip|on_demand|alternate_protocols_cache|sxg|squash|aws_\w+|gcp_\w+)$/i,
    IRRELEVANT,
  ],
];

/** Filters that turn requests away, or count them, wherever they are among the filters. */
const LIMITING = /rate_?limit|adaptive_concurrency|admission_control/i;

/** `isAfter`: it comes after all local rate limits, so that it cannot change what they count. */
export function roleOfFilter(name: string, isAfter: boolean): ReadRole {
  const last = name.replace(/^envoy\.(?:filters\.http\.)?/, "");
  const [, role] = FILTERS.find(([pattern]) => pattern.test(last)) ?? [];
  if (isAfter && !LIMITING.test(last)) return IRRELEVANT;
  return role ?? UNKNOWN_STEP;
}

/** Fields with an effect on limits, by their path without the numbers of items. */
const FIELDS: readonly (readonly [RegExp, ReadRole])[] = [
  [
    /(?:^|\.)(?:lds_config|dynamic_resources)$/,
    misunderstood("listeners and their limits may come from another server"),
  ],
  [
    /\.rds$|\.scoped_routes$|\.vhds$/,
    misunderstood("routes and their limits come from another server"),
  ],
  [
    /\.overload_manager$|^overload_manager$/,
    misunderstood("it refuses requests by load, and a log has no load"),
  ],
  [/\.rate_limits$/, misunderstood("no local rate limit has these descriptors; another limit may")],
  [/\.matcher$/, misunderstood("this reader reads routes by their list, and not by a matcher")],
  [
    /weighted_clusters.*typed_per_filter_config/,
    misunderstood("this reader reads no filters of a weighted cluster"),
  ],
  [
    /\.filters\.typed_config\.token_bucket$|\.filters\.typed_config\.max_connections$/,
    misunderstood("it limits connections, and a log has requests"),
  ],
];

const HIDDEN = /token_?bucket|rate_?limit(?!ed)|typed_per_filter_config/i;

export function roleOfField(path: string): ReadRole {
  const snake = path.replaceAll(/[A-Z]/g, (sign) => `_${sign.toLowerCase()}`);
  const [, role] = FIELDS.find(([pattern]) => pattern.test(snake)) ?? [];
  if (role !== undefined) return role;
  return HIDDEN.test(snake.split(".").at(-1)!)
    ? misunderstood("this reader does not know it here; if it limits requests, the result is wrong")
    : IRRELEVANT;
}
