// The folder for the files of a run, or for the page that the run serves. If a run is killed, a later run deletes
// its folder.
import { mkdtempSync, readdirSync, rmSync, statSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";

const OLD_MS = 24 * 60 * 60 * 1_000;
const OURS = /^weir-run-(\d+)-/;

export function runFolder(within = tmpdir()): string {
  for (const name of readdirSync(within)) {
    const owner = OURS.exec(name)?.[1];
    if (owner !== undefined && isLeft(join(within, name), Number(owner)))
      rmSync(join(within, name), { recursive: true, force: true });
  }
  return mkdtempSync(join(within, `weir-run-${process.pid}-`));
}

/** Whether a killed run left the folder. It must be old too: on a shared disk, its owner may run on another machine. */
function isLeft(folder: string, owner: number): boolean {
  const about = statSync(folder, { throwIfNoEntry: false });
  if (about === undefined || about.uid !== process.getuid?.()) return false;
  return Date.now() - about.mtimeMs > OLD_MS && !isThere(owner);
}

function isThere(pid: number): boolean {
  try {
    return process.kill(pid, 0);
  } catch (error) {
    return (error as NodeJS.ErrnoException).code !== "ESRCH";
  }
}
