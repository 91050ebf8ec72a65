// HAProxy: each limit is a stick table, and a request is tracked in the tables of its limits. A request meets at most one
// limit of an API and one of a key, so two counters are enough for any number of limits. In the recipe `rate` the table
// counts each request that it tracks, and in `admitted` a general purpose counter counts those that no limit refuses.
import { requirePlain, requireWhole, patternOfOthers } from "../matching.ts";
import { describeLimit, levelOf, type Site, type Translation } from "../translation.ts";
import type { WantedLimit, WantedWorld } from "../wanted.ts";

const MILLISECOND_US = 1_000;
const LONGEST_MS = 2_147_483_647;

const SLOTS: Readonly<Record<string, number>> = { api: 0, key: 1 };

export function translate(
  world: WantedWorld,
  { port, upstream, variant, generation }: Site,
): Translation {
  const { limits } = world;
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
  const placed = limits.map((limit, index): PlacedLimit => {
    const uncounted = patternOfOthers(limit, world);
    return { limit, index, uncounted, unless: uncounted === null ? "" : ` unless others_${index}` };
  });
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
  http-request set-var-fmt(txn.client) "of %[req.hdr(authorization)]"
${placed.map((each) => `${trackingOf(each)}\n${denialOf(each, isByAdmitted)}`).join("\n")}
${isByAdmitted ? placed.map(incrementOf).join("\n") : ""}
  default_backend admitted
backend admitted
  server upstream ${upstream.host}:${upstream.port}
${limits.map((limit, i) => tableOf(limit, i, isByAdmitted)).join("\n")}
`;
  return { files: { "haproxy.cfg": config }, enforces: limits.map(({ id }) => id) };
}

const slotOf = (limit: WantedLimit): number => SLOTS[levelOf(limit)]!;

/** A limit, and the requests that it does not count; null: it counts all. */
interface PlacedLimit {
  readonly limit: WantedLimit;
  readonly index: number;
  readonly uncounted: string | null;
  readonly unless: string; // the condition of its rules
}

function trackingOf({ limit, index, uncounted, unless }: PlacedLimit): string {
  const acl =
    uncounted === null ? "" : `  acl others_${index} var(txn.request) -m reg '${uncounted}'\n`;
  return `${acl}  http-request track-sc${slotOf(limit)} ${keyOf(limit)} table limit_${index}${unless}`;
}

/** Never missing, also without a credential: a request without a key would not be tracked. */
function keyOf({ isForAll, by }: WantedLimit): string {
  if (isForAll) return "str(all)";
  return by === "credential" ? "var(txn.client)" : "src";
}

function denialOf({ limit, index, uncounted }: PlacedLimit, isByAdmitted: boolean): string {
  const counted = isByAdmitted
    ? `sc${slotOf(limit)}_gpc0_rate(limit_${index}) ge`
    : `sc${slotOf(limit)}_http_req_rate(limit_${index}) gt`;
  const condition = uncounted === null ? "" : `!others_${index} `;
  return `  http-request deny deny_status 429 if ${condition}{ ${counted} ${limit.rate} }`;
}

const incrementOf = ({ limit, unless }: PlacedLimit): string =>
  `  http-request sc-inc-gpc0(${slotOf(limit)})${unless}`;

function tableOf({ perUs }: WantedLimit, index: number, isByAdmitted: boolean): string {
  const perMs = perUs / MILLISECOND_US;
  const counter = isByAdmitted ? `gpc0,gpc0_rate(${perMs})` : `http_req_rate(${perMs})`;
  const expireMs = Math.min(2 * perMs + 1_000, LONGEST_MS);
  return `backend limit_${index}
  stick-table type string len 256 size 100k expire ${expireMs}ms store ${counter}`;
}
