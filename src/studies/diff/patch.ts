// A unified diff between two texts with the same number of lines, as `patch` reads it.
import type { ConfigurationFile } from "../../lab/implementations/reading.ts";

const CONTEXT = 3;

export function formatPatch(
  before: readonly ConfigurationFile[],
  after: readonly ConfigurationFile[],
): string {
  return before.map(({ file, text }, index) => diffOfFile(file, text, after[index]!.text)).join("");
}

function diffOfFile(file: string, before: string, after: string): string {
  if (before === after) return "";
  const [old, now] = [linesOf(before), linesOf(after)];
  const changed = [...old.keys()].filter((at) => old[at] !== now[at]);
  const hunks: string[] = [];
  for (let first = 0; first < changed.length;) {
    let last = first;
    while (changed[last + 1] !== undefined && changed[last + 1]! - changed[last]! <= 2 * CONTEXT)
      last++;
    const from = Math.max(0, changed[first]! - CONTEXT);
    const to = Math.min(old.length, changed[last]! + CONTEXT + 1);
    hunks.push(hunkOf(old, now, from, to));
    first = last + 1;
  }
  return `--- ${file}\n+++ ${file}\n${hunks.join("")}`;
}

/** Each line with its end: the last one may have none. */
const linesOf = (text: string): readonly string[] => text.match(/[^\n]*\n|[^\n]+$/g) ?? [];

function hunkOf(old: readonly string[], now: readonly string[], from: number, to: number): string {
  const write = (sign: string, line: string): string =>
    line.endsWith("\n") ? `${sign}${line}` : `${sign}${line}\n\\ No newline at end of file\n`;
  const lines: string[] = [];
  for (let at = from; at < to; at++)
    lines.push(
      ...(old[at] === now[at]
        ? [write(" ", old[at]!)]
        : [write("-", old[at]!), write("+", now[at]!)]),
    );
  const span = `${from + 1},${to - from}`;
  return `@@ -${span} +${span} @@\n${lines.join("")}`;
}
