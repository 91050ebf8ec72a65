import { spawnSync } from "node:child_process";
import { cpSync, mkdirSync, mkdtempSync, readdirSync, rmSync, symlinkSync } from "node:fs";
import { tmpdir } from "node:os";
import { delimiter, dirname, join } from "node:path";
import { expect, onTestFinished, test } from "vitest";

const root = join(import.meta.dirname, "..");
const notPacked = new Set([".git", "node_modules", "dist", "reports", "coverage"]);

/** A shell's environment, not that of the npm script around this test, on the pinned Node. */
const shell = Object.fromEntries(
  Object.entries(process.env).filter(([name]) => name !== "npm_config_local_prefix"),
);
shell["PATH"] = [dirname(process.execPath), process.env["PATH"]].join(delimiter);
shell["NO_COLOR"] = "1";

function run(folder: string, command: string, ...args: readonly string[]): string {
  const done = spawnSync(command, args, { cwd: folder, env: shell, encoding: "utf8" });
  expect(done, `${command} ${args.join(" ")}`).toMatchObject({ status: 0 });
  return done.stdout;
}

test("the packed project, installed in an empty folder, runs a scenario of its own", () => {
  const temporary = mkdtempSync(join(tmpdir(), "weir-pack-"));
  onTestFinished(() => rmSync(temporary, { recursive: true }));

  // Packed from a copy without dist/: packing must build by itself, and not under a test that runs dist/.
  const copy = join(temporary, "copy");
  cpSync(root, copy, {
    recursive: true,
    filter: (path) => !notPacked.has(path.slice(root.length + 1)),
  });
  symlinkSync(join(root, "node_modules"), join(copy, "node_modules"));
  run(copy, "npm", "pack", "--silent", "--pack-destination", temporary);
  const tarballs = readdirSync(temporary).filter((name) => name.endsWith(".tgz"));
  expect(tarballs).toHaveLength(1);

  const empty = join(temporary, "empty");
  mkdirSync(empty);
  const quickly = ["--prefer-offline", "--no-audit", "--no-fund"];
  const tarball = join(temporary, ...tarballs);
  run(empty, "npm", "install", ...quickly, "--prefix", empty, "--no-save", tarball);

  const scenarios = "node_modules/weir/scenarios/limits";
  const example = readdirSync(join(empty, scenarios)).toSorted()[0] ?? "none";
  const output = run(empty, "npx", "--no", "weir", "run", `${scenarios}/${example}`);
  expect(output.trimEnd().split("\n").at(-1)).toMatch(/^[1-9]\d* passed, 0 failed, \d+ skipped$/);

  const installed = join(empty, "node_modules/.bin/weir"); // what npx found, without npm before it
  expect(run(empty, installed, "bench", "--list")).toMatch(/^gateway {2}/m);

  // What only a checkout has is missing, and not broken.
  const options = { cwd: empty, env: shell, encoding: "utf8" } as const;
  const { status, stderr } = spawnSync(installed, ["mutants"], options);
  expect({ status, stderr }).toMatchObject({
    status: 2,
    stderr: expect.stringContaining("they are not published") as string,
  });
});
