// Random configurations of HAProxy, and requests that meet each of their parts.
import type { Rng } from "../../kit/chance/rng.ts";
import { HAPROXY_READER } from "../../lab/implementations/haproxy/read.ts";
import {
  ADDRESSES,
  ADDRESS_KEYS,
  BINARY_KEYS,
  CONDITIONS,
  HOSTS,
  KEYS,
  PLANS,
  REFUSALS,
  TARGETS,
} from "./haproxy-words.ts";
import { chance, drawTimes, drawUnderstood, indent, pick } from "./draw-parts.ts";
import type {
  ConfigurationProgram,
  DrawnConfiguration,
  DrawnRequest,
} from "./drawn-configuration.ts";

export const HAPROXY_CONFIGURATIONS: ConfigurationProgram = {
  reader: HAPROXY_READER,
  draw: (seed) => drawUnderstood(seed, HAPROXY_READER, drawHaproxy),
  decisions: { refusals: [0, 403, 410, 429, 500] },
};

/** By how much the clock of HAProxy, which it reads once for all events of a turn, may be late. */
export const HAPROXY_MARGIN_US = 10_000;

/** One thread, because several would decide at the same time. */
export const GLOBAL_OF_HAPROXY = `global
  nbthread 1
  maxconn 2000
  noreuseport`;

interface Table {
  readonly name: string;
  readonly keys: readonly string[];
  readonly text: string;
}

function drawTable(random: Rng, name: string): Table {
  const [type, keys] = pick(random, [
    ["ip", ADDRESS_KEYS],
    ["ipv6", ADDRESS_KEYS],
    ["string", KEYS],
    ["string len 8", KEYS],
    ["string len 64", KEYS],
    ["binary len 20", BINARY_KEYS],
  ] as const);
  const periodMs = 500 * (1 + random.int(8));
  const period = periodMs % 1_000 === 0 ? `${periodMs / 1_000}s` : `${periodMs}`;
  const stored = pick(random, [
    `store http_req_rate(${period}),gpc0,gpc0_rate(${period})`,
    `store http_req_rate(${period}) store gpc0_rate(${period}) store gpc0`,
    `store conn_cur,http_req_rate(${period}),gpc0,gpc0_rate(${period})`,
  ]);
  return {
    name,
    keys,
    text: `stick-table type ${type} size 10k expire ${2 * periodMs + 1_000}ms ${stored}`,
  };
}

interface Draw {
  readonly random: Rng;
  readonly tables: readonly Table[];
  readonly proxy: string;
}

function drawCondition(random: Rng): string {
  const one = (): string => {
    const condition = pick(random, CONDITIONS);
    return chance(random, 0.2) && !condition.includes(" or ") ? `!${condition}` : condition;
  };
  return chance(random, 0.25) ? `${one()} ${pick(random, ["", "or", "||"])} ${one()}` : one();
}

const drawIf = (random: Rng, share: number): string =>
  chance(random, share)
    ? ` ${chance(random, 0.85) ? "if" : "unless"} ${drawCondition(random)}`
    : "";

/** Requests that wait until HAProxy is ready are not drawn ones. */
const NOT_READY = " if !{ path /weir-ready }";

/** A table that a slot tracks, how it is counted, and the refusals by its rate. */
function drawLimit({ random, tables, proxy }: Draw, slot: number): readonly string[] {
  const table = pick(random, tables);
  const key = pick(random, table.keys);
  const into = table.name === proxy && chance(random, 0.7) ? "" : ` table ${table.name}`;
  const isOfConnection = proxy === "web" && key.startsWith("src");
  const where = pick(random, [
    "http-request",
    "http-request",
    "http-request",
    "tcp-request content",
    ...(isOfConnection ? ["tcp-request connection", "tcp-request session"] : []),
  ]);
  const condition =
    where === "tcp-request content"
      ? NOT_READY
      : drawIf(random, where === "http-request" ? 0.4 : 0);
  const track = `${where} track-sc${slot} ${key}${into}${condition}`;
  const isByCount = chance(random, 0.3);
  const counter = isByCount ? "gpc0_rate" : "http_req_rate";
  const refusal = (): string => {
    const fetch =
      key === "src" && chance(random, 0.2)
        ? `src_${counter}(${table.name})`
        : pick(random, [
            `sc_${counter}(${slot})`,
            `sc${slot}_${counter}`,
            `sc_${counter}(${slot},${table.name})`,
            `sc${slot}_${counter}(${table.name})`,
          ]);
    const rate = `{ ${fetch} ${pick(random, ["gt", "ge", "-m int gt"])} ${1 + random.int(8)} }`;
    const others = chance(random, 0.3) ? drawCondition(random).replace(/ (?:or|\|\|) .*/, "") : "";
    return `${pick(random, REFUSALS)} if ${chance(random, 0.5) ? `${rate} ${others}` : `${others} ${rate}`}`;
  };
  const refusals = Array.from({ length: chance(random, 0.2) ? 2 : 1 }, refusal);
  const count = isByCount
    ? [
        `http-request ${pick(random, [`sc-inc-gpc0(${slot})`, `sc-inc-gpc0(${slot})`])}${
          chance(random, 0.8) ? condition : drawIf(random, 0.5)
        }`,
      ]
    : [];
  const [first, ...rest] = chance(random, 0.15)
    ? [...refusals, track]
    : [track, ...(chance(random, 0.5) ? [...refusals, ...count] : [...count, ...refusals])];
  return [first, ...rest, ...(isByCount && !rest.includes(count[0]!) ? count : [])];
}

