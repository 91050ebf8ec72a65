import * as fc from "fast-check";
import { describe, expect, test } from "vitest";
import { readJson, writeJson } from "#src/gateway/management/json.ts";
import { holds } from "../../runs.ts";

const problemsIn = (text: string): readonly (readonly [string, string])[] =>
  readJson(text).problems.map(({ code, path }) => [code, path.join(".")] as const);

describe("duplicate fields, deep nesting and large numbers are reported with their path", () => {
  test.each([
    ['{"a": 1, "a": 2}', [["JSN-DUPLICATE", "a"]]],
    [String.raw`{"a": 1, "\u0061": 2}`, [["JSN-DUPLICATE", "a"]]],
    [
      '{"a": [{"b": 1}, {"c": 1, "c": 2}], "d": {"e": 1, "e": 1}}',
      [
        ["JSN-DUPLICATE", "a.1.c"],
        ["JSN-DUPLICATE", "d.e"],
      ],
    ],
    ['{"a": 1, "a": 2, "a": 3, "b": 1, "a": 4}', [["JSN-DUPLICATE", "a"]]],
    ['{"a": {"b": 1}, "c": {"b": 1}}', []],
    ['{"a": "x\\", \\"a", "b": "{[:,"}', []],
    ['{"__proto__": {}}', [["JSN-NAME", "__proto__"]]],
    ['{"a": [1, 1e999]}', [["JSN-NUMBER", "a.1"]]],
    ['{"a": -1e999, "c": 1E308}', [["JSN-NUMBER", "a"]]],
    [
      '{"rate": 1e-400, "b": [-0.01E-999], "c": 0e-999, "d": 0.0, "e": 1e-323, "f": -0}',
      [
        ["JSN-NUMBER", "rate"],
        ["JSN-NUMBER", "b.0"],
      ],
    ],
    [`{"a": ${"9".repeat(400)}.5}`, [["JSN-NUMBER", "a"]]],
    [`{"a": ${"9".repeat(40)}, "b": -${"9".repeat(40)}}`, []],
    [
      `{"a": [1, ${"9".repeat(41)}], "b": -${"9".repeat(41)}}`,
      [
        ["JSN-NUMBER", "a.1"],
        ["JSN-NUMBER", "b"],
      ],
    ],
    [`{"a": 0.${"9".repeat(400)}, "${"9".repeat(41)}": "${"9".repeat(41)}"}`, []],
    [`${"[".repeat(32)}${"]".repeat(32)}`, []],
    [`{"a": ${"[".repeat(32)}${"]".repeat(32)}}`, [["JSN-DEPTH", `a${".0".repeat(31)}`]]],
    ["", [["JSN-SYNTAX", ""]]],
    ['{"a": 1', [["JSN-SYNTAX", ""]]],
    ["{'a': 1}", [["JSN-SYNTAX", ""]]],
    ['{"a": 01}', [["JSN-SYNTAX", ""]]],
    ['{"a": NaN}', [["JSN-SYNTAX", ""]]],
    ['{"a": 1} x', [["JSN-SYNTAX", ""]]],
  ])("%s", (text, problems) => {
    expect(problemsIn(text)).toEqual(problems);
  });
});

test("text that is not JSON is rejected whatever follows it", () => {
  expect(problemsIn(`"${String.raw`\"`.repeat(500_000)}`)).toEqual([["JSN-SYNTAX", ""]]);
  expect(problemsIn("[".repeat(1_000_000))).toEqual([["JSN-SYNTAX", ""]]);
  expect(problemsIn(`${"[".repeat(500_000)}${"]".repeat(500_000)}`)).toEqual([
    ["JSN-DEPTH", "0.".repeat(32).slice(0, -1)],
  ]);
});

test("an integer beyond a double keeps its digits", () => {
  const text = '{"a":9223372036854775807,"b":[-9223372036854775808],"c":9007199254740991,"d":0.1}';
  const { value } = readJson(text);
  expect(value).toEqual({
    a: 9_223_372_036_854_775_807n,
    b: [-9_223_372_036_854_775_808n],
    c: 9_007_199_254_740_991,
    d: 0.1,
  });
  expect(writeJson(value)).toBe(text);
});

test("written JSON is read back unchanged", () => {
  const value = fc.jsonValue({ maxDepth: 5, noUnicodeString: false, stringUnit: "binary" });
  const numbers = fc.bigInt({ min: 2n ** 53n, max: 2n ** 80n });
  holds(
    fc.property(fc.tuple(value, numbers), (made) => {
      const [written] = [writeJson(made)];
      const read = readJson(written);
      // A name that no member may have is no JSON of ours.
      fc.pre(!written.includes("__proto__"));
      expect("value" in read && writeJson(read.value)).toBe(written);
    }),
    300,
  );
});

test("no text is taken that the language does not take", () => {
  const pieces = fc.constantFrom(...Array.from('"\\{}[]:,1ea- \n'), "e9");
  const takes = (read: () => unknown): boolean => {
    try {
      read();
      return true;
    } catch {
      return false;
    }
  };
  holds(
    fc.property(fc.array(pieces, { maxLength: 40 }), (parts) => {
      const text = parts.join("");
      const isSyntax = problemsIn(text).some(([code]) => code === "JSN-SYNTAX");
      expect(isSyntax).toBe(!takes(() => JSON.parse(text)));
    }),
    2_000,
  );
});
