// A result as Markdown, for a page or a pull request.
import { figure } from "../../kit/reading/legible.ts";
import type { BenchResult } from "./result.ts";
import { tablesOf } from "./table.ts";

export function markdownOf(result: BenchResult): string {
  const { suite, target, stopped, warnings, seed } = result;
  const line = (texts: readonly string[]): string => `| ${texts.join(" | ")} |`;
  return [
    `### ${suite.title}${target === null ? "" : ` (${target})`}`,
    "",
    ...(stopped === null ? [] : [`**Partial:** ${stopped}.`, ""]),
    ...tablesOf(result).flatMap(({ title, notes, legend, heads, rows }) => [
      ...(title === null ? [] : [`**${title}**`, ""]),
      line(heads.map((head) => head.replaceAll("+-", "±"))),
      line(heads.map((_, column) => (column === 0 ? ":--" : "--:"))),
      ...rows.map(({ texts }) => line(texts)),
      "",
      ...[...notes, ...legend].map((note) => `- ${note}`),
      "",
    ]),
    `Medians. ${circumstances(result)}, seed ${seed}.`,
    ...warnings.map((warning) => `- ${warning}`),
  ].join("\n");
}

/** The line about machine and capacity, which a reader needs to interpret the tables of a run. */
export function circumstances({ machine, capacity }: BenchResult): string {
  const { cpu, cores, node, load } = machine;
  const most = capacity === null ? [] : [`capacity ${figure(capacity)}/s`];
  return [
    ...most,
    cpu,
    `${cores} cores`,
    `Node ${node}`,
    `load ${load.before} to ${load.after}`,
  ].join(", ");
}