const drawOther = (random: Rng): string =>
  pick(random, [
    `http-request allow${drawIf(random, 1)}`,
    `http-request deny deny_status 405${drawIf(random, 1)}`,
    `http-request set-var(txn.key) ${pick(random, ["req.hdr(x-plan)", "src", "path,lower"])}`,
    `http-request set-var(txn.mark) bool(true)${drawIf(random, 0.8)}`,
    `http-request set-var-fmt(txn.text) "%[src] %[method]"${drawIf(random, 0.3)}`,
    `http-request set-header x-seen %[src]${drawIf(random, 0.5)}`,
    "option forwardfor",
    "timeout http-request 5s",
    `http-request return status 204${drawIf(random, 1)}`,
    `http-request redirect location /elsewhere${drawIf(random, 1)}`,
  ]);

/** The rules of a proxy, in which limits follow each other or are mixed. */
function drawRules(draw: Draw, slots: readonly number[]): readonly string[] {
  const { random } = draw;
  const rules = slots.flatMap((slot) => (chance(random, 0.7) ? [drawLimit(draw, slot)] : []));
  const lines =
    rules.length > 1 && chance(random, 0.3) ? mix(random, rules) : rules.flatMap((each) => each);
  const others = Array.from({ length: random.int(4) }, () => drawOther(random));
  return mix(random, [lines, others]);
}

/** The lines of several lists, each list in its order. */
function mix(random: Rng, lists: readonly (readonly string[])[]): readonly string[] {
  const left = lists.filter((each) => each.length > 0);
  if (left.length === 0) return [];
  const at = random.int(left.length);
  const rest = left.map((each, index) => (index === at ? each.slice(1) : each));
  return [left[at]![0]!, ...mix(random, rest)];
}

function drawHaproxy(random: Rng): DrawnConfiguration {
  const own = chance(random, 0.5) ? [drawTable(random, "web")] : [];
  const others = ["one", "two"].slice(0, 2 - random.int(2)).map((name) => drawTable(random, name));
  const draw = { random, tables: [...own, ...others], proxy: "web" };
  const hasBackendRules = chance(random, 0.3);
  const inside = [
    "acl is_api path_beg /api",
    ...(chance(random, 0.5) ? ["acl is_api hdr_beg(host) -i api."] : []),
    "acl is_inside src 127.0.1.0/24",
  ];
  const frontend = [
    ...own.map(({ text }) => text),
    ...inside,
    ...drawRules(draw, hasBackendRules ? [0] : [0, 1, 2]),
    ...(chance(random, 0.3) ? [`use_backend other if ${drawCondition(random)}`] : []),
    "default_backend app",
  ];
  const backendRules = hasBackendRules
    ? [...inside, ...drawRules({ ...draw, proxy: "app" }, [1])]
    : [];
  return {
    main: "haproxy.cfg",
    marginUs: HAPROXY_MARGIN_US,
    requests: drawRequests(random),
    filesAt: ({ port, generation }) => ({
      "haproxy.cfg": `${GLOBAL_OF_HAPROXY}
defaults
  mode http
  timeout connect 2s
  timeout client 60s
  timeout server 60s
  timeout tarpit 20ms
frontend web
  bind 127.0.0.1:${port}
  http-request return status 204 hdr weir-generation ${generation} if { path /weir-ready }
${indent(frontend, 2)}
backend app
${indent([...backendRules, "http-request return status 200"], 2)}
backend other
  http-request return status 200
${others.map(({ name, text }) => `backend ${name}\n  ${text}\n`).join("")}`,
    }),
  };
}

function drawRequests(random: Rng): readonly DrawnRequest[] {
  const kinds = Array.from({ length: 3 + random.int(8) }, () => ({
    address: pick(random, ADDRESSES),
    method: pick(random, ["GET", "GET", "GET", "HEAD", "POST"]),
    target: pick(random, TARGETS),
    headers: {
      host: pick(random, HOSTS),
      ...(chance(random, 0.6) ? { "x-plan": pick(random, PLANS) } : {}),
      ...(chance(random, 0.2)
        ? { "x-forwarded-for": pick(random, ["10.0.0.1", "10.0.0.2, 10.0.0.1", "none"]) }
        : {}),
      ...(chance(random, 0.3) ? { cookie: `other=1; sid=${pick(random, ["a", "b"])}` } : {}),
    },
  }));
  return drawTimes(random).map((atUs) => ({ atUs, ...pick(random, kinds) }));
}
