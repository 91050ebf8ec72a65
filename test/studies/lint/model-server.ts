// A server in virtual time: a limiter, the headers that it sends, and how long messages take.
import type { ReceivedHeader } from "#src/limiter/limit-headers/advertised.ts";
import { readExchange, type JudgedExchange } from "#src/limiter/limit-headers/exchange.ts";
import { nextProbe, type ProbeCaps } from "#src/studies/lint/next-probe.ts";
import { buildResult, type UnansweredLint } from "#src/studies/lint/result.ts";

export interface ModelDecision {
  readonly isAdmitted: boolean;
  readonly limit: number;
  readonly windowS: number;
  readonly remaining: number;
  /** When the budget is renewed, and when the next request passes; by the server's clock. */
  readonly resetS: number;
  readonly retryS: number;
  readonly nowS: number;
}

export type ModelLimiter = (nowS: number) => ModelDecision;
export type HeaderWriter = (decision: ModelDecision) => readonly ReceivedHeader[];

export function windowLimiter(limit: number, windowS: number): ModelLimiter {
  let startS = -Infinity;
  let used = 0;
  return (nowS) => {
    if (nowS >= startS + windowS) [startS, used] = [nowS, 0];
    const isAdmitted = used < limit;
    if (isAdmitted) used++;
    const resetS = startS + windowS;
    return { isAdmitted, limit, windowS, remaining: limit - used, resetS, retryS: resetS, nowS };
  };
}

export function tokenBucket(limit: number, windowS: number): ModelLimiter {
  const rate = limit / windowS;
  let tokens = limit;
  let beforeS = -Infinity;
  return (nowS) => {
    tokens = beforeS === -Infinity ? limit : Math.min(limit, tokens + (nowS - beforeS) * rate);
    beforeS = nowS;
    const isAdmitted = tokens >= 1 - 1e-9;
    if (isAdmitted) tokens = Math.max(0, tokens - 1);
    const resetS = nowS + (limit - tokens) / rate;
    const retryS = nowS + Math.max(0, 1 - tokens) / rate;
    return {
      isAdmitted,
      limit,
      windowS,
      remaining: Math.floor(tokens + 1e-9),
      resetS,
      retryS,
      nowS,
    };
  };
}

/** With `countsRefusals` a refused request is written too, so that a client that keeps asking stays refused. */
export function slidingLog(limit: number, windowS: number, countsRefusals = false): ModelLimiter {
  let log: number[] = [];
  return (nowS) => {
    log = log.filter((atS) => atS > nowS - windowS);
    const isAdmitted = log.length < limit;
    if (isAdmitted || countsRefusals) log.push(nowS);
    const retryS = (log.at(-limit) ?? nowS) + windowS;
    const remaining = Math.max(0, limit - log.length);
    return { isAdmitted, limit, windowS, remaining, resetS: retryS, retryS, nowS };
  };
}

const ceil = (value: number): string => String(Math.max(0, Math.ceil(value - 1e-9)));

export const retryAfter: HeaderWriter = ({ isAdmitted, retryS, nowS }) =>
  isAdmitted ? [] : [["Retry-After", ceil(retryS - nowS)]];

export const httpDate = (unixS: number): string => new Date(unixS * 1000).toUTCString();

const triple =
  (prefix: string, reset: (decision: ModelDecision) => string): HeaderWriter =>
  (decision) => [
    [`${prefix}-Limit`, String(decision.limit)],
    [`${prefix}-Remaining`, String(decision.remaining)],
    [`${prefix}-Reset`, reset(decision)],
  ];

const inSeconds = ({ resetS, nowS }: ModelDecision): string => ceil(resetS - nowS);
const atUnixS = ({ resetS }: ModelDecision): string => ceil(resetS);

