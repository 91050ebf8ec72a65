// The machine and the versions of a result: without them its values cannot be compared.
import { spawnSync } from "node:child_process";
import { readFileSync, realpathSync } from "node:fs";
import { findPackageJSON } from "node:module";
import { cpus, loadavg, platform, release, totalmem } from "node:os";
import { join } from "node:path";
import { pathToFileURL } from "node:url";
import type { BenchMachine } from "../result.ts";

/** The root of the package. The same relative path leads to the root from source and from compiled output. */
const ROOT = join(import.meta.dirname, "../../../..");

interface Manifest {
  readonly version: string;
  readonly dependencies?: Readonly<Record<string, string>>;
  readonly devDependencies?: Readonly<Record<string, string>>;
}

const manifest = (file: string): Manifest => JSON.parse(readFileSync(file, "utf8")) as Manifest;

const loadNow = (): number => Math.round(loadavg()[0]! * 100) / 100; // the system's load average of the last minute

/** The machine before a run. */
export const machine = (): BenchMachine => ({
  cpu: cpus()[0]?.model ?? "unknown",
  cores: cpus().length,
  governor: governor(),
  memoryGiB: Math.round(totalmem() / 2 ** 30),
  system: `${platform()} ${release()}`,
  load: { before: loadNow(), after: loadNow() },
  busy: null,
  node: process.versions.node,
  ...checkout(),
  versions: { ...packages(), v8: process.versions.v8 },
});

/** Adds what is known after a run: the load of other processes, and the versions of servers outside npm. */
export const machineAfter = (
  before: BenchMachine,
  busy: string | null,
  versions: Readonly<Record<string, string | null>>,
): BenchMachine => ({
  ...before,
  load: { before: before.load.before, after: loadNow() },
  busy,
  versions: { ...before.versions, ...withoutNulls(versions) },
});

const withoutNulls = (versions: Readonly<Record<string, string | null>>): Record<string, string> =>
  Object.fromEntries(
    Object.entries(versions).flatMap(([name, version]) =>
      version === null ? [] : [[name, version]],
    ),
  );

/** The CPU frequency governor; null if the system does not report one, as on virtual machines. */
function governor(): string | null {
  try {
    const file = "/sys/devices/system/cpu/cpu0/cpufreq/scaling_governor";
    return readFileSync(file, "utf8").trim();
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === "ENOENT") return null;
    throw error;
  }
}

/** The commit and whether tracked files differ from it. Null and false if `root` is not the top of a Git checkout. */
export function checkout(root = ROOT): Pick<BenchMachine, "commit" | "changed"> {
  const git = (...args: readonly string[]): string | null => {
    const { status, stdout } = spawnSync("git", args, { cwd: root, encoding: "utf8" });
    return status === 0 ? stdout.trim() : null;
  };
  const top = git("rev-parse", "--show-toplevel");
  if (top === null || realpathSync(top) !== realpathSync(root))
    return { commit: null, changed: false };
  const differs = git("status", "--porcelain", "--untracked-files=no");
  return { commit: git("rev-parse", "HEAD"), changed: differs !== null && differs !== "" };
}

/** The versions of Weir and of those of its npm dependencies that are installed. */
export function packages(root = ROOT): Record<string, string> {
  const file = join(root, "package.json");
  const own = manifest(file);
  const found: Record<string, string> = { weir: own.version };
  for (const name of Object.keys({ ...own.dependencies, ...own.devDependencies })) {
    const of = fileOf(name, file);
    if (of !== undefined) found[name] = manifest(of).version;
  }
  return found;
}

function fileOf(name: string, from: string): string | undefined {
  try {
    return findPackageJSON(name, pathToFileURL(from));
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === "ERR_MODULE_NOT_FOUND") return undefined;
    throw error;
  }
}
