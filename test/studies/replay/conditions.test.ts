// Conditions of `--where` and `--bad` against readings of them that share nothing with the parser.
import { expect, test } from "vitest";
import * as fc from "fast-check";
import { requireValue } from "#src/kit/reading/failure.ts";
import { parseCondition } from "#src/studies/replay/conditions.ts";
import { holdsUntil } from "../../runs.ts";

const accepts = (text: string, value: string | null): boolean =>
  requireValue(parseCondition(text)).accepts(value);

test.each(["<", "<=", ">", ">="])("no empty field is %s a number", (operator) => {
  for (const bound of ["400", "0", "-1"])
    for (const value of ["", " ", "\t", null])
      expect([value, accepts(`status ${operator} ${bound}`, value)]).toEqual([value, false]);
});

test("an empty field is equal to nothing that can be written without quotes", () => {
  expect(accepts('status = ""', "")).toBe(true);
  expect(accepts('status = ""', null)).toBe(false);
  expect(accepts("status = 0", "")).toBe(false);
  expect(accepts("status in (0,404)", "")).toBe(false);
  expect(accepts("status in (,404)", "")).toBe(true);
  expect(accepts("status not in (0,404)", "")).toBe(true);
  expect(accepts("status ~ ^$", "")).toBe(true);
  expect(accepts("status ~ ^$", null)).toBe(false);
});

const DECIMAL = /^[ \t]*[-+]?\d+(?:\.\d+)?(?:e[-+]?\d+)?[ \t]*$/;
const EMPTY = ["", " ", "\t", null];
const field = fc.oneof(
  fc.constantFrom<string | null>(...EMPTY),
  fc.constantFrom<string | null>("0", "-0", "-1", "399", "400", "400.0", "4e2", " 401 ", "0.5"),
  fc.constantFrom<string | null>("-", "abc", "4 00", "400ms", "NaN"),
  fc.integer({ min: -2, max: 600 }).map(String),
);
const bound = fc.oneof(
  fc.constantFrom("400", "0", "-1", "0.5", "4e2"),
  fc.integer({ min: -2, max: 600 }).map(String),
);
const space = fc.constantFrom("", " ", "  ");

/** By how a number compares with another one; no field that is not a number compares with any. */
const SIGNS: Readonly<Record<string, readonly number[]>> = {
  "<": [-1],
  "<=": [-1, 0],
  ">": [1],
  ">=": [0, 1],
};

test("numbers compare as numbers, and empty fields and words with nothing", async () => {
  let empty = 0;
  await holdsUntil(
    100,
    () => empty,
    fc.property(
      field,
      fc.constantFrom(...Object.keys(SIGNS)),
      bound,
      fc.array(space, { minLength: 3, maxLength: 3 }),
      (value, operator, other, [before, between, after]) => {
        const text = `${before}status${between}${operator}${after}${other}`;
        const isNumber = value !== null && DECIMAL.test(value);
        const sign = isNumber ? Math.sign(Number.parseFloat(value) - Number.parseFloat(other)) : 2;
        expect([text, value, accepts(text, value)]).toEqual([
          text,
          value,
          SIGNS[operator]!.some((each) => each === sign),
        ]);
        empty += Number(EMPTY.includes(value));
      },
    ),
    400,
  );
});

const word: fc.Arbitrary<string> = fc.constantFrom("GET", "POST", "", "404", "a b", "(x)", "a=b");
const listed: fc.Arbitrary<string> = fc.constantFrom("GET", "POST", "", "404", "a b");

test("equality, lists and patterns are each the opposite of their negation, also for empty fields", async () => {
  let empty = 0;
  await holdsUntil(
    50,
    () => empty,
    fc.property(
      fc.oneof(word, fc.constant(null)),
      word,
      fc.array(listed, { minLength: 1, maxLength: 3 }),
      (value, other, list) => {
        const each = `(${list.join(" , ")})`;
        const seen = [
          ["=", `"${other}"`, value === other],
          ["==", `'${other}'`, value === other],
          ["in", each, value !== null && list.includes(value)],
          ["~", `"^${other.replaceAll(/[()]/g, String.raw`\$&`)}$"`, value === other],
        ] as const;
        for (const [operator, operand, isAccepted] of seen) {
          const opposite = { "=": "!=", "==": "!=", in: "not in", "~": "!~" }[operator];
          const texts = [`method ${operator} ${operand}`, `method ${opposite} ${operand}`];
          expect([value, ...texts.map((text) => accepts(text, value))]).toEqual([
            value,
            isAccepted,
            !isAccepted,
          ]);
        }
        empty += Number(value === "" || value === null);
      },
    ),
    200,
  );
});
