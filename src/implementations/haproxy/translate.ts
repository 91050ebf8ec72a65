// HAProxy: each limit is a stick table, and a request is tracked in the tables of its limits. A request meets at most one
// limit of an API and one of a key, so two counters are enough for any number of limits. In the recipe `rate` the table
// counts each request that it tracks, and in `admitted` a general purpose counter counts those that no limit refuses.
import { requestPattern, requirePlain, requireWhole } from "../matching.ts";
import { describeLimit, levelOf, type Site, type Translation } from "../translation.ts";
import type { WantedLimit, WantedWorld } from "../wanted.ts";

const MILLISECOND_US = 1_000;
const LONGEST_MS = 2_147_483_647;

const SLOTS: Readonly<Record<string, number>> = { api: 0, key: 1 };

export function translate(
  { limits }: WantedWorld,
  { port, upstream, variant, generation }: Site,
): Translation {
  const [first, ...rest] = [
    ...requireWhole("HAProxy", limits),
    ...requirePlain("HAProxy", limits),
    ...limits
      .filter(({ perUs }) => perUs % MILLISECOND_US !== 0 || perUs / MILLISECOND_US > LONGEST_MS)
      .map(
        (limit) =>
          `HAProxy has periods of whole milliseconds, up to 24 days: ${describeLimit(limit)}`,
      ),
  ];
  if (first !== undefined) return { cannot: [first, ...rest] };
  const isByAdmitted = variant === "admitted";
  const config = `global
  nbthread 2
  maxconn 2000
  noreuseport
defaults
  mode http
  timeout connect 2s
  timeout client 60s
  timeout server 60s
  timeout http-keep-alive 60s
frontend clients
  bind 127.0.0.1:${port}
  http-request return status 204 hdr weir-generation ${generation} if { path /weir-ready }
  http-request set-var-fmt(txn.request) "%[req.hdr(authorization)] %[method] %[path]"
${limits.map(isByAdmitted ? denyByAdmitted : denyByRate).join("\n")}
${isByAdmitted ? limits.map(incrementOf).join("\n") : ""}
  default_backend admitted
backend admitted
  server upstream ${upstream.host}:${upstream.port}
${limits.map((limit, i) => tableOf(limit, i, isByAdmitted)).join("\n")}
`;
  return { files: { "haproxy.cfg": config }, enforces: limits.map(({ id }) => id) };
}

const slotOf = (limit: WantedLimit): number => SLOTS[levelOf(limit)]!;

function trackingOf(limit: WantedLimit, index: number): string {
  const acls = `  acl counts_${index} var(txn.request) -m reg '${requestPattern(limit)}'`;
  const track = (key: string): string =>
    `  http-request track-sc${slotOf(limit)} ${key} table limit_${index} if counts_${index}`;
  if (limit.isForAll) return `${acls}\n${track("str(all)")}`;
  if (limit.by === "credential") return `${acls}\n${track("req.hdr(authorization)")}`;
  return `${acls}\n${track("src")}`;
}

function denyByRate(limit: WantedLimit, index: number): string {
  const slot = slotOf(limit);
  return `${trackingOf(limit, index)}
  http-request deny deny_status 429 if counts_${index} { sc${slot}_http_req_rate(limit_${index}) gt ${limit.rate} }`;
}

function denyByAdmitted(limit: WantedLimit, index: number): string {
  const slot = slotOf(limit);
  return `${trackingOf(limit, index)}
  http-request deny deny_status 429 if counts_${index} { sc${slot}_gpc0_rate(limit_${index}) ge ${limit.rate} }`;
}

function incrementOf(limit: WantedLimit, index: number): string {
  return `  http-request sc-inc-gpc0(${slotOf(limit)}) if counts_${index}`;
}

function tableOf({ perUs }: WantedLimit, index: number, isByAdmitted: boolean): string {
  const perMs = perUs / MILLISECOND_US;
  const counter = isByAdmitted ? `gpc0,gpc0_rate(${perMs})` : `http_req_rate(${perMs})`;
  const expireMs = Math.min(2 * perMs + 1_000, LONGEST_MS);
  return `backend limit_${index}
  stick-table type string len 128 size 100k expire ${expireMs}ms store ${counter}`;
}
