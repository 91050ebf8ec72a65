// The two versions of Weir in a run: the running one, and one at a path (a checkout, an installed package, or a folder
// with one).
import { spawnSync } from "node:child_process";
import { existsSync, readFileSync, statSync } from "node:fs";
import { extname, join, resolve } from "node:path";
import { Failure } from "../../../kit/reading/failure.ts";
import { checkout, packages } from "../resources/machine.node.ts";
import type { Version } from "./result.ts";

/** The root of the package: the same relative path leads there from source and from compiled output. */
const ROOT = join(import.meta.dirname, "../../../..");
const IS_SOURCE = extname(import.meta.filename) === ".ts";

const FORMS = {
  source: join("src", "cli", "weir.node.ts"),
  dist: join("dist", "cli", "weir.node.js"),
} as const;

interface RunnableVersion extends Version {
  /** The file that Node runs. */
  readonly command: string;
}

export const thisVersion = (command: string): RunnableVersion => ({
  ...describe(ROOT, IS_SOURCE ? "source" : "dist"),
  command,
});

/**
 * The version at a path, or why it cannot be served. Both versions are served in the same form, source or compiled, for
 * equal overhead; a checkout without compiled output is compiled first.
 */
export function versionAt(
  path: string,
  onBuild: (root: string) => void,
): RunnableVersion | Failure {
  const folder = resolve(path);
  if (!existsSync(folder) || !statSync(folder).isDirectory())
    return new Failure(
      `--against ${path}: there is no such folder; name a checkout of Weir, or a folder where it is installed`,
    );
  const root = [folder, join(folder, "node_modules", "weir")].find(isWeir);
  if (root === undefined)
    return new Failure(
      `--against ${path}: this is not Weir, because no package.json there names it; name a checkout, or a folder where Weir is installed`,
    );
  const form = IS_SOURCE && existsSync(join(root, FORMS.source)) ? "source" : "dist";
  if (form === "dist" && !existsSync(join(root, FORMS.dist))) {
    onBuild(root);
    const problem = build(root);
    if (problem !== null) return new Failure(`--against ${path}: it does not build: ${problem}`);
  }
  const version = describe(root, form);
  const { status, stderr } = spawnSync(process.execPath, [version.command, "version"], {
    cwd: root,
    encoding: "utf8",
  });
  return status === 0
    ? version
    : new Failure(
        `--against ${path}: it does not start: ${firstErrorIn(stderr)}; run npm ci there, or name another folder`,
      );
}

function isWeir(folder: string): boolean {
  const file = join(folder, "package.json");
  if (!existsSync(file)) return false;
  try {
    const { name } = JSON.parse(readFileSync(file, "utf8")) as { readonly name?: unknown };
    return name === "weir";
  } catch (error) {
    if (error instanceof SyntaxError) return false;
    throw error;
  }
}

/** Compiles a checkout. Returns what went wrong, or null. */
function build(root: string): string | null {
  const { status, stdout, stderr, error } = spawnSync("npm", ["run", "--silent", "build"], {
    cwd: root,
    encoding: "utf8",
  });
  if (error !== undefined) return error.message;
  return status === 0 && existsSync(join(root, FORMS.dist))
    ? null
    : firstErrorIn(`${stderr}\n${stdout}`);
}

/** The line that names an error, otherwise the first line. */
function firstErrorIn(output: string): string {
  const lines = output.split("\n").map((line) => line.trim());
  const error = lines.find((line) => /error/i.test(line) && !/^npm warn/i.test(line));
  return error ?? lines.find((line) => line !== "") ?? "it printed nothing";
}

const describe = (root: string, form: keyof typeof FORMS): RunnableVersion => ({
  path: root,
  form,
  command: join(root, FORMS[form]),
  ...checkout(root),
  packages: packages(root),
});
