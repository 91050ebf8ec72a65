// Programs in a folder that is the root of all files for them. Only root may start them.
import { spawn, spawnSync, type ChildProcess, type SpawnSyncReturns } from "node:child_process";
import { copyFileSync, existsSync, mkdirSync, mkdtempSync, readFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";

const ROOT = join(import.meta.dirname, "../..");
const { version } = JSON.parse(readFileSync(join(ROOT, "package.json"), "utf8")) as {
  readonly version: string;
};

const ARCHITECTURE = process.arch === "arm64" ? "arm64" : "x64";
const OTHER = ARCHITECTURE === "x64" ? "arm64" : "x64";

/** What the last release has made. */
export const RELEASED = {
  version,
  file: join(ROOT, "release", `weir-${version}-linux-${ARCHITECTURE}`),
  ofOtherProcessor: join(ROOT, "release", `weir-${version}-linux-${OTHER}`),
  tarball: join(ROOT, "release", `weir-${version}.tgz`),
};

export function requireRelease(): void {
  if (!existsSync(RELEASED.file))
    throw new Error(`there is no ${RELEASED.file}: npm run release -- --dry-run makes it`);
}

/** A folder with a program and the libraries that it is linked to, and nothing else. */
export function emptyRoot(program: string): string {
  const root = mkdtempSync(join(tmpdir(), "weir-root-"));
  const { stdout } = spawnSync("ldd", [program], { encoding: "utf8" });
  const libraries = [...stdout.matchAll(/(?:=> |\t)(\/\S+)/g)].map(([, file = ""]) => file);
  if (libraries.length < 5) throw new Error(`ldd ${program} names no libraries: ${stdout}`);
  for (const file of libraries) {
    mkdirSync(join(root, dirname(file)), { recursive: true });
    copyFileSync(file, join(root, file));
  }
  copyFileSync(program, join(root, "weir"));
  return root;
}

export interface Start {
  readonly root: string;
  readonly user?: string; // as chroot takes it: UID:GID
  readonly env?: Readonly<Record<string, string>>;
}

const argumentsOf = ({ root, user }: Start, words: readonly string[]): readonly string[] => [
  ...(user === undefined ? [] : [`--userspec=${user}`]),
  root,
  ...words,
];

const CHROOT = "/usr/sbin/chroot";

/** The program has only the variables of `start`. */
export const runIn = (start: Start, ...words: readonly string[]): SpawnSyncReturns<string> =>
  spawnSync(CHROOT, argumentsOf(start, words), { encoding: "utf8", env: start.env ?? {} });

export const startIn = (start: Start, ...words: readonly string[]): ChildProcess =>
  spawn(CHROOT, argumentsOf(start, words), {
    env: start.env ?? {},
    stdio: ["ignore", "pipe", "pipe"],
  });

/** The first text on its output that matches. Rejects with all of it if the program ends before. */
export function waitForLine(child: ChildProcess, pattern: RegExp): Promise<RegExpExecArray> {
  return new Promise((resolve, reject) => {
    let output = "";
    const onText = (text: string): void => {
      const found = pattern.exec((output += text));
      if (found !== null) resolve(found);
    };
    child.stdout!.setEncoding("utf8").on("data", onText);
    child.stderr!.setEncoding("utf8").on("data", onText);
    child.once("exit", () => reject(new Error(`it has ended: ${output}`)));
  });
}
