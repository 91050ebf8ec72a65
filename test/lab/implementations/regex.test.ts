// Regular expressions of other programs: they match as they do there, or are a problem.
import { expect, test } from "vitest";
import { isFailure, requireValue } from "#src/kit/reading/failure.ts";
import { regexOf, replacementOf } from "#src/lab/implementations/regex.ts";

test.each([
  ["^/a$", "/a", "/A"],
  ["(?i)^/a$", "/A", "/b"],
  ["(?P<name>a)b", "ab", "b"],
  [String.raw`\Aa\z`, "a", "a\n"],
  [String.raw`(?m)\Ab`, "b", "a\nb"],
  [String.raw`\\Ab`, String.raw`\Ab`, "b"],
  ["[?+*]+x", "+x", "x"],
  [String.raw`a\++b`, "a++b", "ab"],
  ["[[a]x", "[x", "x"],
])("%s matches %j, and not %j", (source, yes, no) => {
  const regex = requireValue(regexOf(source));
  expect(regex.test(yes)).toBe(true);
  expect(regex.test(no)).toBe(false);
});

test.each([
  "[[:digit:]]+",
  "[^[:space:]]",
  "[]a]",
  String.raw`\h`,
  String.raw`\p{L}`,
  String.raw`\Qa.b\E`,
  "a++",
  String.raw`\d*+`,
  "a{2}+",
  "(?>a)",
  "(?|a|b)",
  "(*UTF8)a",
  "(?#a)",
  "(",
  "(?x) a",
])("%s is a problem, because JavaScript would match something else", (source) => {
  expect(isFailure(regexOf(source))).toBe(true);
});

test("a whole match has all of the text, whichever alternative it is", () => {
  const regex = requireValue(regexOf("a|bc", { isWhole: true }));
  expect(["a", "bc", "ac", "abc", "bca"].filter((text) => regex.test(text))).toEqual(["a", "bc"]);
});

test.each([
  [String.raw`<\1>`, "/a/<b>"],
  [String.raw`<\0>`, "/a/<b7>"],
  ["$1$&", "/a/$1$&"],
])("the replacement %s", (text, expected) => {
  const regex = requireValue(regexOf(String.raw`(b)\d`));
  expect("/a/b7".replace(regex, replacementOf(text))).toBe(expected);
});

test("a whole match does not end at a line", () => {
  expect(isFailure(regexOf("(?m)a", { isWhole: true }))).toBe(true);
});
