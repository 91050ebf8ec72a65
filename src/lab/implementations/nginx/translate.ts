// nginx: each limit is a zone, which counts a request by a key. A map gives requests that the limit does not count an
// empty key, which nginx does not count.
import { limitWords, plainLimits, requirePlain, requireWhole, patternsOf } from "../matching.ts";
import { describeLimit, type Site, type Translation } from "../translation.ts";
import type { WantedLimit, WantedWorld } from "../wanted.ts";

const SECOND_US = 1_000_000;

/** The rate as nginx reads it: an integer per second or per minute; null if the limit has no such rate. */
function rateOf({ rate, perUs }: WantedLimit): string | null {
  const perSecond = (rate * SECOND_US) / perUs;
  if (Number.isInteger(perSecond)) return `${perSecond}r/s`;
  return Number.isInteger(perSecond * 60) ? `${perSecond * 60}r/m` : null;
}

export function translate(
  world: WantedWorld,
  { port, upstream, dir, generation }: Site,
): Translation {
  const { limits } = world;
  const [first, ...rest] = [
    ...requireWhole("nginx", limits),
    ...requirePlain("nginx", limits),
    ...limits
      .filter((limit) => rateOf(limit) === null)
      .map(
        (limit) =>
          `nginx reads whole requests per second or per minute, and ${describeLimit(limit)} is neither`,
      ),
  ];
  if (first !== undefined) return { cannot: [first, ...rest] };
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
  map_hash_bucket_size 1024;
  ${STATUS}
${folders.join("\n")}
${limits.map((limit, index) => zoneOf(limit, index, world)).join("\n")}
  upstream admitted { server ${upstream.host}:${upstream.port}; keepalive 32; }
  server {
    listen 127.0.0.1:${port};
    location = /weir-ready {
      add_header weir-generation ${generation} always;
      return 204;
    }
    location / {
${limits.map((limit, index) => `      ${requestLine(limit, index)}`).join("\n")}
      proxy_http_version 1.1;
      proxy_set_header Connection "";
      proxy_pass http://admitted;
    }
  }
}
`;
  const plain = plainLimits(world);
  return {
    files: { "nginx.conf": config },
    ...(plain.length === 0 ? {} : { excerpt: { "limit.conf": excerptOf(plain) } }),
    enforces: limits.map(({ id }) => id),
  };
}

const STATUS = "limit_req_status 429;";

const requestLine = ({ burst }: WantedLimit, index: number): string =>
  `limit_req zone=limit_${index}${burst === 1 ? "" : ` burst=${burst - 1} nodelay`};`;

const zoneLine = (key: string, limit: WantedLimit, index: number): string =>
  `limit_req_zone ${key} zone=limit_${index}:10m rate=${rateOf(limit)};`;

function excerptOf(limits: readonly WantedLimit[]): string {
  const words = limits.map(
    (limit) =>
      `# ${limitWords(limit)}, ${limit.burst} at once and then at this rate. A refused request costs nothing.`,
  );
  const isForAll = limits.every((limit) => limit.isForAll);
  return `${words.join("\n")}

# In http { }.${isForAll ? "" : " Behind a proxy, real_ip_header has to set $remote_addr."}
${limits.map((limit, index) => zoneLine(keyOf(limit), limit, index)).join("\n")}
${STATUS}

# In server { }, and in each location { } that has a limit_req of its own.
${limits.map(requestLine).join("\n")}
`;
}

/** The lines of a limit's zone, and of the map with its keys. nginx uses the first entry of a map that matches. */
function zoneOf(limit: WantedLimit, index: number, world: WantedWorld): string {
  const patterns = patternsOf(limit, world);
  const zone = (key: string): string => `  ${zoneLine(key, limit, index)}`;
  if (patterns === null) return zone(keyOf(limit));
  const { counted, others } = patterns;
  return [
    `  map "$http_authorization $request_method $uri" $key_${index} {`,
    `    default ${others === null ? '""' : keyOf(limit)};`,
    ...counted.map((each) => `    "~${each}" ${keyOf(limit)};`),
    ...(others ?? []).map((other) => `    "~${other}" "";`),
    "  }",
    zone(`$key_${index}`),
  ].join("\n");
}

/** The key of a request, which is never empty, even without a credential. */
function keyOf({ isForAll, by }: WantedLimit): string {
  if (isForAll) return "all";
  if (by === "credential") return '"of $http_authorization"';
  return "$remote_addr";
}
