// `--html`: what a run came to as a page, and as the document that it is drawn from.
import { realpathSync } from "node:fs";
import { isAbsolute, join, relative } from "node:path";
import { checkout } from "../bench/resources/machine.node.ts";
import { TYPED } from "../report/page/live.ts";
import { reportOf } from "../report/build/report-of.ts";
import type { ScenarioReport } from "../report/model.ts";
import { digest } from "../scenario/history/digest.node.ts";
import { jsonBeside } from "./html-option.node.ts";
import { writtenPage } from "./page-file.node.ts";
import { withoutPassword } from "./store-option.node.ts";
import type { Terminal } from "./terminal.ts";
import { versionOfWeir } from "./version.node.ts";

export interface ToDraw {
  readonly seed: number;
  readonly startedAt: Date;
  readonly isComplete: boolean;
  readonly faults: readonly string[];
  readonly scenarios: readonly ScenarioReport[];
}

/** What is typed to have this page again, and not what starts one of the runs that follow one another. */
function typed(): readonly string[] {
  const by = process.env[TYPED];
  return by === undefined ? process.argv.slice(2) : (JSON.parse(by) as readonly string[]);
}

const ROOT = join(import.meta.dirname, "..", "..");

function isInWeir(): boolean {
  const way = relative(realpathSync(ROOT), realpathSync(process.cwd()));
  return !way.startsWith("..") && !isAbsolute(way);
}

/** False where it could not be written. */
export async function drawReport(
  file: string,
  { startedAt, ...run }: ToDraw,
  isOpened: boolean,
  terminal: Terminal,
): Promise<boolean> {
  // The commit is Weir's, and says nothing of scenarios elsewhere.
  const { commit, changed } = isInWeir() ? checkout() : { commit: null, changed: false };
  const report = reportOf(
    {
      ...run,
      argv: withoutPassword(typed()),
      startedAt: startedAt.toISOString(),
      tookSeconds: Math.round(Date.now() - startedAt.getTime()) / 1_000,
      commit: commit === null ? null : `${commit}${changed ? "+" : ""}`,
      versions: { weir: versionOfWeir(), node: process.versions.node },
    },
    run.scenarios,
    (text) => digest([text]),
  );
  const beside = { file: jsonBeside(file), text: `${JSON.stringify(report)}\n` };
  return writtenPage(file, { run: report, measured: [], beside }, isOpened, terminal);
}
