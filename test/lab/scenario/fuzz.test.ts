// Whatever a file has, reading it returns a value: a scenario, or problems with their positions.
import * as fc from "fast-check";
import { expect, test } from "vitest";
import { decode } from "#src/lab/scenario/read/decode.ts";
import { plan } from "#src/lab/scenario/plan/plan.ts";
import { formatScenario } from "#src/studies/swarm/as-scenario.ts";
import { KINDS } from "#src/studies/swarm/kinds.ts";
import { fileOf, MERGE, RAMP, SMALL } from "./examples.ts";
import { holds, holdsUntil } from "../../runs.ts";
import { ANY_CHARACTER } from "../../any-character.ts";

/** The problems of the decoder's result, for any text. */
function problemsOfResult(text: string): readonly string[] {
  const { scenario, problems } = decode(fileOf(text), text);
  const errors = problems.filter(({ severity }) => severity === "error");
  const places = problems.map(({ line, column }) => line * 1e6 + column);
  const lines = text.split(/\r?\n|\r/).length + 1;
  const found: readonly (readonly [boolean, string])[] = [
    [(scenario === null) === errors.length > 0, "a scenario with errors, or none without"],
    [
      problems.every(({ line, column }) => line >= 1 && line <= lines && column >= 1),
      "a place outside the file",
    ],
    [problems.every(({ message }) => message !== ""), "a problem without a sentence"],
    [places.every((place, index) => place >= (places[index - 1] ?? 0)), "problems out of order"],
  ];
  return found.filter(([holds]) => !holds).map(([, what]) => what);
}

const files = fc.constantFrom(SMALL, MERGE, RAMP);
const bytes = fc.uint8Array({ maxLength: 400 }).map((array) => new TextDecoder().decode(array));
const marks = fc
  .array(
    fc.constantFrom(
      "- ",
      "? ",
      ": ",
      "[",
      "]",
      "{",
      "}",
      "\n",
      "  ",
      "a",
      "$a",
      "&a ",
      "*a",
      "!t ",
      "|\n",
      "#",
      '"',
      "'",
      ",",
      "%",
      "<<",
      "id",
      "0",
      "\t",
    ),
    { maxLength: 60 },
  )
  .map((all) => all.join(""));

test("random bytes are reported as problems, not thrown", () => {
  holds(
    fc.property(fc.oneof(bytes, marks, fc.string({ unit: ANY_CHARACTER })), (text) => {
      expect(problemsOfResult(text)).toEqual([]);
    }),
    400,
  );
});

test("a valid file with a piece replaced is read or reported", () => {
  const edit = fc.record({
    file: files,
    from: fc.nat(1400),
    length: fc.nat(30),
    instead: fc.oneof(
      marks,
      bytes,
      fc.constantFrom("null", "[]", "{}", "-1", "1e999", ".nan", "$order", "__proto__: 1"),
    ),
  });
  holds(
    fc.property(edit, ({ file, from, length, instead }) => {
      expect(problemsOfResult(file.slice(0, from) + instead + file.slice(from + length))).toEqual(
        [],
      );
    }),
    600,
  );
});

test("a valid file with a value replaced by any other is read or reported", () => {
  const values = fc.oneof(
    fc.jsonValue({ maxDepth: 3 }),
    fc.constantFrom<unknown>("$climb", "10s", "5*200", { equals: 1 }, { flow: "x" }),
  );
  const places = [...`${SMALL}${RAMP}`.matchAll(/(?<=: )[^\n{}[\],]+/g)].map(([text]) => text);
  holds(
    fc.property(files, fc.constantFrom(...places), values, (file, place, value) => {
      expect(problemsOfResult(file.replace(place, () => JSON.stringify(value)))).toEqual([]);
    }),
    600,
  );
});

test("a file that is read can be planned", () => {
  const digits = fc.record({
    file: files,
    digit: fc.nat(40),
    value: fc.constantFrom("0", "3", "2000", "0.000001", "-1"),
  });
  holds(
    fc.property(digits, ({ file, digit, value }) => {
      let seen = 0;
      const changed = file.replace(/\d+/g, (number) => (seen++ === digit ? value : number));
      const variants = decode(fileOf(changed), changed).scenario?.variants ?? [];
      const plans = variants.map((variant) => plan(variant, "limits/small", 1));
      expect(
        plans.filter(({ atUs }) => atUs.some((us) => !Number.isInteger(us) || us < 0)),
      ).toEqual([]);
    }),
    200,
  );
});

test("a generated scenario with lines changed is read or reported, and most are valid YAML", async () => {
  const worlds = KINDS.at(-1)!.worlds.map((raw) => formatScenario(raw).split("\n"));
  const values = fc.oneof(
    fc.constantFrom("null", "[]", "{}", "-1", "1e999", "[[[]]]", "{ a: { b: 1 } }", "__proto__"),
    fc.jsonValue({ maxDepth: 2 }).map((value) => JSON.stringify(value)),
  );
  const changed = fc.tuple(worlds, fc.nat(), fc.nat(3), values).map(([lines, at, how, value]) => {
    const index = at % lines.length;
    const line = lines[index]!;
    if (how === 0) return lines.toSpliced(index, 1);
    if (how === 1) return lines.toSpliced(index, 0, line);
    return lines.with(
      index,
      line.replace(/(?<=: )[^{}[\],]+/, () => value),
    );
  });
  const counts = { parsed: 0, read: 0 };
  await holdsUntil(
    1,
    () => Number(counts.parsed > 50 && counts.read > 10),
    fc.property(changed, (lines) => {
      const text = lines.join("\n");
      const { scenario: read, problems } = decode(fileOf(text), text);
      counts.parsed += Number(!problems.some(({ code }) => code === "SCN-YAML"));
      counts.read += Number(read !== null);
      expect(problemsOfResult(text)).toEqual([]);
    }),
    100,
  );
});

test("collections that are nested too deep are reported", () => {
  for (const deep of [
    `world: ${"[".repeat(5_000)}${"]".repeat(5_000)}`,
    `world: ${"{ a: ".repeat(5_000)}1${" }".repeat(5_000)}`,
    `world:\n${"- ".repeat(5_000)}1`,
  ]) {
    const text = `id: limits/small\n${deep}\n`;
    expect(problemsOfResult(text)).toEqual([]);
    expect(decode(fileOf(text), text).scenario).toBeNull();
  }
});
