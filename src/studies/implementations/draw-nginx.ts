// Random configurations of nginx, and requests that meet each of their parts.
import { rng, type Rng } from "../../kit/chance/rng.ts";
import { chance, drawTimes, indent, pick } from "./draw-parts.ts";
import type { Site } from "../../lab/implementations/translation.ts";
import { NGINX_READER } from "../../lab/implementations/nginx/read.ts";
import type {
  ConfigurationProgram,
  DecisionsOfLog,
  DrawnConfiguration,
  DrawnRequest,
  PlayedDecision,
} from "./drawn-configuration.ts";

const ROW = "weir-row";

/** nginx writes them into a log, with the time of each. */
export const decisionsOfNginx: DecisionsOfLog = {
  log: "decisions.log",
  decisionsIn,
  rowHeader: ROW,
};

export const NGINX_CONFIGURATIONS: ConfigurationProgram = {
  reader: NGINX_READER,
  draw: drawNginx,
  decisions: decisionsOfNginx,
};

/** One decision a line. `$msec - $request_time` is the start of a request, which nginx decides at once. */
const LOG_FORMAT = `'$http_weir_row $msec $request_time $status $limit_req_status'`;

function decisionsIn(log: string): readonly PlayedDecision[] {
  return log
    .split("\n")
    .filter((line) => /^\d/.test(line))
    .map((line) => {
      const [row, ended, lasted, status, limited = "-"] = line.split(" ");
      const atUs = Math.round((Number(ended) - Number(lasted)) * 1e6);
      return {
        row: Number(row),
        fromUs: atUs,
        toUs: atUs + 999,
        isAdmitted: limited !== "REJECTED",
        isCounted: limited !== "-",
        status: Number(status),
      };
    });
}

const NAMES = ["one", "two", "three", "four"] as const;
const HOSTS = ["first.test", "second.test", "a.many.test"] as const;
const PLANS = ["free", "gold", "s7", "S8", ""] as const;
const ADDRESSES = ["127.0.1.1", "127.0.1.2", "127.0.2.1", "127.9.0.1"] as const;

/** Variables of keys. The last ones are defined by TABLES. */
const KEYS = [
  "$binary_remote_addr",
  "$remote_addr",
  "$http_x_plan",
  '"$http_x_plan of $request_method"',
  "${remote_addr}x",
  "$arg_user",
  "$cookie_sid",
  "$uri",
  "$request_uri",
  "$host",
  "$server_name",
  "everyone",
  `'"$http_x_plan"\\t\\.#$uri'`,
  "$is_args$args",
  "$proxy_add_x_forwarded_for",
  "$by_plan",
  "$by_plan",
  "$by_network",
  "$unless_inside",
  "$unless_inside",
  "$chosen",
  "$by_host",
] as const;

const TABLES = `
  map $http_x_plan $by_plan {
    default $binary_remote_addr; # the usual key
    "" "";
    gold "";
    ~^s(?<level>\\d)$ "level $level";
    "~*^S(\\d)" 'other "$1"';
  }
  geo $by_network { default elsewhere; 127.0.0.0/16 near; 127.0.2.0/24 nearer; 127.0.1.2 ""; }
  geo $inside { ranges; default 0; 127.0.1.0-127.0.1.1 1; 127.9.0.0-127.9.255.255 1; }
  map $inside $unless_inside { 0 $remote_addr; 1 ""; }
  map $host $by_host { hostnames; default ""; *.many.test many; first.* first; }
`;

/** Locations with the targets that meet them, and others that almost do. */
const LOCATIONS = [
  ["location = /exact", ["/exact", "/exact/", "/exact?user=a", "/%65xact"]],
  ["location /prefix/", ["/prefix/a", "/prefix//a", "/prefix/./b?user=b", "/prefix", "/Prefix/a"]],
  ["location /prefix/long", ["/prefix/longer", "/prefix/long?user=a"]],
  ["location ^~ /fixed", ["/fixed/x.php", "/fixed"]],
  ["location ~ \\.php$", ["/x.php", "/prefix/x.php?user=b", "/x.PHP"]],
  ['location ~* "\\.(gif|p[n]{1}g)$"', ["/x.GIF", "/prefix/long.png"]],
  ["location ~ ^/by/(?<who>\\w+)", ["/by/me", "/by/you", "/by/"]],
  ["location /moved", ["/moved", "/moved/on"]],
] as const;

