// Whatever a saved history has, reading it returns a value: a history that can be checked, or its first problem with
// the line.
import * as fc from "fast-check";
import { describe, expect, test } from "vitest";
import { checkVariant } from "#src/lab/check/run.ts";
import { readHistory } from "#src/lab/scenario/history/read.ts";
import { unknownFlowIn } from "#src/lab/scenario/flows.ts";
import { writeHistory } from "#src/lab/scenario/history/write.ts";
import { EXPECTED, NAME } from "#src/studies/swarm/as-scenario.ts";
import { KINDS } from "#src/studies/swarm/kinds.ts";
import { runWorld } from "../../studies/swarm/run-world.ts";
import { buildVariant } from "#src/studies/swarm/trial.ts";
import { countRuns, holds, holdsUntil, SEED } from "../../runs.ts";
import { ANY_CHARACTER } from "../../any-character.ts";

const frame = { id: NAME, title: "found", about: null, proves: ["LIM-1"], expect: EXPECTED };

/** Real histories, of worlds with many events, with the variant that checks them. */
const stored = fc.sample(KINDS.at(-1)!.worlds, { seed: SEED, numRuns: 20 }).map((raw) => ({
  variant: buildVariant(raw, frame),
  lines: [...writeHistory(runWorld(raw).history)].join("").trimEnd().split("\n"),
}));
const one = fc.constantFrom(...stored);

/** The problems of the reader's result, for any lines; and how far the reader came. */
function resultOf(lines: readonly string[]): {
  readonly wrong: readonly string[];
  readonly line: number;
  readonly history: ReturnType<typeof readHistory>["history"];
} {
  const { history, problems } = readHistory("run.ndjson", lines);
  const [problem] = problems;
  const found: readonly (readonly [boolean, string])[] = [
    [(history === null) === (problem !== undefined), "a history with a problem, or none without"],
    [
      problems.every(({ line }) => line >= 1 && line <= Math.max(1, lines.length)),
      "a line elsewhere",
    ],
    [problems.every(({ code }) => code.startsWith("HIST-")), "a code of something else"],
    [problems.every(({ message }) => message !== "" && message.length < 2_000), "no sentence"],
  ];
  return {
    wrong: found.filter(([holds]) => !holds).map(([, what]) => what),
    line: problem?.line ?? lines.length,
    history,
  };
}

interface ReadCounts {
  runs: number;
  pastHeader: number; // the reader came past the first line
  read: number;
}

/** Reads many histories, and counts how far the reader comes: a generator that fails at once would test only the start. */
function countReads(lines: fc.Arbitrary<readonly string[]>, runs: number): ReadCounts {
  const counts: ReadCounts = { runs: 0, pastHeader: 0, read: 0 };
  holds(
    fc.property(lines, (text) => {
      const { wrong, line, history } = resultOf(text);
      counts.runs += 1;
      counts.pastHeader += Number(line > 1);
      counts.read += Number(history !== null);
      expect(wrong).toEqual([]);
    }),
    runs,
  );
  return counts;
}

const numbers = fc.oneof(
  fc.constantFrom(
    "1e999",
    "-1e999",
    "null",
    "-1",
    "0",
    "65536",
    "4294967296",
    "9007199254740993",
    "1e21",
    "0.1",
    "-0",
  ),
  fc.integer().map(String),
  fc.double({ noNaN: true, noDefaultInfinity: true }).map(String),
);
const instead = fc.oneof(
  numbers,
  fc.constantFrom('"x"', "[]", "{}", "true", '"__proto__"', "[[[[]]]]", "1 2", ""),
);

