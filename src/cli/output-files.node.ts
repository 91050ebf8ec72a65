// Saves the results of a run to files (`--out`), and reports them to the build server on which it runs.
import { appendFileSync, lstatSync, rmSync } from "node:fs";
import { dirname, relative, resolve, sep } from "node:path";
import { Failure } from "../kit/reading/failure.ts";
import { annotationLines } from "../show/ci/annotations.ts";
import { badgeSvg } from "../show/ci/badge.ts";
import { junitXml } from "../show/ci/junit.ts";
import { markdownSummary } from "../show/ci/markdown.ts";
import { documentText, summaryOf, type Reported } from "./run-report.ts";
import { createFolder, whyUnwritable } from "../kit/reading/folder.node.ts";
import type { Terminal } from "./terminal.ts";
import { whyUnreadable, writeWhole } from "../kit/reading/text-file.node.ts";

const KINDS = {
  junit: (reported: Reported) => junitXml(summaryOf(reported)),
  markdown: (reported: Reported) => markdownSummary(summaryOf(reported)),
  badge: (reported: Reported) => badgeSvg(summaryOf(reported)),
  json: (reported: Reported) => `${documentText(reported)}\n`,
} as const;

type Kind = keyof typeof KINDS;

const isKind = (name: string): name is Kind => Object.hasOwn(KINDS, name);

export interface OutputFile {
  readonly kind: Kind;
  readonly file: string;
}

/** Parses the files of --out. */
export function outputFilesOf(typed: readonly string[]): readonly OutputFile[] | Failure {
  const elsewhere: OutputFile[] = [];
  for (const each of typed) {
    const [kind = "", ...rest] = each.split("=");
    const file = rest.join("=");
    if (!isKind(kind) || file === "")
      return new Failure(
        `--out must be one of ${Object.keys(KINDS).join(", ")} with a file, such as junit=weir.xml; got "${each}"`,
      );
    // These files are overwritten, so none may look like a scenario, which a user wrote.
    if (/\.ya?ml$/i.test(file))
      return new Failure(
        `--out ${each} would write over a scenario; name a file that does not end in .yaml`,
      );
    if (elsewhere.some((other) => resolve(other.file) === resolve(file)))
      return new Failure(`--out names ${file} twice; give each output a file of its own`);
    elsewhere.push({ kind, file });
  }
  return elsewhere;
}

/**
 * Deletes the files of an earlier run before this run starts, so that no reader takes them for files of this run.
 * Returns an error if a file cannot be deleted or written.
 */
export function removeOutputs(elsewhere: readonly OutputFile[]): string | null {
  for (const { file } of elsewhere) {
    const problem =
      whyUnwritable(file) ??
      trying(file, () => {
        if (lstatSync(file, { throwIfNoEntry: false })?.isFile() === true) rmSync(file);
      });
    if (problem !== null) return problem;
  }
  return null;
}

/** Returns false if something could not be written. */
export function saveOutputs(
  elsewhere: readonly OutputFile[],
  reported: Reported,
  { err }: Terminal,
): boolean {
  const problems = elsewhere.map(
    ({ kind, file }) =>
      createFolder(dirname(file)) ?? trying(file, () => writeWhole(file, KINDS[kind](reported))),
  );
  problems.push(
    reportToServer(
      () => KINDS.markdown(reported),
      () => annotationLines(summaryOf(reported), placeInRepository),
      err,
    ),
  );
  for (const problem of problems) if (problem !== null) err(problem);
  return problems.every((problem) => problem === null);
}

/** Adds a text to the summary of a build on GitHub, and lines at places of files. Returns a problem, or null. */
export function reportToServer(
  markdown: () => string,
  annotations: () => readonly string[],
  err: (line: string) => void,
): string | null {
  const { GITHUB_ACTIONS: actions, GITHUB_STEP_SUMMARY: summary = "" } = process.env;
  // Annotations are written to stderr, which GitHub reads too, because stdout may be piped into another program.
  if (actions === "true") for (const line of annotations()) err(line);
  return summary === "" ? null : trying(summary, () => appendFileSync(summary, `${markdown()}\n`));
}

export function placeInRepository(file: string): string {
  const { GITHUB_WORKSPACE: root = "" } = process.env;
  return root === "" ? file : relative(root, resolve(file)).replaceAll(sep, "/");
}

function trying(file: string, write: () => void): string | null {
  try {
    write();
    return null;
  } catch (error) {
    return `${file}: ${whyUnreadable(error)}`;
  }
}
