import { expect, test } from "vitest";
import { errorsOf, type LoadFigures } from "#src/studies/bench/load/load.ts";

test("errors are requests without a response, and responses that are neither admitted nor refused", () => {
  const figures = { statuses: { 200: 9, 204: 1, 302: 16, 429: 8, 502: 32 }, unanswered: 64 };
  expect(errorsOf(figures as Partial<LoadFigures> as LoadFigures)).toBe(16 + 32 + 64);
});