const OTHER_TARGETS = [
  "/hop",
  "/hop?user=c",
  "/",
  "/other",
  "/other/../exact",
  "/named",
  "/old/a",
  "/secret",
] as const;

function drawNginx(seed: number): DrawnConfiguration {
  const random = rng(seed, "configurations of nginx");
  const zones = NAMES.slice(0, 1 + random.int(NAMES.length));
  const draw: Draw = { random, zones };
  const rates = zones.map(() => drawRate(random));
  const zoneLines = zones.map(
    (name, at) => `limit_req_zone ${pick(random, KEYS)} zone=${name}:1m ${rates[at]!.text};`,
  );
  const isIncluded = chance(random, 0.3);
  const servers = [
    drawServer(draw, true),
    ...(chance(random, 0.4) ? [drawServer(draw, false)] : []),
  ];
  const outside = drawLimits(draw, 0.3);
  const slowest = Math.max(...rates.map(({ lossUs }) => lossUs));
  return {
    main: "nginx.conf",
    marginUs: 1_000 + slowest,
    requests: drawRequests(random),
    filesAt: (site) => ({
      "nginx.conf": nginxFile(
        site,
        [
          isIncluded ? "include conf.d/*.conf;" : `${TABLES}\n${zoneLines.join("\n")}`,
          ...outside,
          ...servers.map((server) => server.replaceAll("{port}", `${site.port}`)),
        ].join("\n"),
      ),
      ...(isIncluded
        ? { "conf.d/1.conf": TABLES, "conf.d/zones.conf": `${zoneLines.join("\n")}\n` }
        : {}),
    }),
  };
}

export const nginxFile = ({ dir, generation }: Site, content: string): string => `daemon off;
worker_processes 1;
pid ${dir}/nginx.pid;
error_log stderr crit;
events { worker_connections 1024; }
http {
${["client_body", "proxy", "fastcgi", "uwsgi", "scgi"].map((name) => `  ${name}_temp_path ${dir}/${name};`).join("\n")}
  log_format decisions ${LOG_FORMAT};
  access_log ${dir}/decisions.log decisions;
  root ${dir}/nothing;
  keepalive_requests 100000;
${content.replaceAll("{generation}", `${generation}`)}
}
`;

interface Draw {
  readonly random: Rng;
  readonly zones: readonly string[];
}

/** `lossUs`: by how much an edge moves in a run, because nginx drops fractions of a thousandth at each request. */
function drawRate(random: Rng): { readonly text: string; readonly lossUs: number } {
  if (chance(random, 0.6)) return { text: `rate=${1 + random.int(20)}r/s`, lossUs: 0 };
  const rate = 60 + random.int(900);
  return { text: `rate=${rate}r/m`, lossUs: rate % 3 === 0 ? 0 : (MOST_LOST * 60_000) / rate };
}

/** Thousandths of a request that are lost in a run, at most one for each admitted request of a client. */
const MOST_LOST = 15;

/** Some limits with their status and dry run; `share`: how likely they are. */
function drawLimits({ random, zones }: Draw, share: number): readonly string[] {
  const some = chance(random, share) ? zones.filter(() => chance(random, 0.6)) : [];
  return [
    ...some.map((zone) => `limit_req zone=${zone}${drawBurst(random)};`),
    ...(chance(random, share / 2)
      ? [`limit_req_status ${pick(random, [429, 444, 503, 599])};`]
      : []),
    ...(chance(random, share / 4) ? [`limit_req_dry_run ${pick(random, ["on", "off"])};`] : []),
  ];
}

