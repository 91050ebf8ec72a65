// `--html`: what a run came to as a page, and as the document that it is drawn from.
import { writeFileSync } from "node:fs";
import { checkout } from "../bench/resources/machine.node.ts";
import { pageText } from "../page/page-text.node.ts";
import { reportOf } from "../report/build/report-of.ts";
import type { Report, ScenarioReport } from "../report/model.ts";
import { digest } from "../scenario/history/digest.node.ts";
import { jsonBeside, opened } from "./html-option.node.ts";
import type { Terminal } from "./terminal.ts";
import { whyUnreadable } from "./text-file.node.ts";
import { versionOfWeir } from "./version.node.ts";

export interface ToDraw {
  readonly seed: number;
  readonly startedAt: Date;
  readonly isComplete: boolean;
  readonly scenarios: readonly ScenarioReport[];
}

/** False where it could not be written. */
export function drawReport(
  file: string,
  { startedAt, ...run }: ToDraw,
  isOpened: boolean,
  terminal: Terminal,
): Promise<boolean> {
  const { commit, changed } = checkout();
  const report = reportOf(
    {
      ...run,
      argv: process.argv.slice(2),
      startedAt: startedAt.toISOString(),
      tookSeconds: Math.round(Date.now() - startedAt.getTime()) / 1_000,
      commit: commit === null ? null : `${commit}${changed ? "+" : ""}`,
      versions: { weir: versionOfWeir(), node: process.versions.node },
    },
    run.scenarios,
    (text) => digest([text]),
  );
  return writtenPage(file, report, isOpened, terminal, true);
}

export async function writtenPage(
  file: string,
  report: Report,
  isOpened: boolean,
  { err, status }: Terminal,
  withDocument: boolean,
): Promise<boolean> {
  status(`drawing ${file}`);
  const page = await pageText(report, []);
  status("");
  try {
    writeFileSync(file, page);
    if (withDocument) writeFileSync(jsonBeside(file), `${JSON.stringify(report)}\n`);
  } catch (error) {
    err(`${file}: ${whyUnreadable(error)}`);
    return false;
  }
  err(`drawn: ${file}`);
  const fault = isOpened ? await opened(file) : null;
  if (fault !== null) err(fault);
  return true;
}
