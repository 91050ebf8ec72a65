// Files of a revision in git, for `weir diff --git REV:FILE`. Included files are those of the same revision.
import { spawnSync } from "node:child_process";
import { matchesGlob, posix } from "node:path";
import { Failure, isFailure } from "../kit/reading/failure.ts";
import { isOfFolder, selectMain } from "../lab/implementations/configuration-folder.node.ts";
import type { ConfigurationFile, Includes } from "../lab/implementations/reading.ts";

export interface RevisionFile {
  readonly main: ConfigurationFile;
  readonly includes: Includes;
}

const MOST_BYTES = 64_000_000;

/** `FILE` is a path from the present folder, of a file or a folder. `kind`: of --kind. */
export function readRevision(typed: string, kind: string | null): RevisionFile | Failure {
  const [, revision, file] = /^([^:]+):(.+)$/.exec(typed) ?? [];
  if (revision === undefined || file === undefined || revision.startsWith("-"))
    return new Failure(`--git must be REV:FILE, such as --git main:nginx.conf; got "${typed}"`);
  const prefix = runGit(["rev-parse", "--show-prefix"]);
  if (isFailure(prefix)) return prefix;
  const commit = runGit(["rev-parse", "--verify", "--quiet", `${revision}^{commit}`]);
  if (isFailure(commit))
    return new Failure(
      `--git ${typed}: git has no revision ${revision} here; fetch it, or name another`,
    );
  const path = posix.normalize(`${prefix.trim()}${file}`);
  const read = (name: string): ConfigurationFile | Failure => {
    const text = runGit(["cat-file", "blob", `${commit.trim()}:${name}`]);
    if (isFailure(text))
      return new Failure(`--git ${typed}: the revision ${revision} has no file ${name}`);
    return text.includes("\0")
      ? new Failure(`--git ${typed}: ${name} is a binary file`)
      : { file: `${revision}:${name}`, text };
  };
  const readBelow = (
    folder: string,
    isWanted: (name: string) => boolean,
  ): readonly ConfigurationFile[] | Failure => {
    const names = runGit([
      "ls-tree",
      "-r",
      "-z",
      "--full-tree",
      "--name-only",
      commit.trim(),
      "--",
      folder === "." ? "." : `${folder}/`,
    ]);
    if (isFailure(names)) return names;
    const found = names.split("\0").filter((name) => name !== "" && isWanted(name));
    const files: ConfigurationFile[] = [];
    for (const name of found.toSorted()) {
      const one = read(name);
      if (isFailure(one)) return one;
      files.push(one);
    }
    return files;
  };
  const type = runGit(["cat-file", "-t", `${commit.trim()}:${path.replace(/\/$/, "")}`]);
  if (!isFailure(type) && type.trim() === "tree") {
    const files = readBelow(path.replace(/\/$/, ""), isOfFolder);
    const folder = isFailure(files) ? files : selectMain(files, typed, kind);
    return isFailure(folder) ? folder : { main: folder, includes: () => [] };
  }
  const main = read(path);
  if (isFailure(main)) return main;
  return {
    main,
    includes: (pattern) => {
      const wanted = posix.normalize(posix.join(posix.dirname(path), pattern));
      if (/[*?[]/.test(wanted)) {
        const folder = posix.dirname(/^[^*?[]*/.exec(wanted)![0] + "x");
        return readBelow(folder, (name) => matchesGlob(name, wanted));
      }
      const one = read(wanted);
      return isFailure(one) ? one : [one];
    },
  };
}

function runGit(args: readonly string[]): string | Failure {
  const { status, stdout, stderr, error } = spawnSync("git", args, {
    encoding: "utf8",
    maxBuffer: MOST_BYTES,
  });
  if (error !== undefined)
    return new Failure(
      (error as NodeJS.ErrnoException).code === "ENOENT"
        ? "--git needs git, which is not installed"
        : `git ${args[0]}: ${error.message}`,
    );
  return status === 0 ? stdout : new Failure(`--git: ${stderr.trim() || `git ${args[0]} failed`}`);
}
