// mod_qos: a request that a limit counts sets the limit's variable, and an event limit counts requests with that
// variable, for each address or for all clients. The windows of mod_qos are integer seconds.
import { requirePlain, requireWhole, patternsOf, type RequestPatterns } from "../matching.ts";
import { describeLimit, type Site, type Translation } from "../translation.ts";
import type { WantedLimit, WantedWorld } from "../wanted.ts";

const SECOND_US = 1_000_000;

const MODULES = [
  "mpm_event",
  "authz_core",
  "setenvif",
  "headers",
  "unique_id",
  "rewrite",
  "proxy",
  "proxy_http",
  "qos",
];

export function translate(
  world: WantedWorld,
  { port, upstream, home, generation }: Site,
): Translation {
  const { limits } = world;
  const [first, ...rest] = [
    ...requireWhole("mod_qos", limits),
    ...requirePlain("mod_qos", limits),
    ...limits
      .filter(({ perUs }) => perUs % SECOND_US !== 0)
      .map((limit) => `mod_qos has windows of integer seconds: ${describeLimit(limit)}`),
  ];
  if (first !== undefined) return { cannot: [first, ...rest] };
  const modules = MODULES.map(
    (name) => `LoadModule ${name}_module ${home}/usr/lib/apache2/modules/mod_${name}.so`,
  );
  const config = `ServerName localhost
Listen 127.0.0.1:${port}
PidFile httpd.pid
DefaultRuntimeDir .
ErrorLog error.log
LogLevel crit
${modules.join("\n")}
StartServers 1
ServerLimit 1
ThreadLimit 512
ThreadsPerChild 512
MaxRequestWorkers 512
KeepAlive On
MaxKeepAliveRequests 0
KeepAliveTimeout 60
RewriteEngine On
RewriteRule ^/weir-ready$ - [R=204,L]
Header always set weir-generation ${generation}
ProxyPass / http://${upstream.host}:${upstream.port}/
QS_ErrorResponseCode 429
QS_ClientEntries 10000
${limits.map((limit, index) => limitOf(limit, index, patternsOf(limit, world))).join("\n")}
`;
  return { files: { "apache.conf": config }, enforces: limits.map(({ id }) => id) };
}

const SUBJECT = '"%{HTTP:Authorization} %{REQUEST_METHOD} %{REQUEST_URI}"';

function limitOf(limit: WantedLimit, index: number, patterns: RequestPatterns | null): string {
  const { rate, perUs, isForAll } = limit;
  const name = `Limit_${index}`;
  const seconds = perUs / SECOND_US;
  return `SetEnvIfExpr '${patterns === null ? "true" : conditionOf(patterns)}' ${name}=1
${isForAll ? `QS_EventLimitCount ${name} ${rate} ${seconds}` : `QS_ClientEventLimitCount ${rate} ${seconds} ${name}`}`;
}

function conditionOf({ counted, others }: RequestPatterns): string {
  const isOfNoPlace = others?.map((other) => `${SUBJECT} !~ m#${other}#`).join(" && ");
  return [
    ...counted.map((each) => `${SUBJECT} =~ m#${each}#`),
    ...(isOfNoPlace === undefined ? [] : [`(${isOfNoPlace})`]),
  ].join(" || ");
}
