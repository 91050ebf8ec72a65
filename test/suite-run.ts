// One run of the whole suite, compared with its reference: the main job. `.ci/run` has just run it and names its folder; otherwise the
// same command runs here, once. Tests read its results instead of running the scenarios again.
import { spawnSync } from "node:child_process";
import { mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { quietEnvironment } from "./cli/weir.ts";
import { entry } from "./built.ts";
import type { Result } from "#src/lab/scenario/verdict.ts";

const root = join(import.meta.dirname, "..");

export const REFERENCE = "reports/reference/conformance.json";

export interface SuiteRun {
  readonly exitCode: number;
  readonly printed: readonly string[]; // lines of standard output
  readonly results: readonly Result[];
}

/** The files of a run of the main job in a folder. */
const filesIn = (folder: string) => ({
  text: join(folder, "start.log"),
  json: join(folder, "start.json"),
  status: join(folder, "start.status"),
});

export function suiteRun(): SuiteRun {
  const folder = process.env["WEIR_SUITE_RUN"];
  return folder === undefined ? runSuite() : readRun(join(root, folder));
}

function readRun(folder: string): SuiteRun {
  const { text, json, status } = filesIn(folder);
  const exitCode = Number(readFileSync(status, "utf8"));
  return { exitCode, ...contentOf(readFileSync(text, "utf8"), json) };
}

function runSuite(): SuiteRun {
  const folder = mkdtempSync(join(tmpdir(), "weir-suite-"));
  try {
    const { json } = filesIn(folder);
    const options = ["--reference", REFERENCE, "--out", `json=${json}`];
    const { status, stdout, stderr } = spawnSync(
      process.execPath,
      [entry(), "run", "scenarios", ...options],
      { cwd: root, env: quietEnvironment, encoding: "utf8" },
    );
    if (status === null) throw new Error(`the suite did not run: ${stderr}`);
    return { exitCode: status, ...contentOf(stdout, json) };
  } finally {
    rmSync(folder, { recursive: true });
  }
}

function contentOf(text: string, json: string): Pick<SuiteRun, "printed" | "results"> {
  const { results } = JSON.parse(readFileSync(json, "utf8")) as Pick<SuiteRun, "results">;
  // npm prints the script before what the script prints.
  const lines = text.trimEnd().split("\n");
  const first = lines.findIndex((line) => line !== "" && !line.startsWith("> "));
  return { printed: lines.slice(first), results };
}
