// The command, in this process: only a test that interrupts it starts another one.
import { spawn } from "node:child_process";
import { once } from "node:events";
import { existsSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, onTestFinished, test } from "vitest";
import { COMMANDS } from "#src/cli/commands.ts";
import { pareto } from "#src/cli/pareto.node.ts";
import { parseArguments } from "#src/cli/parse-arguments.node.ts";
import type { ParetoCellResult, ParetoResult } from "#src/studies/pareto/result.ts";
import { requireValue } from "#src/kit/reading/failure.ts";
import { entry } from "../built.ts";
import { Ajv2020 } from "ajv/dist/2020.js";
import { SCHEMAS } from "#src/cli/schema.node.ts";
import { folderWith, plainTerminal, quietEnvironment, type CommandOutput } from "./weir.ts";

const command = COMMANDS.find(({ name }) => name === "pareto")!;

async function runPareto(...args: readonly string[]): Promise<CommandOutput> {
  const [out, err]: [string[], string[]] = [[], []];
  const refuse = (sentence: string): 2 => {
    err.push(sentence);
    return 2;
  };
  const parsed = requireValue(parseArguments(command, args));
  const code = await pareto(parsed, plainTerminal(out, err), refuse);
  return { code, out: out.join("\n"), err: err.join("\n") };
}

const SMALL = ["--quick", "--traffic", "edges", "--gateways", "3"] as const;
const read = (file: string): ParetoResult => JSON.parse(readFileSync(file, "utf8")) as ParetoResult;

test("shards that are merged, and a run that is resumed, are the bytes of the whole", async () => {
  const folder = folderWith({});
  const file = (name: string): string => join(folder, name);
  const { code, out } = await runPareto(...SMALL, "--json");
  expect(code).toBe(0);
  const whole = JSON.parse(out) as ParetoResult;
  const fits = new Ajv2020({ allowUnionTypes: true }).compile(SCHEMAS["pareto"]!() as object);
  expect(fits(whole) ? [] : fits.errors).toEqual([]);
  expect(whole).toMatchObject({
    format: "weir-pareto/1",
    seed: 1,
    argv: ["pareto", "--quick", "--traffic", "edges", "--gateways", "3", "--seed", "1"],
    footer: { cells: 12, of: 12, complete: true },
  });

  for (const part of ["1", "2"])
    expect(await runPareto(...SMALL, "--shard", `${part}/2`, "-o", file(part))).toMatchObject({
      code: 0,
    });
  const merged = await runPareto("--merge", file("1"), file("2"), "--json", "-o", file("merged"));
  expect(merged).toEqual({ code: 0, out, err: "" });
  expect(readFileSync(file("merged"), "utf8")).toBe(`${out}\n`);

  const cells = whole.cells.slice(4, 9);
  const footer = { cells: cells.length, of: 12, complete: false };
  writeFileSync(file("broken-off"), JSON.stringify({ ...whole, cells, footer }));
  const resumed = await runPareto("--resume", file("broken-off"), "--json");
  expect(resumed).toMatchObject({ code: 0, out });
  expect(resumed.err).toMatch(/^7 cells /);
  expect(readFileSync(file("broken-off"), "utf8")).toBe(`${out}\n`);

  const alone = await runPareto("--merge", file("1"));
  expect(alone).toMatchObject({ code: 2, out: "" });
  expect(alone.err.split("\n")).toHaveLength(6);
  expect(alone.err).toContain('"sliding_log, edges, 3 gateways" is in no part');

  writeFileSync(file("older"), JSON.stringify({ ...whole, cells, footer, commit: "c0ffee" }));
  const older = await runPareto("--resume", file("older"));
  expect(older).toMatchObject({ code: 2, out: "" });
  expect(older.err).toContain("was run by commit c0ffee, and this is ");
  expect(await runPareto("--merge", file("1"), file("older"))).toMatchObject({ code: 2, out: "" });
});

