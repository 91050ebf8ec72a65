// A single executable contains the tarball of the package. Its first start unpacks it into a folder of the user, and later
// starts find it there: modules, threads and files of Weir then are files, as in an installed package.
import { renameSync, rmSync, statSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { gunzipSync } from "node:zlib";
import { Failure } from "../../src/kit/reading/failure.ts";
import { createFolders } from "../../src/kit/reading/folder.node.ts";
import { whyUnreadable } from "../../src/kit/reading/text-file.node.ts";

const VARIABLE = "WEIR_UNPACKED";

/** Added to the files of the package: `require` loads it, and it loads programs that `require` cannot. */
export const IMPORTER = "import.mjs";
const IMPORTER_CODE = "export const load = (url) => import(url);\n";

const BLOCK = 512;

const textAt = (tar: Buffer, at: number, length: number): string =>
  tar.toString("utf8", at, at + length).replace(/\0.*$/s, "");

/** The files of a package that npm has packed, by their paths in it. */
export function filesOf(tarball: Buffer): ReadonlyMap<string, Buffer> {
  const tar = gunzipSync(tarball);
  const files = new Map<string, Buffer>();
  for (let at = 0; tar[at] !== 0;) {
    const type = textAt(tar, at + 156, 1);
    const path = join(textAt(tar, at + 345, 155), textAt(tar, at, 100));
    if (type !== "0" || !path.startsWith("package/"))
      throw new Error(`the tarball has "${path}" of type "${type}", which is no file of a package`);
    const size = Number.parseInt(textAt(tar, at + 124, 12), 8);
    at += BLOCK;
    files.set(path.slice("package/".length), tar.subarray(at, at + size));
    at += Math.ceil(size / BLOCK) * BLOCK;
  }
  return files;
}

export interface User {
  readonly env: Readonly<Record<string, string | undefined>>;
  readonly uid: number;
}

/** The folder of all versions. Without a home, as under `env -i`, it is in /tmp. */
export function homeOf({ env, uid }: User): string {
  const { XDG_CACHE_HOME: caches, HOME: home } = env;
  return (
    env[VARIABLE] ||
    (caches ? join(caches, "weir") : home ? join(home, ".cache/weir") : `/tmp/weir-${uid}`)
  );
}

/** Why its files may be those of another user; null: they are not. */
function whyUntrusted(folder: string, { uid }: User): string | null {
  const { uid: owner, mode } = statSync(folder);
  if (owner !== uid && owner !== 0) return `user ${owner} owns it`;
  return (mode & 0o022) === 0 ? null : "other users can write to it";
}

/** Returns the folder with the files of the package, which has the digest in its name. */
export function unpack(tarball: () => Buffer, digest: string, user: User): string | Failure {
  const home = homeOf(user);
  const folder = join(home, digest);
  try {
    if (statSync(folder, { throwIfNoEntry: false }) === undefined) {
      createFolders(home, 0o755);
      write(filesOf(tarball()), folder);
    }
    for (const each of [home, folder]) {
      const why = whyUntrusted(each, user);
      if (why !== null)
        return new Failure(
          `cannot run from ${each}: ${why}; set ${VARIABLE} to a folder that only you can write to`,
        );
    }
    return folder;
  } catch (error) {
    return new Failure(
      `cannot unpack itself into ${home}: ${whyUnreadable(error)}; set ${VARIABLE} to a folder for 20 MB`,
    );
  }
}

/** Whole or not at all: another start may do the same at the same time. */
function write(files: ReadonlyMap<string, Buffer>, folder: string): void {
  const part = `${folder}.${process.pid}.part`;
  try {
    for (const [path, contents] of [...files, [IMPORTER, IMPORTER_CODE] as const]) {
      const file = join(part, path);
      createFolders(dirname(file), 0o755);
      writeFileSync(file, contents, { flag: "wx", mode: 0o644 });
    }
    renameSync(part, folder);
  } catch (error) {
    rmSync(part, { recursive: true, force: true });
    if (statSync(folder, { throwIfNoEntry: false }) === undefined) throw error;
  }
}
