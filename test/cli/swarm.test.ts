import { describe, expect, test } from "vitest";
import { folderWith, weir } from "./weir.ts";

const lines = (text: string): readonly string[] => text.trimEnd().split("\n");

describe("weir run --swarm", () => {
  test("runs that many worlds and prints what was checked", async () => {
    const { code, out } = await weir(folderWith({}), ["run", "--swarm", "12"]);
    expect(lines(out)[0]).toBe("seeds 1 to 12");
    expect(lines(out)[1]).toMatch(
      /^\d+ requests, \d+ refused, \d+ rejected, histories [0-9a-f]{16}$/,
    );
    expect(lines(out)[2]).toMatch(/^ +12 agrees with the specification$/);
    expect(lines(out).at(-1)).toBe("12 passed, 0 failed, 0 skipped");
    expect(code).toBe(0);
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
      footer: { complete: true, passed: 3, failed: 0, skipped: 0 },
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
    ["--swarm does not go with --only", ["--swarm", "5", "--only", "LIM-1"]],
    ["--swarm does not go with --history", ["--swarm", "5", "--history", "runs"]],
    ["--swarm does not go with --watch", ["--swarm", "5", "--watch"]],
    ["--swarm does not go with --driver", ["--swarm", "5", "--driver", "embedded"]],
    ["--swarm does not go with --store", ["--swarm", "5", "--store", "redis://127.0.0.1"]],
    [
      "--seed 9007199254740991 leaves no room for 5 seeds",
      ["--swarm", "5", "--seed", "9007199254740991"],
    ],
    ["--no-save goes with --swarm", ["--no-save"]],
  ])("%s", async (sentence, args) => {
    const { code, out, err } = await weir(folderWith({}), ["run", ...args]);
    expect(lines(err)).toEqual([`weir: ${sentence}`, "weir run --help lists its flags"]);
    expect([code, out]).toEqual([2, ""]);
  });
});

test("a regression file that can no longer be read is named", async () => {
  const file = "scenarios/regressions/bounds-7.yaml";
  const folder = folderWith({ [file]: "id: regressions/bounds-7\ntitle: [\n" });
  const { code, err } = await weir(folder, ["run"]);
  expect(code).toBe(2);
  expect(err).toMatch(new RegExp(`^${file}:\\d+:\\d+ SCN-YAML `));
});
