// Where a result comes from: without this, a figure is a rumour.
import { spawnSync } from "node:child_process";
import { readFileSync } from "node:fs";
import { cpus, loadavg, platform, release, totalmem } from "node:os";
import { join } from "node:path";

const root = join(import.meta.dirname, "..");

interface Package {
  readonly version: string;
  readonly dependencies: Readonly<Record<string, string>>;
  readonly devDependencies: Readonly<Record<string, string>>;
}

const packageAt = (...path: readonly string[]): Package =>
  JSON.parse(readFileSync(join(root, ...path, "package.json"), "utf8")) as Package;

export interface Machine {
  readonly cpu: string;
  readonly cores: number;
  readonly memoryGiB: number;
  readonly system: string;
  readonly load: number; // over the last minute, before the run
  readonly node: string;
  readonly v8: string;
  readonly commit: string | null; // null: not a checkout
  readonly versions: Readonly<Record<string, string>>;
}

export function machine(): Machine {
  const own = packageAt();
  const git = spawnSync("git", ["rev-parse", "HEAD"], { cwd: root, encoding: "utf8" });
  const names = Object.keys({ ...own.dependencies, ...own.devDependencies });
  return {
    cpu: cpus()[0]?.model ?? "unknown",
    cores: cpus().length,
    memoryGiB: Math.round(totalmem() / 2 ** 30),
    system: `${platform()} ${release()}`,
    load: Math.round(loadavg()[0]! * 100) / 100,
    node: process.versions.node,
    v8: process.versions.v8,
    commit: git.status === 0 ? git.stdout.trim() : null,
    versions: {
      weir: own.version,
      ...Object.fromEntries(names.map((name) => [name, packageAt("node_modules", name).version])),
    },
  };
}
