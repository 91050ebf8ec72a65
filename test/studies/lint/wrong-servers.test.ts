import { expect, test } from "vitest";
import { retryAfter, windowLimiter, WRITERS } from "./model-server.ts";
import {
  about,
  draft08,
  combine,
  examineRow,
  legacy,
  onlyIf,
  ratelimit,
  unix,
  WINDOW_S,
  type WrongServer,
} from "./wrong-headers.ts";

const ROWS: readonly WrongServer[] = [
  // Remaining
  [
    "Remaining is stuck",
    about(({ limit }) => ({ remaining: limit - 1 }), legacy),
    "x-ratelimit",
    "untrue",
    "LINT-REMAINING",
  ],
  [
    "Remaining is one too many",
    about(({ remaining, limit }) => ({ remaining: Math.min(limit, remaining + 1) }), legacy),
    "x-ratelimit",
    "untrue",
    "LINT-REMAINING",
  ],
  [
    "Remaining is one too few",
    about(
      ({ remaining }) => ({ remaining: Math.max(0, remaining - 1) }),
      about(({ limit }) => ({ limit: limit - 1 }), legacy),
    ),
    "x-ratelimit",
    "untrue",
    "LINT-REMAINING",
    { decide: windowLimiter(6, WINDOW_S) },
  ],
  [
    "Remaining is above the limit",
    about(({ remaining }) => ({ limit: 3, remaining }), legacy),
    "x-ratelimit",
    "inconsistent",
    "LINT-RANGE",
  ],
  [
    "Remaining is below 0",
    (d) =>
      legacy(d).map(
        ([name, value]) =>
          [name, name.endsWith("Remaining") && !d.isAdmitted ? "-1" : value] as const,
      ),
    "x-ratelimit",
    "invalid",
    "LINT-SYNTAX",
  ],
  [
    "Remaining of the standard is stuck",
    about(() => ({ remaining: 4 }), draft08),
    "ratelimit-08",
    "untrue",
    "LINT-REMAINING",
  ],
  [
    "Remaining without a reset is one too few",
    about(
      ({ limit, remaining }) => ({ limit: limit - 1, remaining: Math.max(0, remaining - 1) }),
      WRITERS["shopify"]!,
    ),
    "shopify",
    "untrue",
    "LINT-REMAINING",
    { decide: windowLimiter(6, WINDOW_S), latenciesS: [0.001] },
  ],
  // Limit and window
  [
    "limit and window are those of another limit",
    about(({ nowS }) => ({ limit: 2, windowS: 60, remaining: 1, resetS: nowS + 60 }), draft08),
    "ratelimit-08",
    "untrue",
    "LINT-LIMIT",
    { decide: windowLimiter(30, WINDOW_S) },
  ],
  [
    "the limit is larger than any run",
    about(({ limit, remaining }) => ({ limit: 100, remaining: remaining + 100 - limit }), legacy),
    "x-ratelimit",
    "untrue",
    "LINT-LIMIT",
  ],
  [
    "the reset is later than two windows",
    about(({ resetS }) => ({ resetS: resetS + 20 }), draft08),
    "ratelimit-08",
    "inconsistent",
    "LINT-RANGE",
  ],
  // Reset
  [
    "a reset one second too early",
    about(({ resetS }) => ({ resetS: resetS - 1 }), legacy),
    "x-ratelimit",
    "untrue",
    "LINT-WAIT-SHORT",
  ],
  [
    "a reset of 0 with the refusal",
    about(({ isAdmitted, resetS, nowS }) => ({ resetS: isAdmitted ? resetS : nowS }), legacy),
    "x-ratelimit",
    "untrue",
    "LINT-WAIT-SHORT",
  ],
  [
    "a reset in the past",
    about(({ resetS }) => ({ resetS: resetS - 30 }), unix),
    "x-ratelimit",
    "untrue",
    "LINT-PAST",
  ],
  [
    "a reset in two forms",
    (d) => (d.isAdmitted ? legacy(d) : unix(d)),
    "x-ratelimit",
    "invalid",
    "LINT-FORM",
  ],
  [
    "a Unix time in a draft",
    (d) =>
      WRITERS["ratelimit-06"]!(d).map(
        ([name, value]) =>
          [name, name.endsWith("Reset") ? String(Math.ceil(d.resetS)) : value] as const,
      ),
    "ratelimit-03",
    "invalid",
    "LINT-FORM",
  ],
  [
    "seconds where GitHub has a time",
    (d) => [...legacy(d), ["X-RateLimit-Used", String(d.limit - d.remaining)]],
    "github",
    "invalid",
    "LINT-FORM",
  ],
  [
    "used does not add up",
    (d) =>
      WRITERS["github"]!(d).map(
        ([name, value]) =>
          [name, name.endsWith("used") ? String(Number(value) + 1) : value] as const,
      ),
    "github",
    "inconsistent",
    "LINT-RANGE",
  ],
  [
    "a reset in milliseconds",
    combine(retryAfter, (d) =>
      legacy(d).map(([name, value]) => [
        name,
        name.endsWith("Reset") ? String(Math.ceil((d.resetS - d.nowS) * 1000)) : value,
      ]),
    ),
    "x-ratelimit",
    "invalid",
    "LINT-FORM",
  ],
  [
    "a reset in milliseconds without Retry-After",
    (d) =>
      legacy(d).map(([name, value]) => [
        name,
        name.endsWith("Reset") ? String(Math.ceil((d.resetS - d.nowS) * 1000)) : value,
      ]),
    "x-ratelimit",
    "invalid",
    "LINT-FORM",
  ],
  [
    "a reset ten seconds too late",
    combine(
      retryAfter,
      about(({ resetS }) => ({ resetS: resetS + 10 }), unix),
    ),
    "x-ratelimit",
    "untrue",
    "LINT-WAIT-LONG",
  ],
  [
    "a reset in local time",
    combine(
      retryAfter,
      about(({ resetS }) => ({ resetS: resetS + 7200 }), WRITERS["x-ratelimit, HTTP date"]!),
    ),
    "x-ratelimit",
    "untrue",
    "LINT-LOCAL-TIME",
  ],
  // Presence
  [
    "none with refusals",
    onlyIf(({ isAdmitted }) => isAdmitted, legacy),
    "x-ratelimit",
    "inconsistent",
    "LINT-ABSENT",
  ],
  [
    "not always with admitted requests",
    onlyIf(({ remaining }) => remaining !== 2, legacy),
    "x-ratelimit",
    "inconsistent",
    "LINT-ABSENT",
  ],
  // Agreement
  [
    "two dialects with different counts",
    combine(
      legacy,
      about(({ remaining }) => ({ remaining: Math.max(0, remaining - 1) }), draft08),
    ),
    "x-ratelimit",
    "inconsistent",
    "LINT-DISAGREE",
  ],
  [
    "two dialects with different limits",
    combine(
      legacy,
      about(({ limit }) => ({ limit: limit * 2 }), draft08),
    ),
    "x-ratelimit",
    "inconsistent",
    "LINT-DISAGREE",
  ],
  [
    "two dialects with different resets",
    combine(
      legacy,
      about(({ resetS }) => ({ resetS: resetS - 4 }), unix),
      draft08,
    ),
    "x-ratelimit",
    "invalid",
    "LINT-DUPLICATE",
  ],
  // Syntax of the drafts
  [
    "a policy without quotes",
    ratelimit(({ remaining }) => `default;r=${remaining};t=10`),
    "ratelimit-08",
    "invalid",
    "LINT-SYNTAX",
  ],
  [
    "a count in quotes",
    ratelimit(({ remaining }) => `"default";r="${remaining}"`),
    "ratelimit-08",
    "invalid",
    "LINT-SYNTAX",
  ],
  ["no r", ratelimit(() => `"default";t=10`), "ratelimit-08", "invalid", "LINT-MISSING"],
  [
    "spaces around =",
    ratelimit(({ remaining }) => `"default"; r = ${remaining}`),
    "ratelimit-08",
    "invalid",
    "LINT-SYNTAX",
  ],
  [
    "semicolons in the dictionary",
    ratelimit(({ remaining }) => `limit=5; remaining=${remaining}; reset=10`),
    "ratelimit-07",
    "invalid",
    "LINT-SYNTAX",
  ],
  [
    "a slash in place of a comma",
    (d) => [["X-Shopify-Shop-Api-Call-Limit", `${d.limit - d.remaining} of ${d.limit}`]],
    "shopify",
    "invalid",
    "LINT-SYNTAX",
  ],
];

test.for(ROWS)("%s is found", (row) => {
  expect(examineRow(row)).toEqual({ verdict: row[3], finding: row[4] });
});
