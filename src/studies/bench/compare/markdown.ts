// Renders a comparison as a comment on a pull request, which follows its answer; metrics without a gate are folded.
import { escapeMarkdown } from "../../../kit/reading/legible.ts";
import type { CaseWords } from "../metric-words.ts";
import type { BenchComparison, FigureVerdict } from "./comparison.ts";
import { phrasesOf, describeQuestion, describeRun, describeShown } from "./phrases.ts";

export function markdownOf(comparison: BenchComparison): string {
  const { suite, base, head, gates, shown, warnings, cases } = comparison;
  const blocks = [
    ...(gates.length === 0 ? [] : [tableOf(gates, cases)]),
    ...(warnings.length === 0
      ? []
      : [warnings.map((warning) => `> ${escapeMarkdown(warning)}`).join("\n>\n")]),
    ...(shown.length === 0 ? [] : [detailsOf(describeShown(comparison), tableOf(shown, cases))]),
    `Suite \`${suite.id}\`; ${describeQuestion(comparison)}.<br>\nBase: ${escapeMarkdown(describeRun(base))}.<br>\nHead: ${escapeMarkdown(describeRun(head))}.`,
  ];
  return blocks.join("\n\n");
}

/** GitHub renders a table inside `<details>` only after an empty line. */
const detailsOf = (summary: string, content: string): string =>
  `<details><summary>${summary}</summary>\n\n${content}\n\n</details>`;

const tableOf = (figures: readonly FigureVerdict[], cases: CaseWords | undefined): string =>
  [
    "| | | base | head | change | likely from, to | p |",
    "| --- | --- | ---: | ---: | ---: | ---: | ---: |",
    ...figures.map((one) => {
      const { word, name, base: ours, head: theirs, change, interval, p } = phrasesOf(one, cases);
      const cells = [word, name, ours, theirs, change, interval, p].map(escapeMarkdown);
      return `| ${cells.join(" | ")} |`;
    }),
  ].join("\n");
