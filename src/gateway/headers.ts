// What a limited client is told (HDR-C1, HDR-C2).
import type { Budget } from "../core/budget.ts";
import type { GatewayOptions } from "../core/config.ts";
import { retryAfterSeconds, type Decision } from "../core/decision.ts";
import { SECOND, type Micros } from "../core/units.ts";

export type Header = readonly [name: string, value: string];

/** In whatever style a gateway speaks: an upstream's own would contradict it (HDR-C2). */
export const LIMIT_HEADERS: readonly string[] = [
  "x-ratelimit-limit",
  "x-ratelimit-remaining",
  "x-ratelimit-reset",
  "ratelimit-policy",
  "ratelimit",
];

/** Whoever counts alone may say how it stands. */
export const isLimitHeader = (name: string): boolean => LIMIT_HEADERS.includes(name.toLowerCase());

/** What a client gets: of the upstream's headers those that are not the gateway's own, and then these. */
export const headersTold = (
  upstream: readonly Header[],
  own: readonly Header[],
): readonly Header[] => [...upstream.filter(([name]) => !isLimitHeader(name)), ...own];

export function limitHeaders(
  decision: Decision,
  style: GatewayOptions["rateLimitHeaders"],
  nowUs: Micros,
): readonly Header[] {
  const retryAfter = retryAfterSeconds(decision);
  const headers: Header[] = retryAfter === null ? [] : [["Retry-After", String(retryAfter)]];
  if (decision.shown === null || style === "off") return headers;
  if (style !== "ietf") headers.push(...legacy(decision));
  if (style !== "legacy") headers.push(...ietf(decision, decision.shown.budget, nowUs));
  return headers;
}

const legacy = ({ limit, remaining, resetUs }: Decision): readonly Header[] => [
  ["X-RateLimit-Limit", String(limit)],
  ["X-RateLimit-Remaining", String(remaining)],
  ...(Number.isFinite(resetUs)
    ? [["X-RateLimit-Reset", String(Math.ceil(resetUs / SECOND))] as const]
    : []),
];

/** The fields of draft-ietf-httpapi-ratelimit-headers as of its versions 08 to 11; the draft still moves. */
function ietf(
  { limit, remaining, resetUs }: Decision,
  { scope: name, limit: { perUs } }: Budget,
  nowUs: Micros,
): readonly Header[] {
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