/** Every dialect as it ought to be. */
export const WRITERS: Readonly<Record<string, HeaderWriter>> = {
  "x-ratelimit, seconds": triple("X-RateLimit", inSeconds),
  "x-ratelimit, Unix seconds": triple("X-RateLimit", atUnixS),
  "x-ratelimit, Unix milliseconds": triple("X-RateLimit", ({ resetS }) => ceil(resetS * 1000)),
  "x-ratelimit, HTTP date": triple("X-RateLimit", ({ resetS }) => httpDate(Math.ceil(resetS))),
  "x-ratelimit, ISO date": triple("X-RateLimit", ({ resetS }) =>
    new Date(Math.ceil(resetS * 1000)).toISOString(),
  ),
  "x-rate-limit": triple("x-rate-limit", atUnixS),
  github: (decision) => [
    ...triple("x-ratelimit", atUnixS)(decision),
    ["x-ratelimit-used", String(decision.limit - decision.remaining)],
    ["x-ratelimit-resource", "core"],
  ],
  discord: (decision) => [
    ...triple("X-RateLimit", ({ resetS }) => (Math.ceil(resetS * 1000) / 1000).toFixed(3))(
      decision,
    ),
    [
      "X-RateLimit-Reset-After",
      (Math.ceil((decision.resetS - decision.nowS) * 1000) / 1000).toFixed(3),
    ],
    ["X-RateLimit-Bucket", "abcd1234"],
  ],
  envoy: (decision) => [
    ["x-ratelimit-limit", `${decision.limit}, ${decision.limit};w=${decision.windowS}`],
    ["x-ratelimit-remaining", String(decision.remaining)],
    ["x-ratelimit-reset", inSeconds(decision)],
  ],
  kong: (decision) => [
    ["X-RateLimit-Limit-Minute", String(decision.limit)],
    ["X-RateLimit-Remaining-Minute", String(decision.remaining)],
  ],
  openai: ({ limit, remaining, resetS, nowS }) => [
    ["x-ratelimit-limit-requests", String(limit)],
    ["x-ratelimit-remaining-requests", String(remaining)],
    ["x-ratelimit-reset-requests", `${Math.ceil((resetS - nowS) * 1000)}ms`],
  ],
  "ratelimit-03": (decision) => [
    ["RateLimit-Limit", `${decision.limit}, ${decision.limit};w=${decision.windowS}`],
    ["RateLimit-Remaining", String(decision.remaining)],
    ["RateLimit-Reset", inSeconds(decision)],
  ],
  "ratelimit-06": (decision) => [
    ...triple("RateLimit", inSeconds)(decision),
    ["RateLimit-Policy", `${decision.limit};w=${decision.windowS}`],
  ],
  "ratelimit-07": (decision) => [
    [
      "RateLimit",
      `limit=${decision.limit}, remaining=${decision.remaining}, reset=${inSeconds(decision)}`,
    ],
    ["RateLimit-Policy", `${decision.limit};w=${decision.windowS}`],
  ],
  "ratelimit-08": (decision) => [
    ["RateLimit-Policy", `"default";q=${decision.limit};w=${decision.windowS};qu="requests"`],
    ["RateLimit", `"default";r=${decision.remaining};t=${inSeconds(decision)};pk=:YWxpY2U=:`],
  ],
  shopify: ({ limit, remaining }) => [
    ["X-Shopify-Shop-Api-Call-Limit", `${limit - remaining}/${limit}`],
  ],
};

export interface ModelServer {
  readonly decide: ModelLimiter;
  readonly write: HeaderWriter;
  /** One way of a message, for each of them in turn. */
  readonly latenciesS?: readonly number[];
  /** How far the server's clock is ahead. */
  readonly clockS?: number;
  readonly refusalStatus?: number;
}

const START_S = 1_795_000_000.371;

const CAPS: ProbeCaps = { requests: 200, seconds: 120 };

/** A whole probe in virtual time. */
export function lintModel(
  { decide, write, latenciesS = [0.001], clockS = 0, refusalStatus = 429 }: ModelServer,
  caps = CAPS,
): UnansweredLint {
  const exchanges: JudgedExchange[] = [];
  let nowS = START_S;
  let message = 0;
  const latency = (): number => latenciesS[message++ % latenciesS.length]!;
  for (;;) {
    const step = nextProbe({ exchanges, startS: START_S, nowS, caps });
    if (step.kind === "end") return buildResult("model", step.why, exchanges);
    const sentS = Math.max(nowS, step.atS);
    const serverS = sentS + latency() + clockS;
    const decision = decide(serverS);
    nowS = serverS - clockS + latency();
    const headers = [["Date", httpDate(Math.floor(serverS))] as const, ...write(decision)];
    const status = decision.isAdmitted ? 200 : refusalStatus;
    exchanges.push(readExchange({ sentS, receivedS: nowS, status, headers }, exchanges.length));
  }
}