test("tables, Markdown and a page show the same", async () => {
  const folder = folderWith({});
  const [saved, page] = [join(folder, "kept.json"), join(folder, "pages/page.html")];
  const text = await runPareto(...SMALL, "-o", saved, "--html", page);
  expect(text.out).toMatch(/^3 gateways$/m);
  const line = text.out.split("\n").find((one) => one.includes("sliding_window_counter"))!;
  const drawn = readFileSync(page, "utf8");
  expect(drawn.match(/<svg role="img"/g)?.length).toBe(1);
  const { out } = await runPareto("--merge", saved, "--markdown");
  const cells = line.replace("*", "").trim().split(/ {2,}/);
  expect(out.replaceAll("★", "").replaceAll(/ +/g, " ")).toContain(`| | ${cells.join(" | ")} |`);
  expect(drawn.includes(cells.map((cell) => `<td>${cell}`).join(""))).toBe(true);
  const again = await runPareto(...SMALL, "-o", saved);
  expect(again).toMatchObject({ code: 2, out: "" });
  expect(again.err).toBe(`${saved} already exists; --resume ${saved} continues it`);
});

test("a file that cannot be written is reported before anything runs", async () => {
  const { code, out, err } = await runPareto(
    ...SMALL,
    "-o",
    join(import.meta.filename, "kept.json"),
  );
  expect({ code, out }).toEqual({ code: 2, out: "" });
  expect(err).toBe(`weir pareto: ${import.meta.filename}: a file of this name exists already`);
});

test("known answers come with the parameter that was fitted", async () => {
  const { code, out } = await runPareto("--verify");
  expect(code).toBe(0);
  expect(out).not.toContain("FAILS");
  expect(out).toMatch(/at a load of [\d.]+ times the limit/);
});

test.each([
  [["--merge"], "--merge needs the parts"],
  [["part.json"], '"part.json" is no flag; merge parts with --merge'],
  [["--merge", "missing.json"], "missing.json: there is no such file or folder"],
  [["--merge", import.meta.filename], "pareto.test.ts: this is no JSON"],
  [["--resume", "missing.json"], "missing.json: there is no such file or folder"],
  [["--resume", "a.json", "--seed", "2"], "--seed cannot be combined with --resume"],
  [["--resume", "a.json", "--verify"], "--verify and --resume exclude each other; remove one"],
  [["--merge", "a.json", "--quick"], "--quick cannot be combined with --merge"],
  [["--shard", "0/5"], '--shard must be a part, such as 2/5 for the second of five; got "0/5"'],
  [["--shard", "6/5"], 'got "6/5"'],
  [["--shard", "half"], 'got "half"'],
  [["--traffic", "uniform,burst"], 'there is no traffic "burst"; did you mean bursty?'],
  [["--traffic", ""], 'there is no traffic ""'],
  [["--gateways", "2"], '--gateways must be among 1, 3, 10; got "2"'],
  [["--seed", "x"], "--seed must be an integer"],
] as const)("%j is refused in words", async (args, why) => {
  const { code, out, err } = await runPareto(...args);
  expect({ code, out }).toEqual({ code: 2, out: "" });
  expect(err).toContain(why);
});

test.each(["SIGINT", "SIGTERM"] as const)("%s keeps what is there", async (signal) => {
  const folder = folderWith({});
  const args = [entry(), "pareto", "-o", "kept.json"];
  const child = spawn(process.execPath, args, { cwd: folder, env: quietEnvironment });
  onTestFinished(() => void child.kill("SIGKILL"));
  let err = "";
  child.stderr.setEncoding("utf8").on("data", (text: string) => (err += text));
  child.stdout.resume();
  await once(child.stderr, "data");
  child.kill(signal);
  expect(await once(child, "close")).toEqual([130, null]);
  expect(err).toMatch(
    /interrupted after \d+ of 252 cells; \S+ \S*weir\.node\.js pareto --resume kept\.json continues it/,
  );
  expect(existsSync(join(folder, "kept.json"))).toBe(true);
  const { footer, cells } = read(join(folder, "kept.json"));
  expect(footer).toEqual({ cells: cells.length, of: 252, complete: false });
  expect(cells.every(({ runs }: ParetoCellResult) => runs.length === 10)).toBe(true);
});
