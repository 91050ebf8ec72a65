// nginx: each limit is a zone, and a map gives the key by which the zone counts a request. An empty key is not counted.
import { describeLimit, type Site, type Translation } from "../translation.ts";
import type { WantedEndpoint, WantedLimit, WantedWorld } from "../wanted.ts";

const SECOND_US = 1_000_000;

/** nginx reads whole requests per second or per minute. */
function rateOf({ rate, perUs }: WantedLimit): string | null {
  const perSecond = (rate * SECOND_US) / perUs;
  if (Number.isInteger(perSecond)) return `${perSecond}r/s`;
  return Number.isInteger(perSecond * 60) ? `${perSecond * 60}r/m` : null;
}

export function translate(wanted: WantedWorld, { port, upstream, dir }: Site): Translation {
  const [first, ...rest] = wanted.limits.flatMap(cannotExpress);
  if (first !== undefined) return { cannot: [first, ...rest] };
  const { limits } = wanted;
  const folders = ["client_body", "proxy", "fastcgi", "uwsgi", "scgi"].map(
    (name) => `  ${name}_temp_path ${dir}/${name};`,
  );
  const config = `daemon off;
worker_processes 2;
pid ${dir}/nginx.pid;
error_log stderr crit;
events { worker_connections 2048; }
http {
  access_log off;
  keepalive_requests 1000000;
  limit_req_status 429;
${folders.join("\n")}
${limits.map(zoneOf).join("\n")}
  upstream admitted { server ${upstream.host}:${upstream.port}; keepalive 32; }
  server {
    listen 127.0.0.1:${port};
    location = /weir-ready { return 204; }
    location / {
${limits.map(({ rate }, i) => `      limit_req zone=limit_${i} burst=${rate - 1} nodelay;`).join("\n")}
      proxy_http_version 1.1;
      proxy_set_header Connection "";
      proxy_pass http://admitted;
    }
  }
}
`;
  return { files: { "nginx.conf": config }, enforces: limits.map(({ id }) => id) };
}

function cannotExpress(limit: WantedLimit): readonly string[] {
  if (limit.rate < 1) return [`nginx has no rate below one request: ${describeLimit(limit)}`];
  if (!Number.isInteger(limit.rate))
    return [`nginx has no burst with decimals: ${describeLimit(limit)}`];
  return rateOf(limit) === null
    ? [
        `nginx reads whole requests per second or per minute, and ${describeLimit(limit)} is neither`,
      ]
    : [];
}

/** The key is that of the first line that matches: first what the limit does not count. */
function zoneOf(limit: WantedLimit, index: number): string {
  const key = limit.isForAll ? "all" : "$http_authorization";
  const clients = limit.credentials.length === 0 ? [".*"] : limit.credentials.map(escape);
  const client = `(?:${clients.join("|")})`;
  const paths = `(?:${limit.paths.map(underPath).join("|")})`;
  const lines = [
    ...limit.except.map((entry) => `    "~^[^ ]* ${patternOf(limit.paths, entry)}$" "";`),
    limit.endpoint === null
      ? `    "~^${client} [A-Z]+ ${paths}$" ${key};`
      : `    "~^${client} ${patternOf(limit.paths, limit.endpoint)}$" ${key};`,
  ];
  return `  map "$http_authorization $request_method $uri" $key_${index} {
    default "";
${lines.join("\n")}
  }
  limit_req_zone $key_${index} zone=limit_${index}:10m rate=${rateOf(limit)};`;
}

const escape = (text: string): string => text.replaceAll(/[.*+?^${}()|[\]\\/"]/g, "\\$&");

const underPath = (path: string): string => (path === "/" ? "/.*" : `${escape(path)}(?:/.*)?`);

/** `{id}` in a pattern matches any text. */
const patternOf = (paths: readonly string[], { method, path }: WantedEndpoint): string =>
  `${method} (?:${paths.map((base) => (base === "/" ? "" : escape(base))).join("|")})${path
    .split(/\{[^}]*\}/)
    .map(escape)
    .join(".*")}`;
