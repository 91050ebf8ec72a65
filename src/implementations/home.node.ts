// Where implementations are installed: a cache of their own, one folder for each version. Variants share it.
import { createHash } from "node:crypto";
import { accessSync, constants, existsSync, readdirSync, readFileSync, statSync } from "node:fs";
import { homedir } from "node:os";
import { basename, delimiter, join } from "node:path";
import type { Manifest, Registry } from "./manifest.ts";

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

/** A program needs the part of the harness that is written in its language, under the name that its tools expect. */
const HARNESS: Readonly<Record<string, Readonly<Record<string, string>>>> = {
  javascript: { "lines.mjs": "lines.mjs" },
  python: { "lines.py": "lines.py" },
  go: { "lines.go": "lines_test.go" }, // its virtual time needs a test
  rust: { "lines.rs": "src/lines.rs" },
  java: { "Lines.java": "Lines.java" },
};

/** Read by Weir alone. */
const OURS = /^(?:manifest\.yaml|translate\.[jt]s)$/;

interface InstalledFile {
  readonly from: string;
  readonly to: string; // in the installation
}

/** What an installation copies: the folder's own files, and the harness. */
export function filesToInstall({ folder, manifest }: Installable): readonly InstalledFile[] {
  const harness = Object.entries(HARNESS[manifest.language] ?? {});
  return [
    ...readdirSync(folder, { recursive: true, encoding: "utf8" })
      .filter((name) => !OURS.test(name) && statSync(join(folder, name)).isFile())
      .map((name) => ({ from: join(folder, name), to: name })),
    ...harness.map(([name, to]) => ({ from: join(import.meta.dirname, "harness", name), to })),
  ];
}

/** An installation with other files than those of today is out of date. */
export function digestOf(implementation: Installable): string {
  const { registry, packages, build } = implementation.manifest.install;
  const hash = createHash("sha256").update(JSON.stringify([registry, packages, build]));
  for (const { from, to } of filesToInstall(implementation))
    hash.update(to).update(readFileSync(from));
  return hash.digest("hex");
}

/** By this version of Weir, with the same files. */
export const isInstalled = (implementation: Installable): boolean => {
  const { registry, variable } = implementation.manifest.install;
  if (registry === "none") return true;
  if (registry === "owner") return variable !== null && process.env[variable] !== undefined;
  const mark = join(homeOf(implementation), INSTALLED);
  if (!existsSync(mark)) return false;
  const { digest } = JSON.parse(readFileSync(mark, "utf8")) as { readonly digest?: string };
  return digest === digestOf(implementation);
};

const PROGRAMS = ["bin", "sbin", "usr/bin", "usr/sbin", "node_modules/.bin"];

const foldersOfMachine = (): readonly string[] => (process.env["PATH"] ?? "").split(delimiter);

/** An installed program comes before one of the machine. */
const foldersOfPath = (home: string): readonly string[] => [
  ...PROGRAMS.map((folder) => join(home, folder)),
  ...foldersOfMachine(),
];

/** Libraries of Debian's packages, in folders such as usr/lib/x86_64-linux-gnu. */
const librariesOf = (home: string): readonly string[] =>
  ["usr/lib", "lib"]
    .map((folder) => join(home, folder))
    .filter((folder) => existsSync(folder))
    .flatMap((folder) =>
      readdirSync(folder)
        .filter((name) => name.endsWith("-linux-gnu"))
        .map((name) => join(folder, name)),
    );

export function searchPath(home: string): Readonly<Record<string, string>> {
  const libraries = librariesOf(home);
  return {
    PATH: foldersOfPath(home).join(delimiter),
    ...(libraries.length === 0 ? {} : { LD_LIBRARY_PATH: libraries.join(delimiter) }),
  };
}

/** The programs of registries. */
const INSTALLERS: Readonly<Record<Registry, readonly string[]>> = {
  npm: ["npm"],
  pip: ["python3"],
  cargo: ["cargo"],
  go: ["go"],
  maven: ["mvn"],
  apt: ["apt-get", "dpkg"],
  owner: [],
  none: [],
};

const ownerSentence = ({ manifest: { name, install } }: Installable): string =>
  `${name} is installed by its owner: set ${install.variable} to the path of its program`;

/** Null: this machine can install it. */
export function whyNotInstallable(implementation: Installable): string | null {
  const { needs, install, name } = implementation.manifest;
  if (install.registry === "owner") return ownerSentence(implementation);
  const missing = [...INSTALLERS[install.registry], ...needs].filter(
    (program) => !isOnPath(program, homeOf(implementation)),
  );
  return missing.length === 0
    ? null
    : `${name} needs ${[...new Set(missing)].join(" and ")} on the PATH`;
}

/** Null: it can be started. */
export function whyNotRunnable(implementation: Installable): string | null {
  const { needs, install, name, version } = implementation.manifest;
  const missing = needs.filter((program) => !isOnPath(program, homeOf(implementation)));
  if (missing.length > 0) return `${name} needs ${missing.join(" and ")} on the PATH`;
  return isInstalled(implementation)
    ? null
    : install.registry === "owner"
      ? ownerSentence(implementation)
      : `${name} ${version} is not installed, or by another version of Weir; weir implementations install ${basename(implementation.folder)}`;
}

/** `home`: an installation whose programs count, too. */
export function isOnPath(program: string, home: string | null = null): boolean {
  const folders = home === null ? foldersOfMachine() : foldersOfPath(home);
  return folders.some((folder) => {
    try {
      accessSync(join(folder, program), constants.X_OK);
      return true;
    } catch {
      return false;
    }
  });
}