function drawBurst(random: Rng): string {
  if (chance(random, 0.2)) return "";
  const burst = 1 + random.int(8);
  return ` burst=${burst}${pick(random, [" nodelay", " nodelay", " nodelay", " delay=1", ""])}`;
}

function drawServer(draw: Draw, isFirst: boolean): string {
  const { random } = draw;
  const locations = LOCATIONS.filter(() => chance(random, 0.6)).map(([head]) =>
    drawLocation(draw, head, 0),
  );
  return `  server {
    listen 127.0.0.1:{port}${isFirst ? " default_server" : ""};
    server_name ${isFirst ? "first.test _" : pick(random, ["second.test", "*.many.test", "~^(?<sub>\\w+)\\.many"])};
    location = /weir-ready { access_log off; add_header weir-generation {generation} always; return 204; }
${indent(
  [
    "set $chosen $http_x_plan;",
    ...(chance(random, 0.3) ? ["if ($http_x_plan = gold) { set $chosen $remote_addr; }"] : []),
    ...(chance(random, 0.2) ? ["if ($request_method != GET) { return 405; }"] : []),
    ...(chance(random, 0.3) ? ["rewrite ^/old/(.*)$ /prefix/$1;"] : []),
    ...(chance(random, 0.4)
      ? [
          "location = /hop { try_files /none @named; }",
          "location @named {",
          ...drawLimits(draw, 0.8),
          "empty_gif; }",
        ]
      : []),
    "location /named { internal; empty_gif; }",
    "location = /secret { try_files /none /exact; }",
    "location / {",
    ...drawLimits(draw, 0.5),
    "empty_gif; }",
    ...drawLimits(draw, 0.5),
    ...locations,
  ],
  4,
)}
  }`;
}

function drawLocation(draw: Draw, head: string, depth: number): string {
  const { random } = draw;
  const steps = [
    ...(chance(random, 0.15) ? ["if ($arg_user = a) { return 403; }"] : []),
    ...(chance(random, 0.1) ? ['if ($http_x_plan ~* "^s(\\d)") { set $chosen "s$1"; }'] : []),
    ...(chance(random, 0.1) ? ["rewrite ^/(moved|by)/ /exact last;"] : []),
    ...(chance(random, 0.1) ? ["rewrite ^/moved/ /x.php break;"] : []),
    ...(chance(random, 0.05) ? ["return 204;"] : []),
  ];
  const isPrefix = /^location (?:\^~ )?\//.test(head);
  const nested =
    isPrefix && depth === 0 && chance(random, 0.3)
      ? [
          drawLocation(draw, "location ~ a$", 1),
          ...(head === "location /prefix/" ? [drawLocation(draw, "location /prefix/lo", 1)] : []),
        ]
      : [];
  return [
    `${head} {`,
    indent([...steps, ...drawLimits(draw, 0.6), ...nested, "empty_gif;"], 2),
    "}",
  ].join("\n");
}

function drawRequests(random: Rng): readonly DrawnRequest[] {
  const targets = [...LOCATIONS.flatMap(([, some]) => [...some]), ...OTHER_TARGETS];
  const kinds = Array.from({ length: 3 + random.int(8) }, () => ({
    address: pick(random, ADDRESSES),
    method: pick(random, ["GET", "GET", "GET", "HEAD", "POST"]),
    target: pick(random, targets),
    headers: {
      host: pick(random, [...HOSTS, "First.Test:80"]),
      ...(chance(random, 0.6) ? { "x-plan": pick(random, PLANS) } : {}),
      ...(chance(random, 0.2) ? { "x-forwarded-for": pick(random, ["10.0.0.1", "10.0.0.2"]) } : {}),
      ...(chance(random, 0.3) ? { cookie: `other=1; SID=${pick(random, ["a", "b"])}` } : {}),
    },
  }));
  return drawTimes(random).map((atUs) => ({ atUs, ...pick(random, kinds) }));
}
