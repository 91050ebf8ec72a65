// Where implementations are installed: a cache of their own, one folder for each version.
import { accessSync, constants, existsSync } from "node:fs";
import { homedir } from "node:os";
import { delimiter, join } from "node:path";
import type { Manifest } from "./manifest.ts";

export const cacheFolder = (): string =>
  process.env["WEIR_IMPLEMENTATIONS"] ??
  join(process.env["XDG_CACHE_HOME"] ?? join(homedir(), ".cache"), "weir", "implementations");

export const homeOf = (id: string, { version }: Pick<Manifest, "version">): string =>
  join(cacheFolder(), id, version);

export interface Installable {
  readonly id: string;
  readonly manifest: Manifest;
}

/** The mark of a whole installation: it is written last. */
export const INSTALLED = "installed.json";

const isInstalled = (id: string, manifest: Manifest): boolean => {
  const { registry, variable } = manifest.install;
  if (registry === "none") return true;
  if (registry === "owner") return variable !== null && process.env[variable] !== undefined;
  return existsSync(join(homeOf(id, manifest), INSTALLED));
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
export function whyNotRunnable({ id, manifest }: Installable): string | null {
  const { needs, install, name } = manifest;
  const missing = needs.filter((program) => !isOnPath(program, homeOf(id, manifest)));
  if (missing.length > 0) return `${name} needs ${missing.join(" and ")} on the PATH`;
  return isInstalled(id, manifest)
    ? null
    : install.registry === "owner"
      ? `${name} is installed by its owner: set ${install.variable} to the path of its program`
      : `${name} ${manifest.version} is not installed; weir implementations install ${id}`;
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
