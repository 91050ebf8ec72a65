// Repositories of git in temporary folders.
import { spawnSync } from "node:child_process";
import { mkdtempSync, realpathSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { onTestFinished } from "vitest";

/** Removed at the end of the test, or of what `atEnd` registers for. */
export function temporaryFolder(atEnd: (remove: () => void) => void = onTestFinished): string {
  const folder = realpathSync(mkdtempSync(join(tmpdir(), "weir-regression-")));
  atEnd(() => rmSync(folder, { recursive: true, force: true }));
  return folder;
}

const AUTHOR = [
  "-c",
  "user.name=test",
  "-c",
  "user.email=test@example.org",
  "-c",
  "commit.gpgsign=false",
];

export function git(folder: string, ...args: readonly string[]): string {
  const { status, stdout, stderr } = spawnSync("git", [...AUTHOR, ...args], {
    cwd: folder,
    encoding: "utf8",
  });
  if (status !== 0) throw new Error(`git ${args.join(" ")} fails: ${stderr}`);
  return stdout;
}
