// Where implementations are installed: a cache with one folder for each version, which all variants share.
import { createHash } from "node:crypto";
import { accessSync, constants, existsSync, readdirSync, readFileSync, statSync } from "node:fs";
import { homedir } from "node:os";
import { basename, delimiter, join } from "node:path";
import { argumentOf } from "./catalogue.node.ts";
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

/** Marks a complete installation, because it is written last. */
export const INSTALLED = "installed.json";

/** The harness in the program's language, under the file name that its tools expect. */
const HARNESS: Readonly<Record<string, Readonly<Record<string, string>>>> = {
  javascript: { "lines.mjs": "lines.mjs" },
  python: { "lines.py": "lines.py" },
  go: { "lines.go": "lines_test.go" }, // Go offers virtual time only in tests
  rust: { "lines.rs": "src/lines.rs" },
  java: { "Lines.java": "Lines.java" },
};

/** Files that only Weir reads. */
const OURS = /^(?:manifest\.yaml|(?:translate|read[\w-]*|parse|places|roles|variables)\.[jt]s)$/;

interface InstalledFile {
  readonly from: string;
  readonly to: string; // path in the installation
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

const toBeInstalled = ({ from }: InstalledFile): string => from;

/** A digest of the files to install. An installation with another digest is out of date. */
export function digestOf(
  implementation: Installable,
  placeOf: (file: InstalledFile) => string = toBeInstalled,
): string {
  const { registry, packages, build } = implementation.manifest.install;
  const hash = createHash("sha256").update(JSON.stringify([registry, packages, build]));
  for (const file of filesToInstall(implementation)) {
    const place = placeOf(file);
    hash.update(file.to).update(existsSync(place) ? readFileSync(place) : "none");
  }
  return hash.digest("hex");
}

type Installation = "whole" | "out of date" | "none";

/** "out of date": files to install or installed files have changed since then. The packages are not examined. */
function installationOf(implementation: Installable): Installation {
  const { registry, variable } = implementation.manifest.install;
  if (registry === "none") return "whole";
  if (registry === "owner") return isProgram(programOf(variable)) ? "whole" : "none";
  const home = homeOf(implementation);
  const mark = join(home, INSTALLED);
  if (!existsSync(mark)) return "none";
  const { digest } = JSON.parse(readFileSync(mark, "utf8")) as { readonly digest?: string };
  const isWhole =
    digest === digestOf(implementation) &&
    digest === digestOf(implementation, ({ to }) => join(home, to));
  return isWhole ? "whole" : "out of date";
}

export const isInstalled = (implementation: Installable): boolean =>
  installationOf(implementation) === "whole";

const PROGRAMS = ["bin", "sbin", "usr/bin", "usr/sbin", "node_modules/.bin"];

const foldersOfMachine = (): readonly string[] => (process.env["PATH"] ?? "").split(delimiter);

/** Folders to search for programs: those of the installation first, then those of the machine. */
const foldersOfPath = (home: string): readonly string[] => [
  ...PROGRAMS.map((folder) => join(home, folder)),
  ...foldersOfMachine(),
];

/** Folders with libraries from Debian packages, such as usr/lib/x86_64-linux-gnu. */
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

/** The program of an implementation with `registry: owner`. */
const programOf = (variable: string | null): string =>
  (variable === null ? undefined : process.env[variable]) ?? "";

function ownerSentence({ manifest: { name, install } }: Installable): string {
  const program = programOf(install.variable);
  const wrong = program === "" ? "" : `, and not to ${program}, which is no program`;
  return `${name} is installed by its owner: set ${install.variable} to the path of its program${wrong}`;
}

/** Null if this machine can install it. */
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

export interface Obstacle {
  readonly brief: string; // for a table
  readonly sentence: string; // the obstacle and its fix
  readonly isInstallable: boolean; // whether an installation removes the obstacle
}

/** Null if the implementation can be started. */
export function findObstacle(implementation: Installable): Obstacle | null {
  const { needs, install, name, version } = implementation.manifest;
  const missing = needs.filter((program) => !isOnPath(program, homeOf(implementation)));
  if (missing.length > 0) {
    const brief = `needs ${missing.join(" and ")}`;
    return { brief, sentence: `${name} ${brief} on the PATH`, isInstallable: false };
  }
  const installation = installationOf(implementation);
  if (installation === "whole") return null;
  if (install.registry === "owner") {
    const brief = `set ${install.variable}`;
    return { brief, sentence: ownerSentence(implementation), isInstallable: false };
  }
  const isOld = installation === "out of date";
  const argument = argumentOf({ folder: implementation.folder, variant: null });
  return {
    brief: isOld ? "out of date" : "not installed",
    sentence: `${name} ${version} ${isOld ? "is out of date: its installed files differ from the current files" : "is not installed"}; run: weir implementations install ${argument}`,
    isInstallable: whyNotInstallable(implementation) === null,
  };
}

export const whyNotRunnable = (implementation: Installable): string | null =>
  findObstacle(implementation)?.sentence ?? null;

/** Whether the machine has the program, or, if `home` is given, the installation in `home`. */
export function isOnPath(program: string, home: string | null = null): boolean {
  const folders = home === null ? foldersOfMachine() : foldersOfPath(home);
  return folders.some((folder) => isProgram(join(folder, program)));
}

function isProgram(file: string): boolean {
  try {
    accessSync(file, constants.X_OK);
    return statSync(file).isFile();
  } catch {
    return false;
  }
}
