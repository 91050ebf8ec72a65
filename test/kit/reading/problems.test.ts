import { describe, expect, test } from "vitest";
import { errorAt, nearest, warningAt } from "#src/kit/reading/problems.ts";

test("a message with a suggestion needs no fix", () => {
  expect([errorAt("CODE", [], "no.").fix, warningAt("CODE", [], "no.").fix]).toEqual(["", ""]);
});

describe("the suggestion", () => {
  test.each<[string, readonly string[], string | null]>([
    ["rates", ["per", "rate"], "rate"],
    ["raet", ["per", "rate"], "rate"], // neighbours that changed places are one mistake
    ["RATE", ["per", "rate"], "rate"],
    ["rate", ["rrte", "rats"], "rrte"], // the first of those that are as near
    ["threshhold", ["trigger", "threshold"], "threshold"],
    ["smothng", ["smoothing"], "smoothing"], // two of seven letters
    ["smthng", ["smoothing"], null], // three of six
    ["a", ["b"], "b"], // one letter may always differ
    ["a", ["bc"], null],
    ["x", ["yz", "xyz"], null],
    ["", ["ab"], null],
    ["", ["a"], "a"],
    ["abc", [], null],
  ])("%j of %j is %j", (name, known, suggestion) => {
    expect(nearest(name, known)).toBe(suggestion);
  });
});
