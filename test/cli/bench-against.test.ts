// weir bench --against with real processes: as few and as short as there can be.
import { spawn } from "node:child_process";
import { once } from "node:events";
import { existsSync, readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { expect, onTestFinished, test, vi } from "vitest";
import { AGAINST_FORMAT, type AgainstResult } from "#src/studies/bench/against/result.ts";
import { EXIT } from "#src/cli/exit.ts";
import { readOutput } from "./output.ts";
import { TINY_SUITE } from "./tiny-suite.ts";
import { entry } from "../built.ts";
import { folderWith, quietEnvironment, weir, weirProcess } from "./weir.ts";

const ROOT = join(import.meta.dirname, "../..");
const SUITE = `${TINY_SUITE}gates: [{ cell: base, metric: rss }]
`;
const FILES = {
  "tiny.yaml": SUITE,
  "ungated.yaml": SUITE.replace("id: tiny", "id: ungated").replace(/gates: .*\n/, ""),
  "other/package.json": JSON.stringify({ name: "other" }),
  "empty/package.json": JSON.stringify({ name: "weir", version: "0.0.1" }),
  "broken/package.json": JSON.stringify({ name: "weir", version: "0.0.1" }),
  "broken/src/cli/weir.node.ts": "throw new Error('this one is broken');\n",
  "dying/package.json": JSON.stringify({ name: "weir", version: "0.0.1" }),
  "dying/dist/cli/weir.node.js":
    "if (process.argv[2] !== 'version') { console.error('no such setting: records'); process.exit(2); }\n",
};
const CAPACITY = ["--capacity", "400"];

const resultIn = (folder: string): AgainstResult =>
  JSON.parse(readFileSync(join(folder, "out.json"), "utf8")) as AgainstResult;

test("pairs of fresh processes are measured in turns, compared and saved", () => {
  const folder = folderWith(FILES);
  const args = ["bench", "tiny.yaml", "--against", ROOT, "--pairs", "6", "--min-effect", "90%"];
  const { code, out, err } = weirProcess(folder, [...args, ...CAPACITY, "--out", "out.json"]);
  // One tree against itself; of its memory no process takes half or twice of another's.
  expect({ code, err }).toEqual({
    code: EXIT.passed,
    err: expect.stringContaining("saved: out.json"),
  });
  expect(out).toMatch(/^same +base rss /m);
  expect(out.split("\n")[0]).toMatch(
    /^No difference was found; |^Nothing has changed by |^This version is /,
  );
  expect(out).toMatch(
    /^A change of \S+ % would have been found 95 times of 100, |^\d+ pairs could have /m,
  );
  const result = resultIn(folder);
  expect(result).toMatchObject({
    format: AGAINST_FORMAT,
    word: "same",
    pairs: 6,
    ended: "all pairs",
    base: { path: ROOT, form: "dist" },
    head: { path: ROOT, form: "dist" },
    footer: { repeats: 6 * 2 * 3, errors: 0 },
  });
  // A process of its own for each side of each pair, and neighbours in each round.
  expect(new Set(result.repeats.map(({ start }) => start)).size).toBe(12);
  for (let at = 0; at < result.repeats.length; at += 2) {
    const [one, other] = [result.repeats[at]!, result.repeats[at + 1]!];
    expect([one.pair, one.round, one.turn]).toEqual([other.pair, other.round, 0]);
    expect(new Set([one.side, other.side])).toEqual(new Set(["base", "head"]));
    expect(one.isWarmUp).toBe(one.round === 0);
    expect(one.gatewayCpuUs).toBeGreaterThan(0);
  }
  const first = result.repeats.filter(({ turn }) => turn === 0);
  expect(new Set(first.map(({ side }) => side)).size).toBe(2); // the order is drawn
});

test.each([
  [["tiny.yaml", "--against", "none"], "--against none: there is no such folder"],
  [["tiny.yaml", "--against", "other"], "--against other: this is not Weir"],
  [["tiny.yaml", "--against", "empty"], "--against empty: it does not build: "],
  [["tiny.yaml", "--against", "broken"], "--against broken: it does not start: "],
  [["tiny.yaml", "--against", ".", "--pairs", "5"], "1 gate needs at least 6; write --pairs 6"],
  [["tiny.yaml", "--against", ".", "--until", "5"], "--until must be a share"],
  [["tiny.yaml", "--against", ".", "--until", "5%", "--pairs", "12"], "a multiple of 8"],
  [
    ["tiny.yaml", "--against", ".", "--until", "2%"],
    "--until 2% is smaller than --min-effect; set --min-effect 2% too",
  ],
  [["tiny.yaml", "--against", ".", "--html", "a.html"], "--html is not for --against"],
  [["tiny.yaml", "--against", ".", "--quick"], "--quick is not for --against"],
  [["tiny.yaml", "--until", "5%"], "--until needs --against PATH"],
  [["ungated.yaml", "--against", "."], "ungated has no gate among these cells"],
])("bench %j is bad input: %s", async (args, sentence) => {
  const { code, out, err } = await weir(folderWith(FILES), ["bench", ...args]);
  expect({ code, out }).toEqual({ code: EXIT.usage, out: "" });
  expect(err).toContain(sentence);
});

test("a version that does not serve is named, with what it printed", () => {
  const folder = folderWith(FILES);
  const args = ["bench", "tiny.yaml", "--against", "dying", ...CAPACITY, "--out", "out.json"];
  const { code, err } = weirProcess(folder, args);
  expect(code).toBe(EXIT.unreachable);
  expect(err).toContain(
    "the gateway of base (the version to compare with) has ended with code 2: no such setting: records",
  );
  expect(resultIn(folder)).toMatchObject({ ended: "gone", word: "unclear", pairs: 0 });
});

test("an interrupted run keeps the pairs that it has", async () => {
  const folder = folderWith(FILES);
  const args = ["bench", "tiny.yaml", "--against", ROOT, "--pairs", "500", ...CAPACITY];
  const child = spawn(process.execPath, [entry(), ...args, "--out", "out.json"], {
    cwd: folder,
    env: { ...quietEnvironment, TMPDIR: folder },
  });
  onTestFinished(() => void child.kill("SIGKILL"));
  const closed = once(child, "close");
  const err = readOutput([child.stdout, child.stderr], closed);
  // The file of a run that has not ended.
  const samples = join(folder, "out.ndjson.part");
  const countSaved = (): number =>
    existsSync(samples) ? readFileSync(samples, "utf8").split('"what":"repeat"').length - 1 : 0;
  await vi.waitUntil(() => child.exitCode !== null || countSaved() >= 7, { timeout: 50_000 });
  expect(`${child.exitCode}: ${err.text()}`).toMatch(/^null: /);
  child.kill("SIGINT");
  const [code] = await closed;
  expect(code).toBe(EXIT.interrupted);
  const result = resultIn(folder);
  expect(result).toMatchObject({ ended: "interrupted", stopped: "it was interrupted" });
  expect(result.pairs).toBeGreaterThanOrEqual(1);
  expect(result.footer.repeats).toBe(result.repeats.length);
  expect(result.repeats.length).toBeGreaterThanOrEqual(6);
  // Also of gateways that were starting.
  expect(readdirSync(folder).filter((name) => name.startsWith("weir-run-"))).toEqual([]);
});
