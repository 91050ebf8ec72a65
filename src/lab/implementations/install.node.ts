// Installs an implementation into the cache: first under a temporary name, then renamed as a whole, so that a failed or
// interrupted installation never looks complete.
import { spawn, type ChildProcessByStdio } from "node:child_process";
import { once } from "node:events";
import type { Readable, Writable } from "node:stream";
import {
  cpSync,
  existsSync,
  readdirSync,
  renameSync,
  rmdirSync,
  rmSync,
  writeFileSync,
} from "node:fs";
import { basename, dirname, join } from "node:path";
import { Failure, isFailure } from "../../kit/reading/failure.ts";
import { createFolders } from "../../kit/reading/folder.node.ts";
import type { Implementation } from "./catalogue.node.ts";
import type { Registry } from "./manifest.ts";
import { launching } from "./process.node.ts";
import {
  cacheFolder,
  digestOf,
  filesToInstall,
  homeOf,
  INSTALLED,
  isInstalled,
  searchPath,
  whyNotInstallable,
} from "./home.node.ts";

export interface InstallWork {
  readonly progress: (line: string) => void;
  /** Ends the command that is running. */
  readonly interrupted: AbortSignal;
}

export async function install(
  implementation: Implementation,
  work: InstallWork,
): Promise<string | Failure> {
  const { folder, manifest } = implementation;
  const id = basename(folder);
  const home = homeOf(implementation);
  const { registry } = manifest.install;
  if (registry === "none") return `${manifest.name} needs no installation`;
  if (isInstalled(implementation))
    return `${manifest.name} ${manifest.version} is installed already`;
  const missing = whyNotInstallable(implementation);
  if (missing !== null) return new Failure(missing);
  const partial = `${home}.partial-${process.pid}`;
  removePartials();
  createFolders(partial);
  try {
    for (const { from, to } of filesToInstall(implementation)) cpSync(from, join(partial, to));
    if (registry === "maven")
      writeFileSync(join(partial, "pom.xml"), mavenProject(manifest.install.packages));
    for (const command of commandsOf(implementation, partial)) {
      work.progress(`${id}: ${command.join(" ").replaceAll(partial, "{home}")}`);
      const failed = await run(command, partial, work);
      if (isFailure(failed)) return failed;
    }
    writeFileSync(
      join(partial, INSTALLED),
      `${JSON.stringify({ id, version: manifest.version, digest: digestOf(implementation) })}\n`,
    );
    rmSync(home, { recursive: true, force: true });
    renameSync(partial, home);
    return `${manifest.name} ${manifest.version} is installed`;
  } finally {
    rmSync(partial, { recursive: true, force: true });
    removeEmpty(dirname(home));
  }
}

/** Removes partial installations whose process has ended, and empty folders. */
function removePartials(): void {
  const cache = cacheFolder();
  for (const id of existsSync(cache) ? readdirSync(cache) : []) {
    const folder = join(cache, id);
    for (const name of readdirSync(folder)) {
      const [, pid] = /\.partial-(\d+)$/.exec(name) ?? [];
      if (pid !== undefined && !isAlive(Number(pid)))
        rmSync(join(folder, name), { recursive: true, force: true });
    }
    removeEmpty(folder);
  }
}

function removeEmpty(folder: string): void {
  if (readdirSync(folder).length === 0) rmdirSync(folder);
}

function isAlive(pid: number): boolean {
  try {
    process.kill(pid, 0);
    return true;
  } catch (error) {
    return (error as NodeJS.ErrnoException).code === "EPERM";
  }
}

/** The commands that install the packages, followed by the build commands of the manifest. */
function commandsOf(
  {
    manifest: {
      install: { registry, packages, build },
    },
  }: Implementation,
  home: string,
): readonly (readonly string[])[] {
  const fill = (command: readonly string[]): readonly string[] =>
    command.map((part) => part.replaceAll("{home}", home));
  return [...PACKAGES[registry](packages, home), ...build.map(fill)];
}

type PackageCommands = (
  packages: readonly string[],
  home: string,
) => readonly (readonly string[])[];

const NO_PACKAGES: PackageCommands = () => [];

