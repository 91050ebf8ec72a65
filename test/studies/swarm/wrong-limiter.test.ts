// The whole command with a limiter that is known to be wrong: it is found, made small, kept, and shown again.
import { spawnSync } from "node:child_process";
import { readdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { parse } from "yaml";
import { sourceEntry } from "../../built.ts";
import { folderWith, quietEnvironment, weir, type CommandOutput } from "../../cli/weir.ts";

const preload = new URL("wrong-limiter.node.ts", import.meta.url).href;

/** Of the two of wrong-limiter-found.test.ts the one that more worlds show: the command does the same with each. */
const MUTANT = "algorithms/log-admits-one-more";

function wrongWeir(folder: string, args: readonly string[]): CommandOutput {
  const flags = ["--disable-warning=ExperimentalWarning", "--import", preload];
  const { status, stdout, stderr } = spawnSync(process.execPath, [...flags, sourceEntry, ...args], {
    cwd: folder,
    encoding: "utf8",
    env: { ...quietEnvironment, WEIR_TEST_MUTANT: MUTANT },
  });
  return { code: status, out: stdout, err: stderr };
}

interface Hunt {
  readonly output: CommandOutput;
  readonly seed: string; // of the first world that fails
  readonly files: Readonly<Record<string, string>>; // that it has left
}

let hunted: Hunt | null = null;

/** From the default seed on, until a world fails. */
function hunt(): Hunt {
  if (hunted !== null) return hunted;
  const folder = folderWith({});
  const output = wrongWeir(folder, ["run", "--swarm", "100", "--bail"]);
  const [, seed = ""] = /^FAIL seed (\d+),/m.exec(output.out) ?? [];
  const files = listSaved(folder).map((name) => `${REGRESSIONS}/${name}`);
  hunted = {
    output,
    seed,
    files: Object.fromEntries(
      files.map((file) => [file, readFileSync(join(folder, file), "utf8")]),
    ),
  };
  return hunted;
}

const REGRESSIONS = "scenarios/regressions";
const listSaved = (folder: string): readonly string[] =>
  readdirSync(join(folder, REGRESSIONS)).toSorted();

/** The world that fails alone. */
const failOnce = (folder: string, ...args: readonly string[]): CommandOutput =>
  wrongWeir(folder, ["run", "--swarm", "1", "--seed", hunt().seed, ...args]);

test("a world that fails is made small and saved, and fails again with the wrong limiter alone", async () => {
  const { output, files } = hunt();
  const { code, out, err } = output;
  const folder = folderWith(files);
  expect({ code, err }).toEqual({
    code: 1,
    err: expect.stringMatching(/^stopped after/) as unknown,
  });
  const [, left] = /^ {2}requests +(\d+) of \d+$/m.exec(out) ?? [];
  expect(Number(left)).toBeGreaterThan(0);
  expect(Number(left)).toBeLessThanOrEqual(10);

  const [name = ""] = listSaved(folder);
  const file = join(folder, "scenarios/regressions", name);
  const text = readFileSync(file, "utf8");
  expect(parse(text)).toMatchObject({
    id: `regressions/${name.replace(".yaml", "")}`,
    title: expect.any(String) as unknown,
    about: expect.stringContaining("of the swarm") as unknown,
    proves: expect.arrayContaining([expect.any(String)]) as unknown,
  });

  const [, command = ""] = /^ {2}again .*?(run .+)$/m.exec(out) ?? [];
  const again = command.split(" ");
  const wrong = wrongWeir(folder, again);
  const [, sentence = ""] = /^FAIL seed \d+, [^:]+: (.+)$/m.exec(out) ?? [];
  expect(wrong.code).toBe(1);
  expect(wrong.out).toContain(`fail: ${sentence}`);
  expect(await weir(folder, again)).toMatchObject({ code: 0 });
});

test("the swarm overwrites no file: neither one with the same failure nor one that a user changed", () => {
  const folder = folderWith(hunt().files);
  const [name = ""] = listSaved(folder);
  failOnce(folder);
  expect(listSaved(folder)).toEqual([name]);
  const file = join(folder, "scenarios/regressions", name);
  const mine = `# mine\n${readFileSync(file, "utf8")}`;
  writeFileSync(file, mine);
  failOnce(folder);
  expect(readFileSync(file, "utf8")).toBe(mine);
  expect(listSaved(folder)).toEqual([name.replace(".yaml", "-2.yaml"), name]);
});

test("a counterexample that is not saved is printed", () => {
  const empty = folderWith({});
  const unwanted = failOnce(empty, "--no-save");
  expect(unwanted.out).toMatch(/^ {2}not saved +--no-save$/m);
  expect(unwanted.out).toMatch(/^ {4}id: regressions\/[a-z]+-\d+$/m);
  expect(unwanted.out).toMatch(/^ {2}again +.* run --swarm 1 --seed \d+$/m);
  expect(readdirSync(empty)).toEqual([]);

  // Where it cannot be saved is known before the first world.
  const { code, out, err } = failOnce(folderWith({ scenarios: "this is no folder" }));
  expect({ code, out }).toEqual({ code: 2, out: "" });
  expect(err).toMatch(/^weir run: scenarios\/regressions.*; .+$/m);
});

test("the JSON document has the failures", () => {
  const { seed } = hunt();
  const from = ["run", "--swarm", "2", "--bail", "--seed", seed];
  const { code, out } = wrongWeir(folderWith({}), [...from, "--json", "--no-save"]);
  expect(code).toBe(1);
  const { failures, footer } = JSON.parse(out) as {
    readonly failures: readonly { readonly scenario: string; readonly file: string | null }[];
    readonly footer: object;
  };
  expect(failures).toHaveLength(1);
  expect(failures[0]).toMatchObject({
    expectation: "agrees with the specification",
    file: null,
    why: "--no-save",
    again: expect.stringMatching(/ run --swarm 1 --seed \d+$/) as unknown,
  });
  expect(footer).toMatchObject({ complete: false, failed: 1 });
});
