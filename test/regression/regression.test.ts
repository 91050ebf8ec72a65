// The command that finds out whether a failure is older than a change: what it compares with, and bad input.
import { spawnSync } from "node:child_process";
import { existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, onTestFinished, test } from "vitest";
import { isFailure, requireValue } from "#src/kit/reading/failure.ts";
import { quietEnvironment } from "../cli/weir.ts";
import { checkOut, findCommitBefore, findRepository } from "./commit-before.node.ts";
import { git, temporaryFolder } from "./repository.ts";

/** Two commits, whose file has their number. */
function twoCommits(): string {
  const folder = temporaryFolder();
  git(folder, "init", "--quiet");
  for (const text of ["one", "two"]) {
    writeFileSync(join(folder, "file"), text);
    git(folder, "add", "--all");
    git(folder, "commit", "--quiet", "--message", text);
  }
  return folder;
}

const textBefore = (folder: string, wanted: string | null = null): string => {
  const before = findCommitBefore(folder, wanted);
  return isFailure(before) ? before.message : before.text.replace(/^\w+ /, "");
};

test("the commit before is the parent of HEAD, or HEAD if the change is not committed", () => {
  const folder = twoCommits();
  expect(textBefore(folder)).toBe("(one)");
  writeFileSync(join(folder, "file"), "three");
  expect(textBefore(folder)).toBe("(two), because the change is not committed");
});

test("a saved world is no part of the change", () => {
  const folder = twoCommits();
  mkdirSync(join(folder, "scenarios/regressions"), { recursive: true });
  writeFileSync(join(folder, "scenarios/regressions/decisions-5.yaml"), "");
  expect(textBefore(folder)).toBe("(one)");
  writeFileSync(join(folder, "scenarios/other.yaml"), "");
  expect(textBefore(folder)).toBe("(two), because the change is not committed");
});

test("--parent names the commit before", () => {
  const folder = twoCommits();
  expect(textBefore(folder, "HEAD")).toBe("(two)");
  expect(textBefore(folder, "HEAD~5")).toBe(
    "--parent HEAD~5 is no commit of this repository; git log lists them",
  );
  expect(textBefore(folder, "--all")).toMatch(/^--parent --all is no commit/);
});

test("the first commit has none before it", () => {
  const folder = twoCommits();
  git(folder, "checkout", "--quiet", "HEAD^");
  expect(textBefore(folder)).toBe("there is no commit before HEAD; name one with --parent");
});

test("a checkout has the files of its commit and the packages of the clone, and leaves nothing", () => {
  const folder = requireValue(findRepository(twoCommits()));
  mkdirSync(join(folder, "node_modules/package"), { recursive: true });
  const before = requireValue(findCommitBefore(folder, "HEAD^"));
  const checkout = requireValue(checkOut(folder, before));
  expect(readFileSync(join(checkout.folder, "file"), "utf8")).toBe("one");
  expect(existsSync(join(checkout.folder, "node_modules/package"))).toBe(true);
  checkout.remove();
  expect(existsSync(checkout.folder)).toBe(false);
  expect(existsSync(join(folder, "node_modules/package"))).toBe(true);
  expect(git(folder, "worktree", "list").trim().split("\n")).toHaveLength(1);
});

const command = join(import.meta.dirname, "run.node.ts");

test.each<[args: readonly string[], problem: string]>([
  [[], "name a seed or one file"],
  [["--seed", "1", "a.yaml"], "name a seed or one file"],
  [["a.yaml", "b.yaml"], "name a seed or one file"],
  [["--seed", "x"], "--seed x is no integer of at least 0"],
  [["--sed", "1"], "Unknown option '--sed'"],
  [["a.yaml"], "a.yaml does not exist"],
  [["--seed", "1", "--parent", "old"], "--parent old is no commit of this repository"],
])("%j is bad input", (args, problem) => {
  const run = spawnSync(process.execPath, [command, ...args], {
    cwd: twoCommits(),
    encoding: "utf8",
    env: quietEnvironment,
  });
  expect([run.status, run.stdout]).toEqual([2, ""]);
  expect(run.stderr).toMatch(/^regression: .*\n$/);
  expect(run.stderr).toContain(problem);
});

test("a folder without git is named", () => {
  const folder = mkdtempSync(join(tmpdir(), "weir-no-git-"));
  onTestFinished(() => rmSync(folder, { recursive: true }));
  expect(findRepository(folder)).toMatchObject({
    message: expect.stringMatching(/is in no git repository .*; run this in a clone$/) as unknown,
  });
});
