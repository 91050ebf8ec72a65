// Text for output: makes strings of users safe to print, and formats numbers.

/** Control characters except tab and line ends, Unicode line separators and direction controls, lone surrogates. */
const ILLEGIBLE =
  /[^\t\n\r\u0020-\u007E\u00A0-\u2027\u202F-\u2065\u206A-\uD7FF\uE000-\uFFFD\u{10000}-\u{10FFFF}]/gu;

/** Escapes, as JSON does, characters that XML cannot contain or a terminal would execute. */
export const legible = (text: string): string => text.replaceAll(ILLEGIBLE, byNumber);

/**
 * Escapes line ends: text after a line end could look like a line that Weir prints, and a build server executes lines
 * that begin with "::". Also escapes "##[", which GitHub's build server executes anywhere in a line.
 */
export const oneLine = (text: string): string =>
  legible(text)
    .replaceAll(/[\t\n\r]/g, (sign) => JSON.stringify(sign).slice(1, -1))
    .replaceAll(/(?<=#)#(?=\[)/g, byNumber);

function byNumber(sign: string): string {
  return String.raw`\u${sign.codePointAt(0)!.toString(16).padStart(4, "0")}`;
}

/** Escapes a cell of a Markdown table, because names come from files and must not become markup or lines. */
export const escapeMarkdown = (text: string): string =>
  oneLine(text).replaceAll(/[\\|<>*_`[\]]/g, "\\$&");

/** A sentence that may have names from files: plain if it has nothing that Markdown, GitHub or a build server reads. */
export const markdownProse = (text: string): string =>
  /^\w[\w ,.:;=()%+'?/-]*$/.test(text) && !/_\b|\b_|\/\//.test(text) ? text : codeSpan(text);

/** A code span on one line, because a line break ends it. Do not use it in tables: a "|" would end the cell. */
export function codeSpan(text: string): string {
  const line = oneLine(clip(text));
  const fence = fenceFor(line, 1);
  const gap = /^[` ]|[` ]$/.test(line) || line === "" ? " " : "";
  return `${fence}${gap}${line}${gap}${fence}`;
}

/** A fence with more backticks than any sequence of them in the text. */
export const fenceFor = (text: string, atLeast: number): string =>
  "`".repeat(Math.max(atLeast, ...[...text.matchAll(/`+/g)].map(([ticks]) => ticks.length + 1)));

/** Shortens a text, because a build server cuts off a long text and everything after it. */
export const clip = (text: string): string =>
  text.length <= LONGEST ? text : `${text.slice(0, LONGEST).toWellFormed()} [...]`;

const LONGEST = 1_000;

export const LONGEST_CLIENT = 60;

/** Shortens a name for a sentence, or for a cell of a table. */
export const cut = (text: string, longest = LONGEST_CLIENT): string =>
  text.length > longest ? `${text.slice(0, longest - 3)}...` : text;

/** "request" if the count is 1, else "requests". */
export const plural = (count: number, one: string, several: string = `${one}s`): string =>
  count === 1 ? one : several;

/** "1 request", "2 requests". */
export const many = (count: number, one: string, several?: string): string =>
  `${count} ${plural(count, one, several)}`;

/** "4.2 %"; 0 if `all` is 0. */
export const percentText = (part: number, all: number): string =>
  `${((100 * part) / Math.max(1, all)).toFixed(1)} %`;

/** Rounds a share, but writes `0 %` and `100 %` only for exactly these. */
export const percent = (part: number | null): string => {
  if (part === null) return "";
  if (part === 0) return "0 %";
  if (part === 1) return "100 %";
  const text = (100 * part).toFixed(1);
  return { "0.0": "<0.1 %", "100.0": ">99.9 %" }[text] ?? `${text} %`;
};

/** "2,103". */
export const thousands = (value: number): string => value.toLocaleString("en-US");

/** "2,103 requests". */
export const countText = (count: number, one: string): string =>
  `${thousands(count)} ${plural(count, one)}`;

/** Writes a share as a percentage with all its digits, which `percent` would round. */
export const exactPercent = (share: number): string => `${Number((100 * share).toPrecision(12))} %`;

/** Formats a number with three significant digits and separated thousands. */
export function figure(value: number): string {
  if (value === 0 || !Number.isFinite(value)) return String(value);
  const digits = Math.max(0, 2 - Math.floor(Math.log10(Math.abs(value))));
  const rounded = Number(value.toFixed(Math.min(digits, 6)));
  return rounded.toLocaleString("en-GB", { maximumFractionDigits: 6, useGrouping: true });
}

/** The meaning of a piece of text; a terminal has a colour for each tone. */
export type Tone = "good" | "bad" | "doubtful" | "faint" | "strong";

export type Paint = (tone: Tone, text: string) => string;

export const plainPaint: Paint = (_tone, text) => text;
