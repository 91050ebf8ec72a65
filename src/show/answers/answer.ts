// Puts the answer of a command into its document and on its page.
import type { Answer } from "../../lab/report/answer.ts";
import { markdownProse } from "../../kit/reading/legible.ts";
import type { LimitersPart } from "../../lab/report/limiters.ts";
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

/** The same for a page of limiters, which has a headline of its own. */
export const beginWithAnswer = (part: LimitersPart, answer: Answer): LimitersPart => ({
  ...part,
  summary: [...answer.map(({ text }) => text), ...part.summary],
});

/** The first sentence strong, and the others as a paragraph after it. Names come from files and must not become markup. */
export function answerMarkdown(answer: Answer): string {
  const [first, ...others] = answer.map(({ text }) => markdownProse(text));
  return first === undefined ? "" : [`**${first}**`, others.join(" ")].join("\n\n").trimEnd();
}

const MOST_SENTENCES = 8;

/** As many sentences as one reads: `dispensable` has the ids of those that go first. The first sentence stays. */
export function shortenAnswer(
  answer: Answer,
  dispensable: readonly string[],
  most = MOST_SENTENCES,
): Answer {
  const surplus = new Set(
    answer
      .slice(1)
      .filter(({ id }) => dispensable.includes(id))
      .toReversed() // of several with one id the last ones go first
      .toSorted((a, b) => dispensable.indexOf(a.id) - dispensable.indexOf(b.id))
      .slice(0, Math.max(0, answer.length - most)),
  );
  return answer.filter((sentence) => !surplus.has(sentence));
}
