// Random configurations of Varnish with vsthrottle, and requests that meet each of their parts.
import type { Rng } from "../../kit/chance/rng.ts";
import { isFailure } from "../../kit/reading/failure.ts";
import { VARNISH_READER } from "../../lab/implementations/varnish/read.ts";
import { translate } from "../../lab/implementations/varnish/translate.ts";
import type { Configured, Site } from "../../lab/implementations/translation.ts";
import { chance, drawTimes, drawUnderstood, indent, pick } from "./draw-parts.ts";
import type {
  ConfigurationProgram,
  DrawnConfiguration,
  DrawnRequest,
} from "./drawn-configuration.ts";

export const VARNISH_CONFIGURATIONS: ConfigurationProgram = {
  reader: VARNISH_READER,
  draw: (seed) => drawUnderstood(seed, VARNISH_READER, drawVarnish),
  decisions: { refusals: [403, 429, 503] },
};

export function startVarnishAt(site: Site): Pick<Configured, "args"> {
  const translation = translate({ apis: [], credentials: [], limits: [] }, site);
  if (isFailure(translation) || "cannot" in translation) throw new Error("no arguments");
  return { args: translation.args! };
}

export const VARNISH_MARGIN_US = 2_000;

const ADDRESSES = ["127.0.1.1", "127.0.1.2", "127.0.2.1", "127.9.0.1"] as const;
const HOSTS = ["first.test", "second.test", "API.second.test"] as const;
const PLANS = ["free", "gold", "GOLD", "s7"] as const;
const TARGETS = [
  "/",
  "/login",
  "/Login",
  "/api/users?user=a",
  "/api/users?user=b&x=1",
  "/api/v2/users",
  "/static/x.css",
  "/static/y.png?v=1",
  "/a//b",
] as const;

const KEYS = [
  "client.ip",
  "client.identity",
  '"one " + client.ip',
  '"plan " + req.http.x-plan',
  "req.http.host",
  "req.url",
  "req.method + req.url",
  'regsub(req.url, "\\?.*$", "")',
  '"net" + regsub(client.ip, "\\.\\d+$", "")',
  'regsuball(req.url, "[0-9]+", "N")',
  '"x" + std.tolower(req.http.x-plan)',
  "req.http.X-Forwarded-For",
  "req.http.x-key",
  '"everyone"',
  'client.ip + ":" + regsub(req.http.cookie, ".*sid=([^;]+).*", "\\1")',
] as const;

const CONDITIONS = [
  'req.url ~ "^/api"',
  'req.url !~ "\\.(css|png)(\\?|$)"',
  'req.url ~ "(?i)^/login"',
  'req.url == "/"',
  'req.method == "POST"',
  'req.method != "GET" && req.method != "HEAD"',
  'req.http.host == "first.test"',
  'req.http.host ~ "(?i)^api\\."',
  'req.http.x-plan ~ "gold"',
  'req.http.x-plan == "free"',
  "req.http.x-plan",
  "!req.http.x-plan",
  "client.ip ~ inside",
  "client.ip !~ inside",
  "!(client.ip ~ inside)",
  'req.http.cookie ~ "sid=a"',
  '(req.url ~ "^/api" || req.method == "POST")',
] as const;

const drawCondition = (random: Rng): string => {
  const one = pick(random, CONDITIONS);
  return chance(random, 0.25)
    ? `${one} ${pick(random, ["&&", "||"])} ${pick(random, CONDITIONS)}`
    : one;
};

function drawDenial(random: Rng): string {
  const period = pick(random, ["1s", "2s", "1.5s", "500ms", "3s", "700ms"]);
  return `vsthrottle.is_denied(${pick(random, KEYS)}, ${1 + random.int(8)}, ${period})`;
}

const REFUSALS = [
  'return (synth(429, "Too Many Requests"));',
  "return (synth(429));",
  "return (synth(403));",
  'return (synth(503, "Slow"));',
  "call refuse;",
] as const;

