// A comparison as a comment for a pull request: the verdict first, what it stands on folded away.
import type { Comparison, Judged } from "./compare.ts";
import {
  doubtOf,
  headlineOf,
  phrasesOf,
  questionInWords,
  runInWords,
  shownInWords,
} from "./phrases.ts";

export function markdownOf(comparison: Comparison): string {
  const { suite, base, head, gates, shown, warnings, word } = comparison;
  const doubts = gates.flatMap((judged) => {
    const doubt = doubtOf(judged);
    return doubt === null
      ? []
      : [`- ${escapeMarkdown(phrasesOf(judged).name)}: ${escapeMarkdown(doubt)}`];
  });
  const headline = escapeMarkdown(headlineOf(comparison)).slice(word.length);
  const blocks = [
    `**${word}**${headline}`,
    ...(gates.length === 0 ? [] : [tableOf(gates)]),
    ...(doubts.length === 0 ? [] : [doubts.join("\n")]),
    ...(warnings.length === 0
      ? []
      : [warnings.map((warning) => `> ${escapeMarkdown(warning)}`).join("\n>\n")]),
    ...(shown.length === 0 ? [] : [folded(shownInWords(comparison), tableOf(shown))]),
    `Suite \`${suite.id}\`; ${questionInWords(comparison)}.<br>\nBase: ${escapeMarkdown(runInWords(base))}.<br>\nHead: ${escapeMarkdown(runInWords(head))}.`,
  ];
  return blocks.join("\n\n");
}

/** GitHub draws a table in it only behind an empty line. */
const folded = (summary: string, content: string): string =>
  `<details><summary>${summary}</summary>\n\n${content}\n\n</details>`;

const tableOf = (judged: readonly Judged[]): string =>
  [
    "| | | base | head | change | likely from, to | p |",
    "| --- | --- | ---: | ---: | ---: | ---: | ---: |",
    ...judged.map((one) => {
      const { word, name, base: ours, head: theirs, change, interval, p } = phrasesOf(one);
      const cells = [word, name, ours, theirs, change, interval, p].map(escapeMarkdown);
      return `| ${cells.join(" | ")} |`;
    }),
  ].join("\n");

/** Names come from files: none of them may become markup. */
export const escapeMarkdown = (text: string): string => text.replaceAll(/[\\|<>*_`[\]]/g, "\\$&");
