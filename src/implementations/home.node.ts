// Where implementations are installed: a cache of their own, one folder for each version. Variants share it.
import { accessSync, constants, existsSync } from "node:fs";
import { homedir } from "node:os";
import { basename, delimiter, join } from "node:path";
import type { Manifest } from "./manifest.ts";

export const cacheFolder = (): string =>
  process.env["WEIR_IMPLEMENTATIONS"] ??
  join(process.env["XDG_CACHE_HOME"] ?? join(homedir(), ".cache"), "weir", "implementations");

export interface Installable {
  readonly folder: string;
  readonly manifest: Manifest;
}

export const homeOf = ({ folder, manifest }: Installable): string =>
  join(cacheFolder(), basename(folder), manifest.version);

/** The mark of a whole installation: it is written last. */
export const INSTALLED = "installed.json";

const isInstalled = (implementation: Installable): boolean => {
  const { registry, variable } = implementation.manifest.install;
  if (registry === "none") return true;
  if (registry === "owner") return variable !== null && process.env[variable] !== undefined;
  return existsSync(join(homeOf(implementation), INSTALLED));
};

const PROGRAMS = ["bin", "sbin", "usr/bin", "usr/sbin", "node_modules/.bin"];

/** An installed program comes before one of the machine. */
const foldersOfPath = (home: string): readonly string[] => [
  ...PROGRAMS.map((folder) => join(home, folder)),
  ...(process.env["PATH"] ?? "").split(delimiter),
];

export const searchPath = (home: string): Readonly<Record<string, string>> => ({
  PATH: foldersOfPath(home).join(delimiter),
});

/** Null: it can be started. */
export function whyNotRunnable(implementation: Installable): string | null {
  const { needs, install, name, version } = implementation.manifest;
  const missing = needs.filter((program) => !isOnPath(program, homeOf(implementation)));
  if (missing.length > 0) return `${name} needs ${missing.join(" and ")} on the PATH`;
  return isInstalled(implementation)
    ? null
    : install.registry === "owner"
      ? `${name} is installed by its owner: set ${install.variable} to the path of its program`
      : `${name} ${version} is not installed; weir implementations install ${basename(implementation.folder)}`;
}

const isOnPath = (program: string, home: string): boolean =>
  foldersOfPath(home).some((folder) => {
    try {
      accessSync(join(folder, program), constants.X_OK);
      return true;
    } catch {
      return false;
    }
  });