function drawLimit(random: Rng): string {
  const condition = pick(random, [
    () => drawDenial(random),
    () => drawDenial(random),
    () => `(${drawCondition(random)}) && ${drawDenial(random)}`,
    () => `${drawDenial(random)} && (${drawCondition(random)})`,
    () => `${drawDenial(random)} || ${drawDenial(random)}`,
  ])();
  return `if (${condition}) {\n  ${pick(random, REFUSALS)}\n}`;
}

function drawStatement(random: Rng, depth: number): string {
  return pick(random, [
    () => drawLimit(random),
    () => drawLimit(random),
    () => drawLimit(random),
    () => `if (${drawCondition(random)}) {\n  ${pick(random, ENDS)}\n}`,
    () => pick(random, SETS),
    () => `if (${drawCondition(random)}) {\n  ${pick(random, SETS)}\n}`,
    ...(depth === 0
      ? [
          () =>
            [
              `if (${drawCondition(random)}) {`,
              indent(drawBody(random, 1), 2),
              `} ${pick(random, ["elseif", "elsif", "else if"])} (${drawCondition(random)}) {`,
              indent(drawBody(random, 1), 2),
              ...(chance(random, 0.5) ? ["} else {", indent(drawBody(random, 1), 2)] : []),
              "}",
            ].join("\n"),
          () => "call limit;",
        ]
      : []),
  ])();
}

const ENDS = ["return (synth(405));", "return (synth(200));", "return (synth(204));"] as const;

const SETS = [
  "set req.http.x-key = client.ip;",
  'set req.http.x-key = req.http.x-plan + "-" + req.method;',
  'set req.url = regsub(req.url, "\\?.*$", "");',
  "set req.url = std.querysort(req.url);",
  "unset req.http.cookie;",
  'set req.http.x-plan = "gold";',
  "unset req.http.x-plan;",
  "set req.http.host = std.tolower(req.http.host);",
] as const;

const drawBody = (random: Rng, depth: number): readonly string[] =>
  Array.from({ length: 1 + random.int(3) }, () => drawStatement(random, depth));

function drawVarnish(random: Rng): DrawnConfiguration {
  const body = [...drawBody(random, 0), ...drawBody(random, 0)];
  const limit = [drawLimit(random), ...(chance(random, 0.3) ? ["return;"] : [])];
  const hasAcl = [...body, ...limit].some((each) => each.includes("inside"));
  return {
    main: "limits.vcl",
    marginUs: VARNISH_MARGIN_US,
    requests: drawRequests(random),
    startAt: startVarnishAt,
    filesAt: ({ generation }) => ({
      "limits.vcl": `vcl 4.1;
import std;
import vsthrottle;
backend default none;
${hasAcl ? 'acl inside { "127.0.1.0"/24; ! "127.0.1.2"; "127.9.0.1"; }\n' : ""}sub refuse { return (synth(429, "refused")); }
sub refuse_never { if (req.url == "/never") { call refuse; } }
sub limit {
${indent(limit, 2)}
}
sub vcl_recv {
  if (req.url == "/weir-ready") { return (synth(204)); }
${indent(body, 2)}
  call limit;
  call refuse_never;
  return (synth(200));
}
sub vcl_synth {
  set resp.http.weir-generation = "${generation}";
  return (deliver);
}
`,
    }),
  };
}

function drawRequests(random: Rng): readonly DrawnRequest[] {
  const kinds = Array.from({ length: 3 + random.int(6) }, () => ({
    address: pick(random, ADDRESSES),
    method: pick(random, ["GET", "GET", "GET", "HEAD", "POST"]),
    target: pick(random, TARGETS),
    headers: {
      host: pick(random, HOSTS),
      ...(chance(random, 0.6) ? { "x-plan": pick(random, PLANS) } : {}),
      ...(chance(random, 0.2) ? { "x-forwarded-for": pick(random, ["10.0.0.1", "10.0.0.2"]) } : {}),
      ...(chance(random, 0.3) ? { cookie: `other=1; sid=${pick(random, ["a", "b"])}` } : {}),
    },
  }));
  return drawTimes(random).map((atUs) => ({ atUs, ...pick(random, kinds) }));
}
