// What a run came to, told to files (`--out`) and to the build server that it runs on.
import { appendFileSync, lstatSync, mkdirSync, writeFileSync } from "node:fs";
import { dirname, relative, resolve, sep } from "node:path";
import { annotationLines } from "../report/ci/annotations.ts";
import { badgeSvg } from "../report/ci/badge.ts";
import { junitXml } from "../report/ci/junit.ts";
import { markdownSummary } from "../report/ci/markdown.ts";
import { documentText, toldOfRun, type Reported } from "./run-report.ts";
import type { Terminal } from "./terminal.ts";
import { whyUnreadable, writeWhole } from "../reading/text-file.node.ts";

const KINDS = {
  junit: (reported: Reported) => junitXml(toldOfRun(reported)),
  markdown: (reported: Reported) => markdownSummary(toldOfRun(reported)),
  badge: (reported: Reported) => badgeSvg(toldOfRun(reported)),
  json: (reported: Reported) => `${documentText(reported)}\n`,
} as const;

type Kind = keyof typeof KINDS;

const isKind = (name: string): name is Kind => Object.hasOwn(KINDS, name);

export interface Elsewhere {
  readonly kind: Kind;
  readonly file: string;
}

/** Of what --out was given; a text says what is wrong with it. */
export function elsewhereOf(typed: readonly string[]): readonly Elsewhere[] | string {
  const elsewhere: Elsewhere[] = [];
  for (const each of typed) {
    const [kind = "", ...rest] = each.split("=");
    const file = rest.join("=");
    if (!isKind(kind) || file === "")
      return `--out takes ${Object.keys(KINDS).join(", ")} with a file, such as junit=weir.xml, not "${each}"`;
    // Every file is written anew, and what is run is written by hand.
    if (/\.ya?ml$/i.test(file))
      return `--out ${each} would write over a scenario; name a file that does not end in .yaml`;
    if (elsewhere.some((other) => resolve(other.file) === resolve(file)))
      return `--out names ${file} twice; give each output a file of its own`;
    elsewhere.push({ kind, file });
  }
  return elsewhere;
}

/** When it is sure to run, and before anything does, so that what an earlier run left is never taken for this one's: a sentence where it cannot be. */
export function emptied(elsewhere: readonly Elsewhere[]): string | null {
  for (const { file } of elsewhere) {
    const fault = trying(file, () => {
      mkdirSync(dirname(file), { recursive: true });
      writeFileSync(file, "");
    });
    if (fault !== null) return fault;
  }
  return null;
}

/** False where something could not be written. */
export function tellElsewhere(
  elsewhere: readonly Elsewhere[],
  reported: Reported,
  { err }: Terminal,
): boolean {
  const faults = elsewhere.map(({ kind, file }) =>
    trying(file, () => written(file, KINDS[kind](reported))),
  );
  const { GITHUB_ACTIONS: actions, GITHUB_STEP_SUMMARY: summary = "" } = process.env;
  if (summary !== "")
    faults.push(trying(summary, () => appendFileSync(summary, `${KINDS.markdown(reported)}\n`)));
  // The runner reads both streams, and what somebody pipes stays what it is.
  if (actions === "true")
    for (const line of annotationLines(toldOfRun(reported), placeInRepository)) err(line);
  for (const fault of faults) if (fault !== null) err(fault);
  return faults.every((fault) => fault === null);
}

/** What is no plain file, such as a pipe, a terminal or a link, stays what it is. */
function written(file: string, text: string): void {
  if (lstatSync(file, { throwIfNoEntry: false })?.isFile() ?? true) writeWhole(file, text);
  else writeFileSync(file, text);
}

function placeInRepository(file: string): string {
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