describe("reading a history returns a value", () => {
  test("for random bytes", () => {
    const bytes = fc.uint8Array({ maxLength: 300 }).map((array) => new TextDecoder().decode(array));
    const { runs } = countReads(
      fc
        .oneof(bytes, fc.string({ unit: ANY_CHARACTER }), fc.json())
        .map((text) => text.split("\n")),
      200,
    );
    expect(runs).toBe(countRuns(200));
  });

  test("for one that is cut off anywhere", () => {
    const cut = fc.tuple(one, fc.integer({ min: 0, max: 999 })).map(([{ lines }, part]) => {
      const text = lines.join("\n");
      return text.slice(0, Math.floor((text.length * part) / 1000)).split("\n");
    });
    const { pastHeader, read } = countReads(cut, 300);
    expect(pastHeader).toBeGreaterThan(150);
    expect(read).toBeLessThan(20);
  });

  test("for lines that are left out, doubled or in another order", () => {
    const shuffled = fc.tuple(one, fc.nat(), fc.nat(), fc.nat(2)).map(([{ lines }, a, b, how]) => {
      const [from, to] = [a % lines.length, b % lines.length];
      const line = lines[from]!;
      if (how === 0) return lines.toSpliced(from, 1);
      if (how === 1) return lines.toSpliced(to, 0, line);
      return lines.toSpliced(from, 1).toSpliced(to, 0, line);
    });
    const { pastHeader, read } = countReads(shuffled, 400);
    expect(pastHeader).toBeGreaterThan(300);
    expect(read).toBeGreaterThan(10); // events may be in any order
  });

  test("for changed bytes", () => {
    const changed = fc
      .tuple(one, fc.nat(), fc.nat(12), fc.oneof(instead, fc.string({ maxLength: 3 })))
      .map(([{ lines }, at, length, text]) => {
        const all = lines.join("\n");
        const from = at % all.length;
        return (all.slice(0, from) + text + all.slice(from + length)).split("\n");
      });
    const { pastHeader } = countReads(changed, 600);
    expect(pastHeader).toBeGreaterThan(200);
  });

  test("for changed values, and a history that is read can be checked", async () => {
    let checked = 0;
    // The header is one line of many, and everything else is read by it.
    const places = fc.oneof(
      { weight: 1, arbitrary: fc.constant(0) },
      { weight: 3, arbitrary: fc.nat() },
    );
    const changedValues = fc
      .tuple(one, places, fc.nat(), instead)
      .map(([{ variant, lines }, at, which, text]) => {
        const index = at % lines.length;
        const values = [
          ...lines[index]!.matchAll(/(?<=:)(?:-?\d[\d.e+-]*|"[^"]*"|null)(?=[,}\]])/g),
        ];
        const value = values[which % Math.max(1, values.length)];
        const line =
          value === undefined
            ? lines[index]!
            : lines[index]!.slice(0, value.index) +
              text +
              lines[index]!.slice(value.index + value[0].length);
        return { variant, lines: lines.with(index, line) };
      });
    await holdsUntil(
      91,
      () => checked,
      fc.property(changedValues, ({ variant, lines }) => {
        const { wrong, history } = resultOf(lines);
        expect(wrong).toEqual([]);
        // A reader of a history for a scenario makes this test before it checks anything.
        if (history === null || unknownFlowIn(history, variant) !== null) return;
        const outcomes = checkVariant(variant, history).map(({ outcome }) => outcome);
        expect(outcomes).toHaveLength(EXPECTED.length);
        checked += 1;
      }),
      500,
    );
  });

  test("for JSON that is nested a hundred thousand times", () => {
    const [header = ""] = stored[0]!.lines;
    for (const deep of [
      "[".repeat(1e5) + "]".repeat(1e5),
      `${'{"a":'.repeat(1e5)}1${"}".repeat(1e5)}`,
    ]) {
      expect(resultOf([deep])).toMatchObject({ wrong: [], history: null, line: 1 });
      const inside = header.replace(/"axes":\{\}/, `"axes":{"a":${deep}}`);
      expect(inside).not.toBe(header);
      expect(resultOf([inside, ...stored[0]!.lines.slice(1)]).wrong).toEqual([]);
    }
  });
});