const PACKAGES: Readonly<Record<Registry, PackageCommands>> = {
  npm: (packages) => [
    [
      "npm",
      "install",
      "--no-save",
      "--ignore-scripts",
      "--no-audit",
      "--no-fund",
      "--prefix",
      ".",
      ...packages,
    ],
  ],
  pip: (packages, home) => [
    [
      "python3",
      "-m",
      "pip",
      "install",
      "--quiet",
      "--disable-pip-version-check",
      "--target",
      join(home, "site"),
      ...packages,
    ],
  ],
  cargo: (packages) => [
    ["cargo", "init", "--quiet", "--vcs", "none", "--name", "limiter"],
    ...packages.map((each) => ["cargo", "add", "--quiet", ...each.split(" ")]),
  ],
  go: (packages) => [
    ["go", "mod", "init", "limiter"],
    ["go", "get", ...packages],
    ["go", "mod", "tidy"],
  ],
  maven: () => [["mvn", "-B", "-q", "dependency:copy-dependencies", "-DoutputDirectory=lib"]],
  owner: NO_PACKAGES,
  none: NO_PACKAGES,
  apt: (packages, home) => [["sh", "-c", DOWNLOAD, "sh", home, ...packages]],
};

// Installs the packages, and the dependencies that the machine lacks, into the cache instead of the system.
const DOWNLOAD = `set -e
home=$1; shift
mkdir -p "$home/archives/partial"
apt-get install -y -q --reinstall --download-only --no-install-recommends -o Debug::NoLocking=1 -o "Dir::Cache::archives=$home/archives" "$@"
for archive in "$home"/archives/*.deb; do dpkg -x "$archive" "$home"; done
rm -r "$home/archives"`;

/** A Maven project that has only dependencies. `packages` are written GROUP:ARTIFACT:VERSION. */
function mavenProject(packages: readonly string[]): string {
  const dependencies = packages.map((each) => {
    const [group, artifact, version] = each.split(":");
    return `<dependency><groupId>${group}</groupId><artifactId>${artifact}</artifactId><version>${version}</version></dependency>`;
  });
  return `<project><modelVersion>4.0.0</modelVersion><groupId>weir</groupId><artifactId>limiter</artifactId><version>1</version>
<dependencies>${dependencies.join("")}</dependencies></project>
`;
}

const LAST_LINES = 12;

async function run(
  command: readonly string[],
  home: string,
  { progress, interrupted }: InstallWork,
): Promise<null | Failure> {
  const isInterrupted = (): boolean => interrupted.aborted;
  if (isInterrupted()) return new Failure("interrupted");
  const child = spawn("sh", launching(command), {
    cwd: home,
    env: { ...process.env, ...searchPath(home) },
    stdio: ["ignore", "pipe", "pipe", "pipe"],
    detached: true, // its own process group, which is ended as a whole
  }) as unknown as ChildProcessByStdio<null, Readable, Readable>;
  const lease = child.stdio[3 as 2] as unknown as Writable;
  lease.on("error", () => undefined);
  child.once("exit", () => lease.end()); // also ends the processes that the command started
  const end = (): void => void (child.pid !== undefined && process.kill(-child.pid, "SIGKILL"));
  interrupted.addEventListener("abort", end);
  const last: string[] = [];
  for (const stream of [child.stdout, child.stderr])
    stream.setEncoding("utf8").on("data", (text: string) => {
      for (const line of text.split("\n").filter((each) => each.trim() !== "")) {
        last.push(line);
        if (last.length > LAST_LINES) last.shift();
        progress(line);
      }
    });
  try {
    const [code, signal] = (await once(child, "close")) as [number | null, string | null];
    if (isInterrupted()) return new Failure("interrupted");
    return code === 0
      ? null
      : new Failure(
          `${command.join(" ")} ended with ${signal ?? `code ${code}`}:`,
          ...last.map((line) => `  ${line}`),
        );
  } catch (error) {
    return new Failure(`${command[0]} does not start: ${(error as Error).message}`);
  } finally {
    interrupted.removeEventListener("abort", end);
  }
}
