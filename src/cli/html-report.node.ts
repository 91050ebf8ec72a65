// `--html`: saves the results of a run as a page, with the JSON that the page is rendered from.
import { spawnSync } from "node:child_process";
import { checkout } from "../studies/bench/resources/machine.node.ts";
import { TYPED } from "../show/page/live.ts";
import { reportOf } from "../lab/report/build/report-of.ts";
import type { ScenarioReport } from "../lab/report/model.ts";
import { digest } from "../lab/scenario/history/digest.node.ts";
import { jsonFileOf } from "./html-option.node.ts";
import { writePage } from "./page-file.node.ts";
import { withoutPassword } from "./store-option.node.ts";
import type { Terminal } from "./terminal.ts";
import { versionOfWeir } from "./version.node.ts";

interface ToDraw {
  readonly seed: number;
  readonly startedAt: Date;
  readonly isComplete: boolean;
  readonly faults: readonly string[];
  readonly warnings: readonly string[];
  readonly scenarios: readonly ScenarioReport[];
}

/** The arguments as the user typed them, without the flags that `weir run --watch` adds when it restarts a run. */
function typeableCommand(): readonly string[] {
  const by = process.env[TYPED];
  return by === undefined ? process.argv.slice(2) : (JSON.parse(by) as readonly string[]);
}

/** The commit of the project in whose folder the command runs; null outside a checkout. */
function commitHere(): string | null {
  const { status, stdout } = spawnSync("git", ["rev-parse", "--show-toplevel"], {
    encoding: "utf8",
  });
  if (status !== 0) return null;
  const { commit, changed } = checkout(stdout.trim());
  return commit === null ? null : `${commit}${changed ? "+" : ""}`;
}

/** Returns false if the report could not be written. */
export async function saveReport(
  file: string,
  { startedAt, warnings, ...run }: ToDraw,
  isOpened: boolean,
  terminal: Terminal,
): Promise<boolean> {
  const report = reportOf(
    {
      ...run,
      ...(warnings.length === 0 ? {} : { warnings }),
      argv: withoutPassword(typeableCommand()),
      startedAt: startedAt.toISOString(),
      tookSeconds: Math.round(Date.now() - startedAt.getTime()) / 1_000,
      commit: commitHere(),
      versions: { weir: versionOfWeir(), node: process.versions.node },
    },
    run.scenarios,
    (text) => digest([text]),
  );
  const json = { file: jsonFileOf(file), text: `${JSON.stringify(report)}\n` };
  return writePage(file, { run: report, measured: [], document: json }, isOpened, terminal);
}
