// The headers of rate limits in responses (HDR-C1, HDR-C2).
import type { Budget } from "../core/budget.ts";
import type { GatewayOptions } from "../core/config.ts";
import { retryAfterSeconds, type Decision } from "../core/decision.ts";
import { SECOND, type Micros } from "../core/units.ts";

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

export function limitHeaders(
  decision: Decision,
  style: GatewayOptions["rateLimitHeaders"],
  nowUs: Micros,
): readonly HeaderField[] {
  const retryAfter = retryAfterSeconds(decision);
  const headers: HeaderField[] = retryAfter === null ? [] : [["Retry-After", String(retryAfter)]];
  if (decision.shown === null || style === "off") return headers;
  if (style !== "ietf") addLegacy(headers, decision);
  if (style !== "legacy") headers.push(...ietf(decision, decision.shown.budget, nowUs));
  return headers;
}

/** To the same list: every response has them. */
function addLegacy(headers: HeaderField[], { limit, remaining, resetUs }: Decision): void {
  headers.push(["X-RateLimit-Limit", String(limit)], ["X-RateLimit-Remaining", String(remaining)]);
  if (Number.isFinite(resetUs))
    headers.push(["X-RateLimit-Reset", String(Math.ceil(resetUs / SECOND))]);
}

/** The fields of draft-ietf-httpapi-ratelimit-headers as of its versions 08 to 11; the draft still moves. */
function ietf(
  { limit, remaining, resetUs }: Decision,
  { scope: name, limit: { perUs } }: Budget,
  nowUs: Micros,
): readonly HeaderField[] {
  const window = perUs / SECOND;
  const policy = `"${name}";q=${limit}${Number.isInteger(window) ? `;w=${window}` : ""}`;
  const reset = Number.isFinite(resetUs)
    ? `;t=${Math.max(0, Math.ceil((resetUs - nowUs) / SECOND))}`
    : "";
  return [
    ["RateLimit-Policy", policy],
    ["RateLimit", `"${name}";r=${remaining}${reset}`],
  ];
}
