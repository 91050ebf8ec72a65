// The headers of rate limits in responses (HDR-C1, HDR-C2).
import type { Budget } from "../limiter/core/budget.ts";
import type { GatewayOptions } from "../limiter/core/config.ts";
import { retryAfterSeconds, type Decision } from "../limiter/core/decision.ts";
import { SECOND, type Micros } from "../kit/units.ts";

export type HeaderField = readonly [name: string, value: string];

/** In every style of a gateway: those of an upstream would contradict the gateway's (HDR-C2). */
export const LIMIT_HEADERS: readonly string[] = [
  "x-ratelimit-limit",
  "x-ratelimit-remaining",
  "x-ratelimit-reset",
  "ratelimit-policy",
  "ratelimit",
];

/** A header for the values of budgets, which only the gateway sends. */
export const isLimitHeader = (name: string): boolean => LIMIT_HEADERS.includes(name.toLowerCase());

/** The headers of a response: the upstream's without its own limits, and those of the gateway. */
export const replaceLimitHeaders = (
  upstream: readonly HeaderField[],
  own: readonly HeaderField[],
): readonly HeaderField[] => [...upstream.filter(([name]) => !isLimitHeader(name)), ...own];

/** The values of limits in a response, before they are text. NaN and null: the response has no such header. */
export interface LimitValues {
  readonly retryAfterS: number;
  readonly limit: number; // X-RateLimit-Limit, as the next two
  readonly remaining: number;
  readonly resetS: number; // since 1970
  readonly policy: string | null; // RateLimit-Policy
  readonly standing: string | null; // RateLimit
}

export const NO_LIMIT_VALUES: LimitValues = {
  retryAfterS: Number.NaN,
  limit: Number.NaN,
  remaining: Number.NaN,
  resetS: Number.NaN,
  policy: null,
  standing: null,
};

export function limitValues(
  decision: Decision,
  style: GatewayOptions["rateLimitHeaders"],
  nowUs: Micros,
): LimitValues {
  const { shown, limit, remaining, resetUs } = decision;
  const budget = shown === null || style === "off" || style === "legacy" ? null : shown.budget;
  const isLegacy = shown !== null && style !== "off" && style !== "ietf";
  return {
    retryAfterS: retryAfterSeconds(decision) ?? Number.NaN,
    limit: isLegacy ? limit : Number.NaN,
    remaining: isLegacy ? remaining : Number.NaN,
    resetS: isLegacy && Number.isFinite(resetUs) ? Math.ceil(resetUs / SECOND) : Number.NaN,
    policy: budget === null ? null : policyText(decision, budget),
    standing: budget === null ? null : standingText(decision, budget, nowUs),
  };
}

// The fields of draft-ietf-httpapi-ratelimit-headers as of its versions 08 to 11; the draft still moves.

function policyText({ limit }: Decision, { scope, limit: { perUs } }: Budget): string {
  const window = perUs / SECOND;
  return `"${scope}";q=${limit}${Number.isInteger(window) ? `;w=${window}` : ""}`;
}

function standingText({ remaining, resetUs }: Decision, { scope }: Budget, nowUs: Micros): string {
  const reset = Number.isFinite(resetUs)
    ? `;t=${Math.max(0, Math.ceil((resetUs - nowUs) / SECOND))}`
    : "";
  return `"${scope}";r=${remaining}${reset}`;
}

/** The headers with these values. */
export function limitHeaders(values: LimitValues): readonly HeaderField[] {
  const headers: HeaderField[] = [];
  const add = (name: string, value: number): void => {
    if (!Number.isNaN(value)) headers.push([name, String(value)]);
  };
  add("Retry-After", values.retryAfterS);
  add("X-RateLimit-Limit", values.limit);
  add("X-RateLimit-Remaining", values.remaining);
  add("X-RateLimit-Reset", values.resetS);
  if (values.policy !== null) headers.push(["RateLimit-Policy", values.policy]);
  if (values.standing !== null) headers.push(["RateLimit", values.standing]);
  return headers;
}

/** The values of these headers, in either form: what a client reads. */
export function readLimitValues(headers: Iterable<HeaderField>): LimitValues {
  const values: { -readonly [Name in keyof LimitValues]: LimitValues[Name] } = {
    ...NO_LIMIT_VALUES,
  };
  for (const [name, value] of headers) {
    switch (name.toLowerCase()) {
      case "retry-after":
        values.retryAfterS = Number(value);
        break;
      case "x-ratelimit-limit":
        values.limit = Number(value);
        break;
      case "x-ratelimit-remaining":
        values.remaining = Number(value);
        break;
      case "x-ratelimit-reset":
        values.resetS = Number(value);
        break;
      case "ratelimit-policy":
        values.policy = value;
        break;
      case "ratelimit":
        values.standing = value;
    }
  }
  return values;
}
