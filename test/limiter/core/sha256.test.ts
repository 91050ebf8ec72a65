import { createHash } from "node:crypto";
import * as fc from "fast-check";
import { expect, test } from "vitest";
import { sha256 } from "#src/limiter/core/sha256.ts";
import { holds } from "../../runs.ts";

const referenceHash = (text: string): string =>
  createHash("sha256").update(text, "utf16le").digest("hex");

test("agrees with Node's, around the edges of a block and beyond one", () => {
  for (const length of [0, 1, 27, 28, 31, 32, 33, 59, 60, 1_000, 100_000])
    expect(sha256("a".repeat(length)), `${length}`).toBe(referenceHash("a".repeat(length)));
});

test("agrees with Node's on any text", () => {
  holds(
    fc.property(fc.string({ unit: "grapheme", maxLength: 300 }), (text) => {
      expect(sha256(text)).toBe(referenceHash(text));
    }),
    100,
  );
});
