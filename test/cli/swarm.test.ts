import { describe, expect, test } from "vitest";
import { trySeed } from "#src/studies/swarm/try-seed.ts";
import { digest } from "#src/lab/scenario/history/digest.node.ts";
import { folderWith, weir } from "./weir.ts";

const lines = (text: string): readonly string[] => text.trimEnd().split("\n");

/** The first world that leaves too many of its decisions open; one in five does. */
function seedOfOpenWorld(): number {
  for (let seed = 1; seed <= 100; seed++)
    if (trySeed(seed, digest).verdicts.some(({ outcome }) => outcome === "inconclusive"))
      return seed;
  throw new Error("none of 100 worlds leaves too many decisions open");
}

describe("weir run --swarm", () => {
  test("runs that many worlds and prints what was checked", async () => {
    const { code, out } = await weir(folderWith({}), ["run", "--swarm", "12"]);
    expect(lines(out)[0]).toBe("seeds 1 to 12");
    expect(lines(out)[1]).toMatch(
      /^\d+ requests, \d+ refused, \d+ rejected, \d+ lost, histories [0-9a-f]{16}$/,
    );
    expect(lines(out)[2]).toMatch(/^\d+ of \d+ compared decisions are open \(\d+\.\d %\)$/);
    expect(lines(out)[3]).toBe("  passed  vacuous  inconclusive");
    const agreeing = lines(out).find((line) => line.endsWith("  agrees with the specification"));
    const [passed, ...unproven] = (agreeing?.match(/\d+/g) ?? []).map(Number);
    const skipped = unproven.reduce((sum, each) => sum + each, 0);
    expect(passed! + skipped).toBe(12);
    expect(lines(out).at(-1)).toBe(`${passed} passed, 0 failed, ${skipped} skipped`);
    expect(code).toBe(0);
  });

  test("counts a world that leaves too many decisions open as skipped, and proves nothing by it", async () => {
    const args = ["run", "--swarm", "1", "--seed", String(seedOfOpenWorld())];
    const { code, out } = await weir(folderWith({}), args);
    expect(lines(out).slice(-2)).toEqual([
      "skipped: 1 inconclusive world (too many decisions are open)",
      "0 passed, 0 failed, 1 skipped",
    ]);
    expect(code).toBe(5);
    expect(JSON.parse((await weir(folderWith({}), [...args, "--json"])).out)).toMatchObject({
      inconclusive: { "agrees with the specification": 1 },
      footer: { passed: 0, failed: 0, skipped: 1, inconclusive: 1, vacuous: 0 },
    });
  });

  test("is the same for the same seeds, and another for others, as a document too", async () => {
    const document = async (
      ...args: readonly string[]
    ): Promise<{ readonly histories: string }> => {
      const { code, out } = await weir(folderWith({}), ["run", "--swarm", "3", "--json", ...args]);
      expect(code).toBe(0);
      return JSON.parse(out) as { readonly histories: string };
    };
    const first = await document("--seed", "40");
    expect(first).toMatchObject({
      format: "weir-swarm/2",
      seed: 40,
      worlds: 3,
      failures: [],
      decisions: { compared: expect.any(Number) as unknown, open: expect.any(Number) as unknown },
      proved: { "each planned request is in the history, with its response or as lost": 3 },
      footer: { complete: true, failed: 0 },
    });
    expect(await document("--seed", "40")).toEqual(first);
    expect((await document("--seed", "41")).histories).not.toBe(first.histories);
  });

  test.each<[string, readonly string[]]>([
    ['--swarm must be an integer from 1 to 1000000; got "0"', ["--swarm", "0"]],
    ['--swarm must be an integer from 1 to 1000000; got "x"', ["--swarm", "x"]],
    ['--swarm must be an integer from 1 to 1000000; got "1.5"', ["--swarm", "1.5"]],
    ['--swarm must be an integer from 1 to 1000000; got "1000001"', ["--swarm", "1000001"]],
    ["--swarm needs a value: --swarm N", ["--swarm"]],
    [
      "--swarm generates its scenarios, so it takes no path such as scenarios",
      ["--swarm", "5", "scenarios"],
    ],
    ["--swarm cannot be combined with --only", ["--swarm", "5", "--only", "LIM-1"]],
    ["--swarm cannot be combined with --history", ["--swarm", "5", "--history", "runs"]],
    ["--swarm cannot be combined with --watch", ["--swarm", "5", "--watch"]],
    ["--swarm cannot be combined with --driver", ["--swarm", "5", "--driver", "embedded"]],
    ["--swarm cannot be combined with --store", ["--swarm", "5", "--store", "redis://127.0.0.1"]],
    [
      "--seed 9007199254740991 is too large for 5 seeds; choose a smaller one",
      ["--swarm", "5", "--seed", "9007199254740991"],
    ],
    ["--no-save needs --swarm N", ["--no-save"]],
  ])("%s", async (sentence, args) => {
    const { code, out, err } = await weir(folderWith({}), ["run", ...args]);
    expect(lines(err)).toEqual([`weir run: ${sentence}`, "weir run --help lists its flags"]);
    expect([code, out]).toEqual([2, ""]);
  });
});

test("a regression file that can no longer be read is named", async () => {
  const file = "scenarios/regressions/bounds-7.yaml";
  const folder = folderWith({ [file]: "id: regressions/bounds-7\ntitle: [\n" });
  const { code, err } = await weir(folder, ["run"]);
  expect(code).toBe(2);
  expect(err).toMatch(new RegExp(`^${file}:\\d+:\\d+ error SCN-YAML `));
});
