// Which directives of nginx cannot change a limit, and which might.
import type { ReadStatement } from "../reading.ts";
import type { Directive } from "./parse.ts";

type Role = Pick<ReadStatement, "role" | "consequence">;

/** Directives with an effect on limits that is read, or a consequence that is not. */
const KNOWN: Readonly<Record<string, Role>> = {
  http: read(""),
  server: read(""),
  location: read(""),
  server_name: read(""),
  listen: read(""),
  limit_req_status: read(""),
  limit_req_dry_run: read(""),
  limit_conn: open("it limits connections at the same time, which this reader does not read"),
  limit_conn_zone: open("it limits connections at the same time, which this reader does not read"),
  limit_conn_status: open("it belongs to limit_conn, which this reader does not read"),
  limit_conn_dry_run: open("it belongs to limit_conn, which this reader does not read"),
  limit_req: open("its block has no requests of its own"),
  limit_req_zone: open("no key was read"),
  return: read("requests that are answered here are never limited"),
  rewrite: open("it may move requests to another location before they are limited"),
  if: open("its condition may answer or move requests before they are limited"),
  set_real_ip_from: read("the addresses of a log are those after it"),
  real_ip_header: read("the addresses of a log are those after it"),
  real_ip_recursive: read("the addresses of a log are those after it"),
  split_clients: open("its variable depends on a hash, so a key with it is a question"),
  map_hash_bucket_size: irrelevant(),
  map_hash_max_size: irrelevant(),
  limit_req_log_level: irrelevant(),
  limit_conn_log_level: irrelevant(),
  set: irrelevant(),
  map: irrelevant(),
  geo: irrelevant(),
  mirror: open("nginx limits mirrored requests too"),
};

/** Beginnings and whole names of directives that decide neither whether a request is limited nor by what. */
const IRRELEVANT =
  /^(?:(?:proxy|fastcgi|uwsgi|scgi|grpc|memcached|ssl|gzip|gunzip|brotli|client|keepalive|send|tcp|log|access|error|open|charset|resolver|sub_filter|autoindex|auth|http2|http3|quic|worker|events|types|postpone|reset|output|sendfile|aio|directio|large|underscores|ignore|merge|server_names|server_tokens|variables_hash|lingering|chunked|etag|if_modified|max_ranges|msie|absolute|port_in|recursive|satisfy|slice|secure_link|stub_status|random_index|referer|valid|image_filter|xslt|dav|flv|mp4|hls|perl_require|userid|ssi|addition|empty_gif|upstream|zone|least_conn|ip_hash|hash|health|status_zone|api|thread_pool|google_perftools|env|timer|debug|lock|master|pcre|working|rewrite_log|uninitialized)(?:_.*)?|user|pid|daemon|root|alias|index|try_files|add_header|add_trailer|expires|allow|deny|internal|default_type|break|load_module|load_balancing|more_(?:set|clear)_\w+|limit_rate|limit_rate_after|limit_except|stream|mail|multi_accept|use|absolute_redirect)$/;

/** Files that come with nginx and have no limits; they are rarely next to a configuration. */
export const isWithoutLimits = (pattern: string): boolean =>
  /(?:^|\/)(?:mime\.types|(?:fastcgi|uwsgi|scgi)_params|fastcgi\.conf|proxy_params)$|modules-enabled|modules\/.*\.conf$/.test(
    pattern,
  );

export function roleOf({ name, words }: Directive): Role {
  if (name === "include")
    return isWithoutLimits(words[0] ?? "")
      ? irrelevant()
      : open("no file matches it, so that limits in such files are missing");
  return (
    KNOWN[name] ??
    (IRRELEVANT.test(name)
      ? irrelevant()
      : open("this reader does not know it; if it limits or moves requests, the result is wrong"))
  );
}

function read(consequence: string): Role {
  return { role: "read", consequence };
}

function open(consequence: string): Role {
  return { role: "not understood", consequence };
}

function irrelevant(): Role {
  return { role: "irrelevant", consequence: "" };
}
