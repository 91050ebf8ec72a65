import * as fc from "fast-check";
import { expect, test } from "vitest";
import {
  isSyntaxProblem,
  parseDictionary,
  parseList,
  type BareValue,
} from "#src/limiter/limit-headers/structured.ts";
import { holds } from "../../runs.ts";

const name = fc.stringMatching(/^[a-z*][a-z0-9_.*-]{0,6}$/);

const bare: fc.Arbitrary<BareValue> = fc.oneof(
  fc.record({
    kind: fc.constant("integer" as const),
    value: fc.integer({ min: -999_999_999_999_999, max: 999_999_999_999_999 }),
  }),
  fc
    .integer({ min: -999_999_999, max: 999_999_999 })
    .map((thousandths) => ({ kind: "decimal" as const, value: thousandths / 1000 })),
  fc.record({ kind: fc.constant("string" as const), value: fc.stringMatching(/^[ -~]{0,8}$/) }),
  fc.record({
    kind: fc.constant("token" as const),
    value: fc.stringMatching(/^[A-Za-z*][\w:/!#$%&'*+.^`|~-]{0,8}$/),
  }),
  fc.record({ kind: fc.constant("boolean" as const), value: fc.boolean() }),
  fc.record({ kind: fc.constant("date" as const), value: fc.integer() }),
  fc
    .uint8Array({ maxLength: 9 })
    .map((bytes) => ({ kind: "bytes" as const, value: Buffer.from(bytes).toString("base64") })),
  fc.record({
    kind: fc.constant("display string" as const),
    value: fc.string({ unit: "grapheme", maxLength: 5 }),
  }),
);

function formatBare({ kind, value }: BareValue): string {
  switch (kind) {
    case "integer":
    case "token":
      return String(value);
    case "decimal":
      return value.toFixed(3).replace(/(\.\d+?)0+$/, "$1");
    case "string":
      return `"${value.replaceAll(/["\\]/g, String.raw`\$&`)}"`;
    case "boolean":
      return value ? "?1" : "?0";
    case "date":
      return `@${value}`;
    case "bytes":
      return `:${value}:`;
    case "display string":
      return `%"${[...Buffer.from(value)].map((byte) => `%${byte.toString(16).padStart(2, "0")}`).join("")}"`;
  }
}

const members = fc.array(
  fc.record({ name, item: bare, parameters: fc.array(fc.tuple(name, bare), { maxLength: 3 }) }),
  { minLength: 1, maxLength: 4 },
);

test.each([
  ["a list", parseList, false],
  ["a dictionary", parseDictionary, true],
] as const)(
  "%s that is written is read again, and each column is that of its part",
  (_what, parse, hasNames) => {
    holds(
      fc.property(members, fc.constantFrom(", ", ",", " ,\t"), (written, comma) => {
        const text = written
          .map((member) => {
            const parameters = member.parameters.map(
              ([key, value]) => `; ${key}=${formatBare(value)}`,
            );
            return `${hasNames ? `${member.name}=` : ""}${formatBare(member.item)}${parameters.join("")}`;
          })
          .join(comma);
        const read = parse(text);
        if (isSyntaxProblem(read)) throw new Error(`${text}: ${read.column} ${read.message}`);
        expect(
          read.map(({ name: key, item, parameters }) => ({
            ...(hasNames && { name: key }),
            item: { kind: item.kind, value: item.value },
            parameters: parameters.map((each) => [
              each.name,
              { kind: each.item.kind, value: each.item.value },
            ]),
          })),
        ).toEqual(
          written.map(({ name: key, item, parameters }) => ({
            ...(hasNames && { name: key }),
            item,
            parameters,
          })),
        );
        for (const { item, parameters } of read)
          for (const each of [item, ...parameters.map((parameter) => parameter.item)])
            expect(text.slice(each.column - 1)).toMatch(START[each.kind]);
      }),
      500,
    );
  },
);

const START: Readonly<Record<BareValue["kind"], RegExp>> = {
  integer: /^[-\d]/,
  decimal: /^[-\d]/,
  string: /^"/,
  token: /^[A-Za-z*]/,
  boolean: /^\?/,
  date: /^@/,
  bytes: /^:/,
  "display string": /^%/,
};

test.each([
  ["1, ", 3, "a comma ends the value"],
  ["1,,2", 3, 'a value belongs here, not ","'],
  ["1 2", 3, '"," or ";" belongs here'],
  ["1;", 3, "a name in lower case belongs here, not the end"],
  ["1;W=5", 3, 'a name in lower case belongs here, not "W"'],
  ["1; w =5", 6, '"," or ";" belongs here'],
  ["1;w=", 5, "a value belongs here, not the end"],
  ["1;w= 5", 5, 'a value belongs here, not " "'],
  ["(1 2)", 1, "a list in brackets is no item"],
  ["-", 2, "a digit belongs here"],
  ["1.", 3, "a digit belongs after the point"],
  ["1.2345", 1, "a decimal has at most 12 digits"],
  ["1234567890123456", 1, "an integer has at most 15 digits"],
  ['"abc', 1, "this string has no end"],
  [String.raw`"a\b"`, 4, "only"],
  ['"ä"', 2, "printable ASCII"],
  [":abc", 1, "no : at their end"],
  [":a:", 1, "no base64"],
  ["?2", 2, "a boolean is ?0 or ?1"],
  ["@1.5", 5, "a date has no fraction"],
  ["%x", 2, "a display string begins"],
  ['%"%FF"', 3, "cannot be in a display string"],
  ['%"%ff"', 1, "no UTF-8"],
  ["1\t", 2, "a tab ends the value"],
])("%s is no list: column %i", (text, column, message) => {
  expect(parseList(text)).toEqual({ column, message: expect.stringContaining(message) as string });
});

test("any text is read or has a problem in it", () => {
  holds(
    fc.property(fc.string({ maxLength: 30 }), (text) => {
      for (const parse of [parseList, parseDictionary]) {
        const read = parse(text);
        const column = isSyntaxProblem(read) ? read.column : 1;
        expect(column).toBeGreaterThanOrEqual(1);
        expect(column).toBeLessThanOrEqual(text.length + 1);
      }
    }),
    1000,
  );
});
