// Which directives of nginx cannot change a limit, and which might.
import type { ReadRole } from "../reading.ts";
import { IRRELEVANT, misunderstood, READ } from "../roles.ts";
import type { Directive } from "./parse.ts";

const AT_THE_SAME_TIME = misunderstood(
  "it limits connections at the same time, which this reader does not read",
);
const IS_AFTER_REAL_IP: ReadRole = {
  role: "read",
  consequence: "the addresses of a log are those after it",
};

/** Directives with an effect on limits that is read, or a consequence that is not. */
const KNOWN: Readonly<Record<string, ReadRole>> = {
  http: READ,
  server: READ,
  location: READ,
  server_name: READ,
  listen: READ,
  internal: READ,
  limit_req_status: READ,
  limit_req_dry_run: READ,
  limit_conn: AT_THE_SAME_TIME,
  limit_conn_zone: IRRELEVANT,
  limit_conn_status: IRRELEVANT,
  limit_conn_dry_run: IRRELEVANT,
  limit_conn_log_level: IRRELEVANT,
  limit_req_log_level: IRRELEVANT,
  limit_req: misunderstood("nginx does not allow it here"),
  limit_req_zone: { ...IRRELEVANT, consequence: "no limit_req uses its zone" },
  return: READ,
  break: READ,
  rewrite: misunderstood("it may move requests to another location before they are limited"),
  if: IRRELEVANT,
  set: IRRELEVANT,
  map: IRRELEVANT,
  geo: IRRELEVANT,
  split_clients: IRRELEVANT,
  merge_slashes: misunderstood("paths are compared without repeated slashes"),
  set_real_ip_from: IS_AFTER_REAL_IP,
  real_ip_header: IS_AFTER_REAL_IP,
  real_ip_recursive: IS_AFTER_REAL_IP,
};

/** Programs inside of nginx, whatever the rest of their names. */
const PROGRAM = /_by_(?:lua|njs)|^(?:lua|js|perl|njs)(?:_|$)/;

/** Beginnings and whole names of directives that decide neither whether a request is limited nor by what. */
const IRRELEVANT_NAMES =
  /^(?:(?:proxy|fastcgi|uwsgi|scgi|grpc|memcached|ssl|gzip|gunzip|brotli|client|keepalive|send|tcp|log|access|open|charset|resolver|sub_filter|autoindex|auth_basic|auth_jwt|http2|http3|quic|worker|types|postpone|reset|output|sendfile|aio|directio|large|underscores|ignore|server_names|map_hash|variables_hash|lingering|chunked|if_modified|max_ranges|msie|absolute|port_in|recursive|secure_link|random_index|referer|valid|image_filter|xslt|dav|create|flv|mp4|hls|userid|ssi|addition|thread_pool|google_perftools|debug|lock|pcre|uninitialized)(?:_.*)?|error_log|events|user|pid|daemon|master_process|timer_resolution|env|root|alias|add_(?:header|trailer|before_body|after_body)|expires|allow|deny|satisfy|default_type|etag|slice|stub_status|empty_gif|load_module|load_balancing|more_(?:set|clear)_\w+|limit_rate|limit_rate_after|limit_except|server_tokens|server_name_in_redirect|server_names_hash\w*|disable_symlinks|override_charset|source_charset|perl_require|rewrite_log|upstream|stream|mail|multi_accept|use|working_directory|try_files|index|error_page|mirror|mirror_request_body|auth_request|auth_request_set|health_check|status|status_zone|api)$/;

/** Blocks whose statements are entries and settings of their own, and not directives about requests. */
export const isTable = ({ name }: Directive): boolean =>
  /^(?:events|map|geo|split_clients|types|upstream|stream|mail)$|_by_(?:lua|njs)_block$/.test(name);

/** Files that come with nginx and have no limits; they are rarely next to a configuration. */
export const isWithoutLimits = (pattern: string): boolean =>
  /(?:^|\/)(?:mime\.types|(?:fastcgi|uwsgi|scgi)_params|(?:fastcgi|fastcgi-php)\.conf|proxy_params)$|modules-enabled|modules\/.*\.conf$/.test(
    pattern,
  );

export function roleOf({ name, words }: Directive): ReadRole {
  if (name === "include")
    return isWithoutLimits(words[0] ?? "")
      ? IRRELEVANT
      : misunderstood("no file matches it, so that limits in such files are missing");
  if (PROGRAM.test(name)) return misunderstood("its program may limit, answer or move requests");
  return (
    KNOWN[name] ??
    (IRRELEVANT_NAMES.test(name)
      ? IRRELEVANT
      : misunderstood(
          "this reader does not know it; if it limits or moves requests, the result is wrong",
        ))
  );
}
