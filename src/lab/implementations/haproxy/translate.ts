// HAProxy: each limit is a stick table, and a request is tracked in the tables of its limits. A request meets at most
// one limit of an API and one of a key, so two counters suffice, unless several limits are of every request. In the recipe `rate` the
// table counts each tracked request; in `admitted` a general purpose counter counts admitted requests.
import {
  limitWords,
  plainLimits,
  requirePlain,
  requireWhole,
  patternsOf,
  type RequestPatterns,
} from "../matching.ts";
import { describeLimit, levelOf, type Site, type Translation } from "../translation.ts";
import type { WantedLimit, WantedWorld } from "../wanted.ts";

const MILLISECOND_US = 1_000;
const LONGEST_MS = 2_147_483_647;

const SLOTS: Readonly<Record<string, number>> = { api: 0, key: 1 };

/** HAProxy tracks a request by sc0, sc1 and sc2, unless tune.stick-counters is higher. */
const MOST_SLOTS = 3;

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
  const plain = plainLimits(world);
  if (plain.length > MOST_SLOTS)
    return {
      cannot: [
        `HAProxy tracks a request by ${MOST_SLOTS} counters, and there are ${plain.length} limits`,
      ],
    };
  if (first !== undefined) return { cannot: [first, ...rest] };
  const isByAdmitted = variant === "admitted";
  const placed = limits.map((limit, index): PlacedLimit => {
    const patterns = patternsOf(limit, world);
    return {
      limit,
      index,
      slot: plain.length > 0 ? index : SLOTS[levelOf(limit)]!,
      patterns,
      counts: patterns === null ? "" : `{ var(txn.counts_${index}) -m bool }`,
    };
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
${placed.flatMap((each) => linesOf(each, isByAdmitted)).join("\n")}
${isByAdmitted ? placed.map(incrementOf).join("\n") : ""}
  default_backend admitted
backend admitted
  server upstream ${upstream.host}:${upstream.port}
${limits.map((limit, i) => tableOf(limit, i, isByAdmitted)).join("\n")}
`;
  return {
    files: { "haproxy.cfg": config },
    ...(plain.length === 0 ? {} : { excerpt: { "limit.cfg": excerptOf(placed, isByAdmitted) } }),
    enforces: limits.map(({ id }) => id),
  };
}

function excerptOf(placed: readonly PlacedLimit[], isByAdmitted: boolean): string {
  const isForAll = placed.every(({ limit }) => limit.isForAll);
  const rules = [
    ...placed.flatMap((each) => linesOf(each, isByAdmitted)),
    ...(isByAdmitted ? placed.map(incrementOf) : []),
  ];
  const order =
    isByAdmitted || placed.length === 1
      ? ""
      : "# What one of them refuses counts for those above it, and not for those below it.\n";
  return `${placed.map(({ limit }) => `# ${limitWords(limit)}. A refused request ${isByAdmitted ? "does not count" : "counts too"}.`).join("\n")}
${order}
# In the frontend, before its other http-request rules. No other rule may track ${placed.map(({ slot }) => `sc${slot}`).join(", ")}.
${isForAll ? "" : "# Behind a proxy, http-request set-src comes before these rules.\n"}${rules.join("\n")}

# ${placed.length === 1 ? "A section of its own, for the counters." : "Sections of their own, for the counters."}
${placed.map(({ limit, index }) => tableOf(limit, index, isByAdmitted)).join("\n")}
`;
}

interface PlacedLimit {
  readonly limit: WantedLimit;
  readonly index: number;
  readonly slot: number; // the number of the counter that tracks a request
  readonly patterns: RequestPatterns | null; // null if the limit counts every request
  readonly counts: string; // condition under which the rules of the limit apply
}

/** Lines that set the variable `counts_N` for a counted request. HAProxy combines `acl` lines of one name with "or". */
function linesOfCondition({ index, patterns }: PlacedLimit): readonly string[] {
  if (patterns === null) return [];
  const acl = (name: string, pattern: string): string =>
    `  acl ${name}_${index} var(txn.request) -m reg '${pattern}'`;
  const isOfNoPlace = patterns.others === null ? "" : ` || !others_${index}`;
  return [
    ...patterns.counted.map((each) => acl("counted", each)),
    ...(patterns.others ?? []).map((other) => acl("others", other)),
    `  http-request set-var(txn.counts_${index}) bool(true) if counted_${index}${isOfNoPlace}`,
  ];
}

function linesOf(placed: PlacedLimit, isByAdmitted: boolean): readonly string[] {
  const { limit, index, slot, counts } = placed;
  const isAbove = isByAdmitted
    ? `sc${slot}_gpc0_rate(limit_${index}) ge`
    : `sc${slot}_http_req_rate(limit_${index}) gt`;
  return [
    ...linesOfCondition(placed),
    `  http-request track-sc${slot} ${keyOf(limit)} table limit_${index}${ifOf(counts)}`,
    `  http-request deny deny_status 429${ifOf(counts, `{ ${isAbove} ${limit.rate} }`)}`,
  ];
}

const ifOf = (...conditions: readonly string[]): string => {
  const all = conditions.filter((each) => each !== "");
  return all.length === 0 ? "" : ` if ${all.join(" ")}`;
};

/** The key of a request. Never empty, even without a credential: HAProxy does not track a request without a key. */
function keyOf({ isForAll, by }: WantedLimit): string {
  if (isForAll) return "str(all)";
  return by === "credential" ? "var(txn.client)" : "src";
}

const incrementOf = ({ slot, counts }: PlacedLimit): string =>
  `  http-request sc-inc-gpc0(${slot})${ifOf(counts)}`;

function tableOf({ perUs }: WantedLimit, index: number, isByAdmitted: boolean): string {
  const perMs = perUs / MILLISECOND_US;
  const counter = isByAdmitted ? `gpc0,gpc0_rate(${perMs})` : `http_req_rate(${perMs})`;
  const expireMs = Math.min(2 * perMs + 1_000, LONGEST_MS);
  return `backend limit_${index}
  stick-table type string len 256 size 100k expire ${expireMs}ms store ${counter}`;
}
