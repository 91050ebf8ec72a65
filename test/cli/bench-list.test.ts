import { readFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { TINY_SUITE as SUITE } from "./tiny-suite.ts";
import { folderWith, weir, type CommandOutput } from "./weir.ts";

const list = (
  args: readonly string[],
  files: Readonly<Record<string, string>> = {},
): Promise<CommandOutput> => weir(folderWith(files), ["bench", ...args, "--list"]);

test("--list shows what there is and how long it takes, and starts nothing", async () => {
  const { code, out, err } = await list(["tiny.yaml"], { "tiny.yaml": SUITE });
  expect([code, err]).toEqual([0, ""]);
  expect(out).toMatch(
    /^tiny {2}Two cells \(2 cells, 0 controls, 2 repeats: about \d+ s\)\n {2}base\n {2}demand=2\n$/,
  );
});

test("--list with --only reads the suite that would run, and no other", async () => {
  const { code, out, err } = await list(["--only", "algorithm=gcra"]);
  expect([code, err]).toEqual([0, ""]);
  expect(out).toMatch(/^gateway .*\(1 cell, 4 controls, .*\)\n {2}algorithm=gcra\n/);
  expect(out).not.toContain("redis");
});

test.each([
  [
    ["gateway", "--only", "base", "--control", "bare-proxy-redis"],
    "the control bare-proxy-redis needs a cell with store=redis",
  ],
  [["core", "--control", "nginx"], "--control is for suites of gateways under load"],
  [["gateway", "--only", "bsae"], "there is no cell bsae; did you mean base?"],
])("--list of %j is one sentence of weir", async (args, sentence) => {
  expect(await list(args)).toEqual({ code: 2, out: "", err: `weir bench: ${sentence}\n` });
});

const page = readFileSync(join(import.meta.dirname, "../../docs/serve/benchmarking.md"), "utf8");

test("the page on benchmarking shows the output of --list", async () => {
  const [, shown] = /^\$ weir bench redis --list\n([\s\S]*?)^```$/m.exec(page) ?? [];
  const { out } = await list(["redis"]);
  expect(out).toBe(shown);
});

test("the suite on the page on benchmarking is one", async () => {
  const [, text = ""] = /^```yaml\n([\s\S]*?)^```$/m.exec(page) ?? [];
  const { code, out } = await list(["mine.yaml"], { "mine.yaml": text });
  expect(code).toBe(0);
  expect(out).toMatch(/^mine {2}Logs under pressure \(5 cells, 2 controls, 10 repeats: /);
});
