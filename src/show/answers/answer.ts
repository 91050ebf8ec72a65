// Puts the answer of a command into its document and on its page.
import type { Answer } from "../../lab/report/answer.ts";
import type { MeasuredPart } from "../../lab/report/measured.ts";

/** The document with its answer first, because people read documents too. */
export function addAnswer<D extends { readonly format: string }>(
  document: D,
  answerOf: (document: D) => Answer,
): D & { readonly answer: Answer } {
  return Object.assign({ format: document.format, answer: answerOf(document) }, document);
}

/** The part of a page with the first sentence as its headline, and the others before its summary. */
export function leadWithAnswer(part: MeasuredPart, answer: Answer): MeasuredPart {
  const [first, ...others] = answer.map(({ text }) => text);
  if (first === undefined) return part;
  return {
    ...part,
    headline: first.replace(/\.$/, ""),
    summary: [...others, ...part.summary],
  };
}

/** The answer in Markdown: the first sentence strong, the others as a list, and an empty line after them. */
export function answerMarkdown(answer: Answer): readonly string[] {
  const [first, ...others] = answer.map(({ text }) => escapeMarkdown(text));
  if (first === undefined) return [];
  return [
    `**${first}**`,
    "",
    ...(others.length === 0 ? [] : [...others.map((text) => `- ${text}`), ""]),
  ];
}

const escapeMarkdown = (text: string): string => text.replaceAll(/[\\`*_<>|[\]]/g, String.raw`\$&`);
