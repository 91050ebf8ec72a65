// Whatever the length of a suite and the number of its failures, a run ends with its result on one screen.
import { expect, test } from "vitest";
import { progressLine } from "#src/cli/run-progress.ts";
import { FAILING, sample } from "./samples.ts";
import { folderWith, weir } from "./weir.ts";

const SCREEN = 50;

const suite = (count: number, expectOf: (n: number) => string | undefined): string =>
  folderWith(
    Object.fromEntries(
      Array.from({ length: count }, (_, n) => {
        const id = `${["limits", "endpoints", "fleet"][n % 3]!}/scenario-${n}`;
        const expected = expectOf(n);
        const more = expected === undefined ? {} : { expect: expected };
        return [`scenarios/${id}.yaml`, sample(id, more)];
      }),
    ),
  );

const linesOf = (text: string): readonly string[] => text.trimEnd().split("\n");

test("a suite that passes is a table of folders, and --list prints each scenario", async () => {
  const folder = suite(24, () => undefined);
  const { out, err, code } = await weir(folder, ["run"]);
  expect(code).toBe(0);
  // No progress in a pipe.
  expect(err).toMatch(
    /^running 24 scenarios with seed 1\n\S+ s of traffic in \S+ s(, \d+x real time)?\n$/,
  );
  expect(linesOf(out).map((line) => line.trim().split(/ {2,}/))).toEqual([
    [
      "All 24 variants of 24 scenarios pass: all 24 expectations hold, with 144 requests, 24 of them refused.",
    ],
    [""],
    ["scenarios", "variants", "requests", "admitted", "refused", "rejected", "folder"],
    ...["endpoints/", "fleet/", "limits/"].map((name) => [
      "pass",
      "8",
      "8",
      "48",
      "40",
      "8",
      "0",
      name,
    ]),
    ["pass", "24", "24", "144", "120", "24", "0", "all 3 folders"],
    [""],
    ["1 requirement of the specification holds; --verbose lists it"],
    [""],
    ["seed 1"],
    [""],
    ["24 passed, 0 failed, 0 skipped"],
  ]);
  const listed = linesOf((await weir(folder, ["run", "--list"])).out);
  expect(listed.filter((line) => /^pass \w+\/scenario-\d+ /.test(line))).toHaveLength(24);
});

test("failures come first with what differs, then folders, and the counts are last", async () => {
  const { out, err, code } = await weir(
    suite(120, (n) => (n % 2 === 0 ? FAILING : undefined)),
    ["run"],
  );
  expect(code).toBe(1);
  const lines = linesOf(out);
  expect(lines.length + linesOf(err).length).toBeLessThan(SCREEN);
  const at = (text: string): number => lines.findIndex((line) => line.includes(text));
  const order = ["FAIL ", "expected  6*200", "58 more variants do not pass", "  folder", "all 3"];
  expect(order.map(at)).toEqual(order.map(at).toSorted((a, b) => a - b));
  // The verdict, two causes, and an empty line.
  expect(lines[0]).toBe("60 of 120 variants of 120 scenarios fail.");
  expect(at("FAIL ")).toBe(4);
  expect(lines.at(-1)).toBe("60 passed, 60 failed, 0 skipped");
  // Wider, and a terminal of 80 columns would break each line.
  const widths = lines.slice(at("  folder")).map(({ length }) => length);
  expect(Math.max(...widths) + "policy-merge".length - "endpoints".length).toBeLessThanOrEqual(80);
  expect(out.match(/^FAIL /gm)).toHaveLength(2);
  expect(out).toContain("... 58 scenarios in all");
});

test("progress has rate and remaining time as soon as these are known", () => {
  const names = "limits/one";
  expect(progressLine({ done: 1, of: 9, failed: 0, elapsedMs: 90, names })).toBe(
    "1 of 9: limits/one",
  );
  expect(progressLine({ done: 30, of: 90, failed: 2, elapsedMs: 4_000, names })).toBe(
    "30 of 90, 2 failed, 7.5 per second, 8 s left: limits/one",
  );
});
