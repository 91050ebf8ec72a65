// Runs that failed once are tried first, and a property that fails prints how to record its run.
import { existsSync, readFileSync } from "node:fs";
import { join } from "node:path";
import * as fc from "fast-check";
import { describe, expect, test } from "vitest";
import { listUnknownTests, RECORDED } from "./recorded-runs.ts";
import { holds, holdsLater, holdsUntil, inRuns } from "./runs.ts";

const root = join(import.meta.dirname, "..");

/** Not the ends of the range more often than others: two runs must not draw the same by a habit of the generator. */
const number = fc.noBias(fc.nat());

/** The inputs of all runs. */
function inputsOf(parameters: fc.Parameters<[number]>): readonly number[] {
  const drawn: number[] = [];
  const property = fc.property(number, (n) => {
    drawn.push(n);
  });
  fc.check(property, parameters);
  return drawn;
}

test("a recorded run is tried before the others", () => {
  const drawn: number[] = [];
  const property = fc.property(number, (n) => {
    drawn.push(n);
  });
  holds(property, 5);
  expect(drawn[0]).toBe(inputsOf({ seed: 7, numRuns: 4 })[3]);
  expect(drawn.length).toBeGreaterThan(1);
});

describe("a property", () => {
  test("whose answers come later has recorded runs too", async () => {
    const drawLater = async (): Promise<readonly number[]> => {
      const drawn: number[] = [];
      const property = fc.asyncProperty(number, (n) => {
        drawn.push(n);
        return Promise.resolve();
      });
      await holdsLater(property, 5);
      return drawn;
    };
    const first = await drawLater();
    const second = await drawLater();
    expect(second).toEqual([...inputsOf({ seed: 8, path: "2:0", numRuns: 1 }), ...first]);
    expect(second.length).toBeGreaterThan(first.length);
  });

  test("that draws until it has examined enough tries its recorded runs once", async () => {
    const drawn: number[] = [];
    const property = fc.property(number, (n) => {
      drawn.push(n);
    });
    await holdsUntil(2, () => (drawn.length - 1) / inRuns(5), property, 5);
    const [first, ...others] = drawn;
    expect(first).toBe(inputsOf({ seed: 2_000_007, numRuns: 2 })[1]);
    expect(others.slice(others.length / 2)).not.toContain(first);
  });

  test("that fails prints the entry that repeats its run", async () => {
    const isSmall = (n: number): boolean => n < 1_000;
    const entry = /to record this run, add to test\/recorded-runs\.ts: (\{.+\})$/;
    const messages = [
      messageOf(() => holds(fc.property(number, isSmall), 100)),
      await holdsLater(
        fc.asyncProperty(number, (n) => Promise.resolve(isSmall(n))),
        100,
      ).catch((error: Error) => error.message),
    ];
    for (const [index, message] of messages.entries()) {
      expect(message).toContain("Property failed after");
      const [, text = "null"] = entry.exec(message ?? "") ?? [];
      const recorded = JSON.parse(text) as (typeof RECORDED)[number] | null;
      expect(recorded?.test).toBe(
        `test/recorded-runs.test.ts > a property > that fails prints the entry that repeats its run${index === 0 ? "" : " (property 2)"}`,
      );
      expect(inputsOf({ seed: recorded!.seed, path: recorded!.path, numRuns: 1 })[0]).toBe(1_000);
    }
  });
});

function messageOf(run: () => void): string | null {
  try {
    run();
    return null;
  } catch (error) {
    return (error as Error).message;
  }
}

test("every recorded run names a test that is there", () => {
  const read = (file: string): string | null =>
    existsSync(join(root, file)) ? readFileSync(join(root, file), "utf8") : null;
  expect(listUnknownTests(RECORDED, read)).toEqual([]);
});

test.each([
  ["test/a.test.ts > one", []],
  ["test/a.test.ts > block > two of 5 (property 2)", []],
  ["test/a.test.ts > block > 4 by name", []],
  ["test/b.test.ts > one", ["there is no file test/b.test.ts"]],
  ["test/a.test.ts > on", ['test/a.test.ts has no test or block "on"']],
  ["test/a.test.ts > lost > one", ['test/a.test.ts has no test or block "lost"']],
  ["test/a.test.ts > anything", ['test/a.test.ts has no test or block "anything"']],
])("a test that is not there is found: %s", (name, problems) => {
  const text = `test("one", () => {}); describe("block", () => {
    test.each([5])("two of %d", () => {}); test.each([4])("%s", () => {}); test(\`\${n} by name\`, () => {});`;
  const read = (file: string): string | null => (file === "test/a.test.ts" ? text : null);
  expect(listUnknownTests([{ test: name, seed: 1, path: "0" }], read)).toEqual(
    problems.map((problem) => `${name}: ${problem}`),
  );
});
