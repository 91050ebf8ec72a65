// Where implementations are installed: a cache of their own, one folder for each version.
import { existsSync } from "node:fs";
import { homedir } from "node:os";
import { delimiter, join } from "node:path";
import type { Manifest } from "./manifest.ts";

export const cacheFolder = (): string =>
  process.env["WEIR_IMPLEMENTATIONS"] ??
  join(process.env["XDG_CACHE_HOME"] ?? join(homedir(), ".cache"), "weir", "implementations");

export const homeOf = (id: string, { version }: Pick<Manifest, "version">): string =>
  join(cacheFolder(), id, version);

export const isInstalled = (
  id: string,
  manifest: Pick<Manifest, "version" | "install">,
): boolean => manifest.install.registry === "none" || existsSync(join(homeOf(id, manifest), "installed.json"));

const PROGRAMS = ["bin", "sbin", "usr/bin", "usr/sbin", "node_modules/.bin"];

/** What is installed comes before what the machine has. */
export const searchPath = (home: string): Readonly<Record<string, string>> => ({
  PATH: [...PROGRAMS.map((folder) => join(home, folder)), process.env["PATH"] ?? ""].join(
    delimiter,
  ),
});
