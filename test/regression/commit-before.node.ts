// The commit before a change, checked out into a temporary folder.
import { spawnSync } from "node:child_process";
import { existsSync, mkdtempSync, realpathSync, rmSync, symlinkSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { Failure, isFailure } from "#src/kit/reading/failure.ts";

export interface CommitBefore {
  readonly revision: string; // full hash
  readonly text: string; // what a reader knows it by
}

export interface Checkout {
  readonly folder: string;
  remove(): void;
}

function git(folder: string, ...args: readonly string[]): string | Failure {
  const { error, status, stdout, stderr } = spawnSync("git", args, {
    cwd: folder,
    encoding: "utf8",
  });
  if (error !== undefined) return new Failure(`git cannot be started: ${error.message}`);
  return status === 0 ? stdout.trim() : new Failure(stderr.trim());
}

export function findRepository(folder: string): string | Failure {
  const root = git(folder, "rev-parse", "--show-toplevel");
  return isFailure(root)
    ? new Failure(`${folder} is in no git repository (${root.message}); run this in a clone`)
    : realpathSync(root);
}

/** A saved world is the question and no part of the change. */
const CHANGES = ["status", "--porcelain", "--", ".", ":(exclude)scenarios/regressions"];

/** `wanted`: a revision; null: HEAD if the change is not committed, else its parent. */
export function findCommitBefore(root: string, wanted: string | null): CommitBefore | Failure {
  const changes = git(root, ...CHANGES);
  if (isFailure(changes)) return changes;
  const isDirty = wanted === null && changes !== "";
  const name = wanted ?? (isDirty ? "HEAD" : "HEAD^");
  const revision = git(root, "rev-parse", "--quiet", "--verify", `${name}^{commit}`);
  if (isFailure(revision))
    return new Failure(
      wanted === null
        ? `there is no commit before ${isDirty ? "the change" : "HEAD"}; name one with --parent`
        : `--parent ${wanted} is no commit of this repository; git log lists them`,
    );
  const line = git(root, "log", "-1", "--format=%h (%s)", revision);
  if (isFailure(line)) return line;
  return { revision, text: isDirty ? `${line}, because the change is not committed` : line };
}

/** A worktree with the packages of this one. Removed at the latest when the process exits. */
export function checkOut(root: string, { revision }: CommitBefore): Checkout | Failure {
  const parent = mkdtempSync(join(tmpdir(), "weir-before-"));
  const folder = join(parent, "weir");
  const remove = (): void => {
    process.off("exit", remove);
    // Before git removes the folder: the packages are those of this worktree.
    rmSync(join(folder, "node_modules"), { force: true });
    git(root, "worktree", "remove", "--force", folder);
    rmSync(parent, { recursive: true, force: true });
    git(root, "worktree", "prune");
  };
  process.once("exit", remove);
  const added = git(root, "worktree", "add", "--quiet", "--detach", folder, revision);
  if (isFailure(added)) {
    remove();
    return added;
  }
  const packages = join(root, "node_modules");
  if (existsSync(packages)) symlinkSync(packages, join(folder, "node_modules"));
  return { folder, remove };
}
