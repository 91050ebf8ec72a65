// The scripts are run by the shells themselves. Bash is everywhere; zsh and fish where they are installed.
import { spawnSync } from "node:child_process";
import { join } from "node:path";
import { mkdirSync, writeFileSync } from "node:fs";
import { expect, test } from "vitest";
import { COMMANDS } from "#src/cli/commands.ts";
import { CONTROLS } from "#src/studies/bench/suite.ts";
import { ALGORITHMS } from "#src/limiter/core/algorithms.ts";
import { ROLES } from "#src/gateway/management/families/token.ts";
import { AUDIT_KINDS } from "#src/gateway/management/records/bounds.ts";
import { folderWith, weir } from "./weir.ts";

const names = COMMANDS.map(({ name }) => name);

const isInstalled = (shell: string): boolean => spawnSync(shell, ["--version"]).status === 0;

/** A folder with the script and files to complete. */
async function folderFor(shell: string): Promise<string> {
  const folder = folderWith({ "one.yaml": "", "two words.yaml": "" });
  mkdirSync(join(folder, "scenarios"));
  const { code, out } = await weir(folder, ["completion", shell]);
  expect(code).toBe(0);
  writeFileSync(join(folder, "script"), out);
  return folder;
}

function typeIn(folder: string, shell: string, program: string): readonly string[] {
  const args = shell === "bash" ? ["--norc", "--noprofile", "-c", program] : ["-c", program];
  const { status, stdout, stderr } = spawnSync(shell, args, { cwd: folder, encoding: "utf8" });
  expect({ status, stderr }).toEqual({ status: 0, stderr: "" });
  return stdout.split("\n").filter((line) => line !== "");
}

const CASES: readonly (readonly [typed: string, completed: readonly string[]])[] = [
  ["weir ", [...names]],
  ["weir co", ["compare", "config", "completion"]],
  ["weir help sch", ["schema"]],
  ["weir run --dr", ["--driver"]],
  ["weir run --driver ", ["virtual", "embedded", "redis", "remote"]],
  ["weir worst --algorithm sliding", ALGORITHMS.filter((name) => name.startsWith("sliding"))],
  ["weir bench --control ", [...CONTROLS]],
  ["weir bench --control nginx,ex", ["nginx,express"]],
  ["weir tokens --role ", [...ROLES]],
  ["weir audit --only ", [...AUDIT_KINDS]],
  ["weir completion f", ["fish"]],
  ["weir tokens re", ["revoke"]],
  ["weir run --html on", ["one.yaml"]],
  ["weir run on", ["one.yaml"]],
  ["weir run two", ["two words.yaml"]],
  ["weir bench re", ["records", "redis", "redis-store"]],
  ["weir bench on", ["one.yaml"]],
  ["weir implementations ins", ["install"]],
  ["weir implementations run hap", ["haproxy"]],
  ["weir implementations run on", ["one.yaml"]],
  ["weir lint l", []],
  ["weir new hap", []],
];

test("bash completes commands, flags, values and files", async () => {
  const folder = await folderFor("bash");
  for (const [typed, completed] of [
    ...CASES,
    ["weir run --driver = r", ["redis", "remote"]] as const,
  ]) {
    const words = typed.split(" ").map((word) => `'${word}'`);
    const program = `source ./script; COMP_WORDS=(${words.join(" ")}); COMP_CWORD=${words.length - 1}; _weir; printf '%s\\n' "\${COMPREPLY[@]}"`;
    expect([typed, typeIn(folder, "bash", program).toSorted()]).toEqual([
      typed,
      completed.toSorted(),
    ]);
  }
  expect(typeIn(folder, "bash", "source ./script; complete -p weir")).toEqual([
    "complete -F _weir weir",
  ]);
});

test.skipIf(!isInstalled("fish"))("fish completes the same", async () => {
  const folder = await folderFor("fish");
  for (const [typed, completed] of CASES) {
    const program = `source ./script; complete -C '${typed}'`;
    const suggested = typeIn(folder, "fish", program).map((line) => line.split("\t")[0]!);
    expect([typed, suggested.toSorted()]).toEqual([typed, completed.toSorted()]);
  }
});

test.skipIf(!isInstalled("zsh"))("zsh reads the script", async () => {
  const folder = await folderFor("zsh");
  expect(typeIn(folder, "zsh", "zsh -n ./script")).toEqual([]);
});

test("every flag of every command is in each script", async () => {
  for (const shell of ["bash", "zsh", "fish"]) {
    const { out } = await weir(folderWith({}), ["completion", shell]);
    const flags = COMMANDS.flatMap(({ options }) => options.map(({ name }) => name));
    const flag = (name: string): string => (shell === "fish" ? `-l ${name} ` : `--${name}`);
    expect(flags.filter((name) => !out.includes(flag(name)))).toEqual([]);
  }
});

test("another shell is rejected", async () => {
  const { code, err } = await weir(folderWith({}), ["completion", "tcsh"]);
  expect(code).toBe(2);
  expect(err).toContain('the shell must be one of bash, zsh, fish; got "tcsh"');
});
