// A real error in the real code, in a repository of its own: the swarm finds it, and its commit is known by the one before.
import { spawn, spawnSync } from "node:child_process";
import { once } from "node:events";
import {
  cpSync,
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from "node:fs";
import { join } from "node:path";
import { afterAll, beforeAll, expect, test } from "vitest";
import { quietEnvironment } from "../cli/weir.ts";
import { git, temporaryFolder } from "./repository.ts";

const own = join(import.meta.dirname, "../..");
const COMMAND = join(import.meta.dirname, "run.node.ts");

/** Most responses of most worlds show one request too many, so that any seed is right for this test. */
const ERROR_IN = "src/gateway/headers.ts";
const RIGHT = "isLegacy ? remaining : Number.NaN";
const WRONG = "isLegacy ? remaining + 1 : Number.NaN";

/** The sources of Weir in commits, of which one brings the error. */
let folder = "";

beforeAll(() => {
  folder = temporaryFolder(afterAll);
  const commit = (message: string): void => {
    git(folder, "add", "--all");
    git(folder, "commit", "--quiet", "--message", message);
  };
  git(folder, "init", "--quiet");
  writeFileSync(join(folder, ".gitignore"), "/node_modules\n/tmp\n");
  commit("empty");
  cpSync(join(own, "src"), join(folder, "src"), { recursive: true });
  cpSync(join(own, "package.json"), join(folder, "package.json"));
  symlinkSync(join(own, "node_modules"), join(folder, "node_modules"));
  mkdirSync(join(folder, "tmp"));
  commit("right");
  const text = readFileSync(join(folder, ERROR_IN), "utf8");
  if (!text.includes(RIGHT)) throw new Error(`${ERROR_IN} has no ${RIGHT}`);
  writeFileSync(join(folder, ERROR_IN), text.replace(RIGHT, WRONG));
  commit("wrong");
  writeFileSync(
    join(folder, "package.json"),
    `${readFileSync(join(folder, "package.json"), "utf8")}\n`,
  );
  commit("later");
  git(folder, "tag", "later");
});

const environment = (): NodeJS.ProcessEnv => ({ ...quietEnvironment, TMPDIR: join(folder, "tmp") });

/** Worktrees that are left, and their folders. */
const leftovers = (): readonly string[] => [
  ...readdirSync(join(folder, "tmp")),
  ...git(folder, "worktree", "list").trim().split("\n").slice(1),
];

function regression(...args: readonly string[]): object {
  const { status, stdout, stderr } = spawnSync(process.execPath, [COMMAND, ...args], {
    cwd: folder,
    encoding: "utf8",
    env: environment(),
  });
  const out = `${stdout}${stderr}`.replaceAll(/commit before is \w+/g, "commit before is HASH");
  return { code: status, out, left: leftovers() };
}

const SAVED = "scenarios/regressions/decisions-1.yaml";

test("a change is named that fails where the commit before passes", () => {
  expect(regression("--seed", "1", "--parent", "HEAD~2")).toEqual({
    code: 1,
    out: `seed 1 fails here: agrees with the specification
saved ${SAVED}
the commit before is HASH (right)
  seed 1: passes
  ${SAVED}: passes
the commit before passes: this change brought it
`,
    left: [],
  });
});

test("an error is old if the commit before fails too", () => {
  expect(regression(SAVED)).toEqual({
    code: 0,
    out: `${SAVED} fails here
the commit before is HASH (wrong)
  ${SAVED}: fails
the commit before fails too: an old fault
`,
    left: [],
  });
});

test("an interrupted command leaves no worktree", async () => {
  const child = spawn(process.execPath, [COMMAND, SAVED], {
    cwd: folder,
    env: environment(),
    stdio: ["ignore", "pipe", "inherit"],
  });
  let out = "";
  // From this line on there is a worktree, or soon is one.
  while (!out.includes("the commit before")) out += String(await once(child.stdout, "data"));
  child.kill("SIGINT");
  expect(await once(child, "close")).toEqual([130, null]);
  expect(leftovers()).toEqual([]);
});

test("a commit before that cannot be run decides nothing", () => {
  expect(regression(SAVED, "--parent", "HEAD~3")).toEqual({
    code: 3,
    out: expect.stringMatching(
      /: unclear \(exit code 1, .+\)\nthe commit before could not be tried: .+\n$/,
    ),
    left: [],
  });
});

test("a change repairs what passes here and fails on the commit before", () => {
  git(folder, "checkout", "--quiet", "HEAD~2");
  expect(regression(SAVED, "--parent", "later")).toEqual({
    code: 0,
    out: `${SAVED} passes here
the commit before is HASH (later)
  ${SAVED}: fails
the commit before fails: this change repairs it
`,
    left: [],
  });
  expect(regression(SAVED, "--parent", "HEAD")).toMatchObject({
    code: 2,
    out: expect.stringMatching(/\nthe commit before passes too: there is no fault\n$/),
  });
});

test("a seed whose world passes is an error, and nothing is saved", () => {
  rmSync(join(folder, "scenarios"), { recursive: true });
  expect(regression("--seed", "1", "--parent", "HEAD")).toEqual({
    code: 2,
    out: "regression: the world of seed 1 passes here, so there is nothing to save\n",
    left: [],
  });
  expect(existsSync(join(folder, "scenarios"))).toBe(false);
});
