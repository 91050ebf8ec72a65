// Varnish: each limit is a call of vsthrottle, which takes a token from the bucket of a key or refuses the request.
import { requirePlain, requireWhole, patternsOf, type RequestPatterns } from "../matching.ts";
import { describeLimit, type Site, type Translation } from "../translation.ts";
import type { WantedLimit, WantedWorld } from "../wanted.ts";

const SECOND_US = 1_000_000;
const MILLISECOND_US = 1_000;

export function translate(
  world: WantedWorld,
  { port, upstream, dir, home, generation }: Site,
): Translation {
  const { limits } = world;
  const [first, ...rest] = [
    ...requireWhole("vsthrottle", limits),
    ...requirePlain("vsthrottle", limits),
    ...limits
      .filter((limit) => periodUs(limit) % MILLISECOND_US !== 0)
      .map(
        (limit) =>
          `vsthrottle fills a bucket in whole milliseconds: ${limit.burst} of ${describeLimit(limit)}`,
      ),
  ];
  if (first !== undefined) return { cannot: [first, ...rest] };
  const vcl = `vcl 4.1;
import std;
import vsthrottle;
backend admitted { .host = "${upstream.host}"; .port = "${upstream.port}"; }
sub vcl_recv {
  if (req.url == "/weir-ready") { return (synth(204)); }
  set req.http.weir-request = "of " + req.http.authorization + " " + req.method + " " + regsub(req.url, "\\?.*$", "");
${limits.map((limit, index) => denialOf(limit, index, patternsOf(limit, world))).join("\n")}
  return (pass);
}
sub vcl_synth {
  set resp.http.weir-generation = "${generation}";
  return (deliver);
}
`;
  return {
    files: { "limits.vcl": vcl },
    args: [
      "-a",
      `127.0.0.1:${port}`,
      "-f",
      `${dir}/limits.vcl`,
      "-n",
      `${dir}/state`,
      "-p",
      `vmod_path=${MULTIARCH.map((name) => `${home}/usr/lib/${name}/varnish/vmods`).join(":")}`,
    ],
    enforces: limits.map(({ id }) => id),
  };
}

const MULTIARCH = ["x86_64-linux-gnu", "aarch64-linux-gnu"];

const denialOf = (limit: WantedLimit, index: number, patterns: RequestPatterns | null): string =>
  `  if (${patterns === null ? "" : `(${conditionOf(patterns)}) && `}vsthrottle.is_denied("${index} " + ${keyOf(limit)}, ${limit.burst}, ${periodUs(limit) / SECOND_US}s)) {
    return (synth(429));
  }`;

function conditionOf({ counted, others }: RequestPatterns): string {
  const matches = (pattern: string, operator: "~" | "!~"): string =>
    `req.http.weir-request ${operator} "${afterWord(pattern)}"`;
  const isOfNoPlace = others?.map((other) => matches(other, "!~")).join(" && ");
  return [
    ...counted.map((each) => matches(each, "~")),
    ...(isOfNoPlace === undefined ? [] : [`(${isOfNoPlace})`]),
  ].join(" || ");
}

/** Prefixes "of", because a header cannot start with a space, as it would without a credential. */
const afterWord = (pattern: string): string => pattern.replace("^", "^of ");

/** vsthrottle fills a bucket of `burst` in one period, so a burst below the rate needs a shorter period. */
const periodUs = ({ rate, perUs, burst }: WantedLimit): number => (perUs * burst) / rate;

function keyOf({ isForAll, by }: WantedLimit): string {
  if (isForAll) return '"all"';
  if (by === "credential") return "req.http.authorization";
  return "client.ip";
}
