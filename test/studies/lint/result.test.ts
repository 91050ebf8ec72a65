import { expect, test } from "vitest";
import { lintText } from "#src/studies/lint/text.ts";
import { parseRecorded } from "#src/studies/lint/recorded.ts";
import { buildResult } from "#src/studies/lint/result.ts";
import { isFailure } from "#src/kit/reading/failure.ts";

const recorded = JSON.stringify({
  sentAt: "2026-01-01T00:00:00Z",
  receivedAt: "2026-01-01T00:00:00.010Z",
  status: 429,
  headers: {
    DATE: "Thu, 01 Jan 2026 00:00:00 GMT",
    "set-cookie": ["session=hidden-1", "other=hidden-2"],
    "X-RateLimit-Limit": "5",
    "x-ratelimit-remaining": "0",
    "X-RateLimit-Key": "hidden-3",
    Authorization: "Bearer hidden-4",
    "Retry-After": "1.5",
    "X-Request-Id": "hidden-5",
  },
});

test("a result has the headers about limits and Date, and no value of another header", () => {
  const exchanges = parseRecorded("recorded.jsonl", recorded);
  if (isFailure(exchanges)) throw exchanges;
  const result = buildResult("recorded.jsonl", "the file ends", exchanges);
  expect(result.responses.map(({ headers }) => headers)).toEqual([
    [
      ["DATE", "Thu, 01 Jan 2026 00:00:00 GMT"],
      ["X-RateLimit-Limit", "5"],
      ["x-ratelimit-remaining", "0"],
      ["Retry-After", "1.5"],
    ],
  ]);
  const printed = [JSON.stringify(result), ...lintText(result, (_tone, text) => text)].join("\n");
  expect(printed).toContain("LINT-SYNTAX");
  expect(printed).not.toContain("hidden");
});
