// The headers of rate limits in responses (HDR-C1, HDR-C2).
import type { Budget } from "../limiter/core/budget.ts";
import type { GatewayOptions } from "../limiter/core/config.ts";
import { retryAfterSeconds, type Decision } from "../limiter/core/decision.ts";
import { SECOND, type Micros } from "../kit/units.ts";

export type HeaderField = readonly [name: string, value: string];

/** Limit headers of all styles. An upstream's are removed, because they would contradict the gateway's (HDR-C2). */
export const LIMIT_HEADERS: readonly string[] = [
  "x-ratelimit-limit",
  "x-ratelimit-remaining",
  "x-ratelimit-reset",
  "ratelimit-policy",
  "ratelimit",
];

/** Whether a header has values of budgets, so that only the gateway may send it. */
export const isLimitHeader = (name: string): boolean => LIMIT_HEADERS.includes(name.toLowerCase());

/** The headers of a response: the upstream's without its limit headers, and the gateway's. */
export const replaceLimitHeaders = (
  upstream: readonly HeaderField[],
  own: readonly HeaderField[],
): readonly HeaderField[] => [...upstream.filter(([name]) => !isLimitHeader(name)), ...own];

/** The values of limit headers. NaN and null: the response lacks the header. */
export interface LimitValues {
  readonly retryAfterS: number;
  readonly limit: number; // X-RateLimit-Limit
  readonly remaining: number; // X-RateLimit-Remaining
  readonly resetS: number; // X-RateLimit-Reset, in Unix seconds
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

// The headers of draft-ietf-httpapi-ratelimit-headers, versions 08 to 11; later versions may differ.

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

/** Returns the headers that have these values. */
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

/** Reads the values of limit headers in any style, as a client does. */
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
