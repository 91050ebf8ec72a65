// The sentences of a Markdown page, and those of a scenario that people read.
import { isMap, isScalar, LineCounter, parseDocument } from "yaml";
import { MOST_COLUMNS, MOST_WORDS } from "./patterns.ts";
import type { ProjectText } from "./code.ts";

export interface PageFinding {
  readonly line: number;
  readonly rule: string;
  readonly text: string;
}

interface PageLine {
  readonly text: string;
  readonly line: number;
}

/** `npm run docs:figures` writes the text of a chart from its run. */
const CHART = /^!\[[^\]]*\]\(\S+\.svg\)$/;

/** The lines of a page without its code: what a reader reads as sentences. */
function readableLines(text: string): readonly PageLine[] {
  let fence: string | null = null;
  return text.split("\n").flatMap((whole, index) => {
    const mark = /^\s*(`{3,}|~{3,})/.exec(whole)?.[1];
    if (mark !== undefined && (fence === null || whole.trim() === fence)) {
      fence = fence === null ? mark : null;
      return [];
    }
    return fence === null && !CHART.test(whole) ? [{ text: whole, line: index + 1 }] : [];
  });
}

/** Paragraphs: lines up to an empty one, a heading, an item or a row are one text. */
export function textsOfPage(text: string): readonly ProjectText[] {
  const texts: ProjectText[] = [];
  let open: { text: string; line: number } | null = null;
  const end = (): void => {
    if (open !== null) texts.push({ kind: "prose", ...open });
    open = null;
  };
  for (const { text: line, line: number } of readableLines(text)) {
    if (/^\s*$|^#|^\s*([-*]|\d+\.) |^\s*\|/.test(line)) end();
    if (line.trim() === "") continue;
    if (open === null) open = { text: line, line: number };
    else open.text += `\n${line}`;
    if (/^#|^\s*\|/.test(line)) end();
  }
  end();
  return texts;
}

export function pageFindings(text: string): readonly PageFinding[] {
  const isTable = (line: string): boolean => line.trimStart().startsWith("|");
  const long = readableLines(text)
    .filter((line) => !isTable(line.text))
    .filter(({ text: line }) => withoutAddresses(line).length > MOST_COLUMNS)
    .map(({ text: line, line: number }) => ({
      line: number,
      rule: "long line",
      text: `${line.length} columns, ${MOST_COLUMNS} at most`,
    }));
  const wordy = textsOfPage(text)
    .filter((paragraph) => !isTable(paragraph.text) && !paragraph.text.startsWith("#"))
    .flatMap((paragraph) =>
      sentencesIn(paragraph.text)
        .map(
          (sentence) =>
            [sentence, sentence.split(/\s+/).filter((word) => /\w/.test(word))] as const,
        )
        .filter(([, words]) => words.length > MOST_WORDS)
        .map(([sentence, words]) => ({
          line: paragraph.line,
          rule: "long sentence",
          text: `${words.length} words, ${MOST_WORDS} at most: ${sentence.slice(0, 60)}...`,
        })),
    );
  return [...long, ...wordy];
}

const withoutAddresses = (line: string): string =>
  line.replaceAll(/\]\([^)]*\)|https?:\/\/\S+/g, "]").replaceAll(/`[^`]*`/g, "`");

const sentencesIn = (paragraph: string): readonly string[] =>
  withoutCode(paragraph)
    .replaceAll(/\s+/g, " ")
    .split(/(?<=[.!?:])\s+(?=[A-Z"`*[(])/);

/** Spans of code, addresses and paths of files are names, not words. */
export const withoutCode = (text: string): string =>
  text
    .replaceAll(/`[^`]*`/g, "`")
    .replaceAll(/\]\([^)]*\)/g, "]")
    .replaceAll(/https?:\/\/\S+/g, "")
    .replaceAll(/\b[\w.-]+\/[\w./-]*\.(?:ts|js|mjs|md|yaml|json|txt|html)\b/g, "");

/** A scenario's id, title and about. */
export function textsOfScenario(text: string): readonly ProjectText[] {
  const lines = new LineCounter();
  const document = parseDocument(text, { lineCounter: lines });
  const { contents } = document;
  if (!isMap(contents)) return [];
  return contents.items.flatMap(({ key, value }): readonly ProjectText[] => {
    if (!isScalar(key) || !isScalar(value) || !["id", "title", "about"].includes(String(key.value)))
      return [];
    const line = lines.linePos(value.range[0]).line;
    const words =
      key.value === "id" ? String(value.value).replaceAll(/[-/]/g, " ") : String(value.value);
    return [{ kind: "prose", text: words, line }];
  });
}
