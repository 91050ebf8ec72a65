// The whole command with a limiter that is known to be wrong: it is found, made small, kept, and shown again.
import { spawnSync } from "node:child_process";
import { readdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { parse } from "yaml";
import { sourceEntry } from "../../built.ts";
import { folderWith, quietEnvironment, weir, type CommandOutput } from "../../cli/weir.ts";

const preload = new URL("wrong-limiter.node.ts", import.meta.url).href;

function wrongWeir(mutant: string, folder: string, args: readonly string[]): CommandOutput {
  const flags = ["--disable-warning=ExperimentalWarning", "--import", preload];
  const { status, stdout, stderr } = spawnSync(process.execPath, [...flags, sourceEntry, ...args], {
    cwd: folder,
    encoding: "utf8",
    env: { ...quietEnvironment, WEIR_TEST_MUTANT: mutant },
  });
  return { code: status, out: stdout, err: stderr };
}

/** Seeds that fail, whose worlds are soon made small, before two that do not: the other core would make those small as well. */
const FROM = { "merge/last-policy": 5, "algorithms/log-admits-one-more": 81 } as const;

const SOONEST = "algorithms/log-admits-one-more";

const wrongRun = (
  mutant: keyof typeof FROM,
  folder: string,
  ...args: readonly string[]
): CommandOutput => wrongWeir(mutant, folder, ["run", "--seed", String(FROM[mutant]), ...args]);

/** It ends before the last of them. More would keep the other core busy, for nothing. */
const HUNT = ["--swarm", "3", "--bail"];

interface Hunt {
  readonly output: CommandOutput;
  readonly files: Readonly<Record<string, string>>; // that it has left
}

const hunts = new Map<string, Hunt>();

function hunt(mutant: keyof typeof FROM): Hunt {
  const before = hunts.get(mutant);
  if (before !== undefined) return before;
  const folder = folderWith({});
  const output = wrongRun(mutant, folder, ...HUNT);
  const files = listSaved(folder).map((name) => `${REGRESSIONS}/${name}`);
  const now = {
    output,
    files: Object.fromEntries(
      files.map((file) => [file, readFileSync(join(folder, file), "utf8")]),
    ),
  };
  hunts.set(mutant, now);
  return now;
}

const REGRESSIONS = "scenarios/regressions";
const listSaved = (folder: string): readonly string[] =>
  readdirSync(join(folder, REGRESSIONS)).toSorted();

/** The world of that seed alone: a run of many has every core make a world small. */
const failOnce = (folder: string, ...args: readonly string[]): CommandOutput =>
  wrongRun(SOONEST, folder, "--swarm", "1", ...args);

test.each(["merge/last-policy", "algorithms/log-admits-one-more"] as const)(
  "%s",
  async (mutant) => {
    const { output, files } = hunt(mutant);
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

    const [, command = ""] = /^ {2}again +weir (.+)$/m.exec(out) ?? [];
    const again = command.split(" ");
    const wrong = wrongWeir(mutant, folder, again);
    const [, sentence = ""] = /^FAIL seed \d+, [^:]+: (.+)$/m.exec(out) ?? [];
    expect(wrong.code).toBe(1);
    expect(wrong.out).toContain(`fail: ${sentence}`);
    expect(await weir(folder, again)).toMatchObject({ code: 0 });
  },
);

test("the swarm overwrites no file: neither one with the same failure nor one that a user changed", () => {
  const folder = folderWith(hunt(SOONEST).files);
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
  expect(unwanted.out).toMatch(/^ {2}again +weir run --swarm 1 --seed \d+$/m);
  expect(readdirSync(empty)).toEqual([]);

  const [, seed = ""] = /^FAIL seed (\d+),/m.exec(unwanted.out) ?? [];
  const closed = folderWith({ scenarios: "this is no folder" });
  const { code, out } = wrongWeir(SOONEST, closed, ["run", "--swarm", "1", "--seed", seed]);
  expect(code).toBe(1);
  expect(out).toMatch(/^ {2}not saved +scenarios\/regressions\/[a-z]+-\d+\.yaml: .+$/m);
  expect(out).toMatch(/^ {4}id: regressions\//m);
});

test("the JSON document has the failures", () => {
  const { code, out } = wrongRun(SOONEST, folderWith({}), ...HUNT, "--json", "--no-save");
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
    again: expect.stringMatching(/^weir run --swarm 1 --seed \d+$/) as unknown,
  });
  expect(footer).toMatchObject({ complete: false, failed: 1 });
});
