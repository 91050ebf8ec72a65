import { expect, test } from "vitest";
import type { HeaderFinding, ReceivedHeader } from "#src/limiter/limit-headers/advertised.ts";
import { probe } from "#src/studies/lint/probe.node.ts";
import { buildResult, type UnansweredLint } from "#src/studies/lint/result.ts";
import { SETTINGS, CONFIG, serving } from "../../cli/serving.ts";
import { folderWith } from "../../cli/weir.ts";
import {
  windowLimiter,
  retryAfter,
  WRITERS,
  type HeaderWriter,
  type ModelDecision,
} from "./model-server.ts";
import { serve } from "./server.ts";

/** A real server with a window of its own, that sends these headers. */
function serveWindow(write: HeaderWriter, windowS = 2): Promise<string> {
  const decide = windowLimiter(4, windowS);
  return serve((_request, response) => {
    const decision = decide(Date.now() / 1000);
    for (const [name, value] of write(decision)) response.appendHeader(name, value);
    response.statusCode = decision.isAdmitted ? 200 : 429;
    response.end("ok");
  });
}

async function lint(
  url: string,
  seconds: number,
  headers: readonly ReceivedHeader[] = [],
): Promise<UnansweredLint> {
  const request = { url: new URL(url), method: "GET", headers };
  const { exchanges, why } = await probe(
    request,
    { requests: 100, seconds },
    { signal: new AbortController().signal, report: () => {} },
  );
  return buildResult(url, why, exchanges);
}

/** Dialects that one response can have at the same time. */
const GROUPS: readonly (readonly string[])[] = [
  ["x-ratelimit, seconds", "x-rate-limit", "ratelimit-06", "shopify", "openai"],
  ["x-ratelimit, HTTP date", "ratelimit-08"],
  ["github", "ratelimit-07"],
  ["envoy", "ratelimit-03"],
  ["discord"],
];

// Every dialect and limiter is tested in virtual time. Here are a few over sockets, all at once, because they wait.
test("dialects of real servers that are right are valid", async () => {
  const results = await Promise.all(
    GROUPS.map(async (names) => {
      const writers = [retryAfter, ...names.map((name) => WRITERS[name]!)];
      return lint(await serveWindow((d) => writers.flatMap((write) => write(d))), 40);
    }),
  );
  expect(results.map(({ dialects }) => dialects.flatMap(({ findings }) => findings))).toEqual(
    GROUPS.map(() => []),
  );
  expect(results.map(({ dialects }) => dialects.length)).toEqual(
    GROUPS.map((names) => names.length + 1),
  );
  expect(results.map(({ verdict }) => verdict)).toEqual(GROUPS.map(() => "valid"));
});

const legacy = WRITERS["x-ratelimit, seconds"]!;
const wait =
  (text: (decision: ModelDecision) => string): HeaderWriter =>
  (decision) =>
    decision.isAdmitted ? [] : [["Retry-After", text(decision)]];
const secondsLeft = ({ retryS, nowS }: ModelDecision): number => Math.ceil(retryS - nowS);
const localTime = ({ retryS }: ModelDecision): string =>
  new Date((Math.ceil(retryS) + 7200) * 1000).toUTCString();
const withReset =
  (reset: (decision: ModelDecision) => number): HeaderWriter =>
  (decision) =>
    legacy(decision).map(([name, value]) => [
      name,
      name.endsWith("Reset") ? String(reset(decision)) : value,
    ]);

const WRONG: readonly (readonly [HeaderFinding["code"], HeaderWriter])[] = [
  ["LINT-WAIT-SHORT", wait((decision) => String(secondsLeft(decision) - 1))],
  ["LINT-WAIT-LONG", wait((decision) => String(secondsLeft(decision) + 2))],
  ["LINT-SYNTAX", wait(() => "2.0")],
  ["LINT-LOCAL-TIME", wait(localTime)],
  ["LINT-PAST", withReset(({ nowS }) => Math.floor(nowS) - 60)],
  ["LINT-REMAINING", (decision) => legacy({ ...decision, remaining: 3 })],
  ["LINT-RETRY-AFTER", legacy],
];

test("every problem of these real servers is found", async () => {
  const found = await Promise.all(
    WRONG.map(async ([code, write]) => {
      const { dialects } = await lint(await serveWindow(write), 15);
      const codes = dialects.flatMap(({ findings }) => findings.map((finding) => finding.code));
      return codes.includes(code) ? code : codes;
    }),
  );
  expect(found).toEqual(WRONG.map(([code]) => code));
});

const SERVED = [
  ["legacy", "fixed_window", ["retry-after valid", "x-ratelimit valid"]],
  ["ietf", "sliding_log", ["retry-after valid", "ratelimit-08 valid"]],
  ["both", "token_bucket", ["retry-after valid", "ratelimit-08 valid", "x-ratelimit valid"]],
  ["off", "gcra", ["retry-after valid"]],
] as const;

test("weir serve with each rate_limit_headers advertises what it does", async () => {
  const gateways: string[] = [];
  for (const [style, algorithm] of SERVED) {
    const world = `apis:
  orders: { listen: /orders }
keys:
  alice: { apis: [orders], rate: 4, per: 3 }
gateway: { algorithm: ${algorithm}, rate_limit_headers: ${style} }
`;
    const folder = folderWith({ "conf/weir.yaml": SETTINGS, "conf/world.yaml": world });
    const { gateway } = await serving(folder, CONFIG, { WEIR_RECORDS: "off" });
    gateways.push(gateway);
  }
  const results = await Promise.all(
    gateways.map((gateway) => lint(`${gateway}/orders`, 60, [["Authorization", "alice"]])),
  );
  expect(
    results.map(({ dialects }) => dialects.map(({ dialect, verdict }) => `${dialect} ${verdict}`)),
  ).toEqual(SERVED.map(([, , verdicts]) => verdicts));
  expect(JSON.stringify(results)).not.toContain("alice");
});
