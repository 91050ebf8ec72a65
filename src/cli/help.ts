import type { Command, Option } from "./arguments.ts";
import { COMMANDS, COMMON } from "./commands.ts";
import { wrapped } from "./wrapped.ts";

/** Wide enough for most options, and what most windows have. */
const WIDTH = 80;
const NARROWEST = 40;

export function generalHelp(columns = WIDTH): string {
  const width = widthFor(columns);
  const table = (rows: Rows): string => tableOf(rows, width);
  return `Weir, a laboratory for API rate limits

usage: weir COMMAND [ARGUMENTS]

commands:
${table(COMMANDS.map(({ name, summary }) => [name, summary]))}

examples:
${table([
  ["weir new limits/first", "write a first scenario"],
  ["weir run", "run every scenario below scenarios/"],
  ["weir explain scenarios/limits/first.yaml first:6", "why that request was refused"],
])}

weir COMMAND --help tells the rest.

${wrapped(EXIT_CODES, width).join("\n")}`;
}

const EXIT_CODES =
  "exit codes: 0 passed, 1 failed, 2 bad usage or input, 3 unreachable, 4 a regression that compare found, 5 no expectation was violated, but one was vacuous or inconclusive, 130 interrupted";

const widthFor = (columns: number): number => Math.max(NARROWEST, Math.min(columns, WIDTH));

export function commandHelp(
  { name, summary, usage, about, options, examples }: Command,
  columns = WIDTH,
): string {
  const width = widthFor(columns);
  const parts = [
    wrapped(`weir ${name}: ${summary}`, width).join("\n"),
    `usage: weir ${usage}${options.length === 0 ? "" : " [OPTIONS]"}`,
    ...about.map((paragraph) => wrapped(paragraph, width).join("\n")),
    `options:\n${tableOf(
      [...options, ...COMMON].map((option) => [optionText(option), aboutOption(option)] as const),
      width,
    )}`,
    `examples:\n${tableOf(examples, width)}`,
  ];
  return parts.join("\n\n");
}

const optionText = ({ name, short, value }: Option): string =>
  `${short === undefined ? "" : `-${short}, `}--${name}${value === undefined ? "" : ` ${value}`}`;

const aboutOption = ({ about, repeats }: Option): string =>
  repeats === undefined ? about : `${about}; repeatable`;

type Rows = readonly (readonly [left: string, right: string])[];

/** Two columns; what is too long for the first pushes the second to a line of its own. */
function tableOf(rows: Rows, width: number): string {
  const most = Math.floor(width * 0.4);
  const wide = Math.min(most, Math.max(...rows.map(([left]) => left.length)));
  const indent = " ".repeat(wide + 4);
  return rows
    .map(([left, right]) => {
      const [first = "", ...rest] = wrapped(right, width - wide - 4);
      const start = left.length > wide ? `  ${left}\n${indent}` : `  ${left.padEnd(wide)}  `;
      return [`${start}${first}`, ...rest.map((line) => `${indent}${line}`)].join("\n");
    })
    .join("\n");
}
