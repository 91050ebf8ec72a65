// Installs implementations one after the other. A failed installation is removed, and the next one starts.
import { basename } from "node:path";
import type { Implementation } from "../lab/implementations/catalogue.node.ts";
import { whyNotInstallable } from "../lab/implementations/home.node.ts";
import { install } from "../lab/implementations/install.node.ts";
import { isFailure } from "../kit/reading/failure.ts";
import { EXIT, type ExitCode } from "./exit.ts";
import { interruption } from "./interruption.node.ts";
import type { Terminal } from "./terminal.ts";

/** If `isWhole` (--all), implementations whose installer this machine lacks are skipped without a failure. */
export async function installAll(
  all: readonly Implementation[],
  isWhole: boolean,
  { out, err, status }: Terminal,
): Promise<ExitCode> {
  const folders = [...new Map(all.map((each) => [each.folder, each])).values()]; // variants share an installation
  const { stop, isWanted } = interruption();
  const interrupted = new AbortController();
  void stop.then(() => interrupted.abort());
  const failed: string[] = [];
  let skipped = 0;
  let installed = 0;
  for (const [index, implementation] of folders.entries()) {
    if (isWanted()) break;
    const id = basename(implementation.folder);
    const missing = isWhole ? whyNotInstallable(implementation) : null;
    if (missing !== null) {
      skipped++;
      err(`left out: ${missing}`);
      continue;
    }
    const place = `${index + 1} of ${folders.length}: `;
    const done = await install(implementation, {
      progress: (line) => status(place + line),
      interrupted: interrupted.signal,
    });
    if (isFailure(done)) {
      failed.push(id);
      const [why, ...details] = done.problems;
      err(`${id} is not installed: ${why}`);
      for (const line of details) err(line);
    } else {
      installed++;
      out(done);
    }
  }
  status("");
  if (isWanted()) {
    err(`interrupted after ${installed} of ${folders.length}; complete installations stay`);
    return EXIT.interrupted;
  }
  const names = failed.length === 0 ? "" : ` (${failed.join(", ")})`;
  if (folders.length > 1)
    out(`${installed} installed, ${failed.length} failed${names}, ${skipped} left out`);
  return failed.length === 0 ? EXIT.passed : EXIT.unreachable;
}
