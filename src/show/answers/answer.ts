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

/** The part of a page with the first sentence as its headline, and the others below it. */
export function leadWithAnswer(part: MeasuredPart, answer: Answer): MeasuredPart {
  const [first, ...others] = answer.map(({ text }) => text);
  return first === undefined
    ? part
    : { ...part, headline: first.replace(/\.$/, ""), answer: others };
}
