import { commandLine } from "../kit/command-line.ts";
import type { Command, Option } from "./arguments.ts";
import { COMMANDS, COMMON } from "./commands.ts";
import { EXIT_CODES } from "./exit.ts";
import { wrap } from "../kit/reading/table.ts";

/** The greatest width of help, in columns; it suits most flags and terminals. */
const WIDTH = 80;
const NARROWEST = 40;

/** Commands in the order in which users need them. A test fails if a command is missing. */
const GROUPS: Readonly<Record<string, readonly string[]>> = {
  scenarios: ["new", "run", "explain", "check", "list", "report"],
  limits: [
    "replay",
    "diff",
    "recommend",
    "try",
    "worst",
    "pareto",
    "worker",
    "mutants",
    "lint",
    "identify",
    "implementations",
  ],
  benchmarks: ["bench", "compare"],
  gateway: ["serve", "config", "import", "export", "audit", "webhooks", "tokens", "secrets"],
  other: ["site", "schema", "completion", "version"],
};

export function generalHelp(columns = WIDTH): string {
  const width = widthFor(columns);
  const groups = Object.entries(GROUPS).map(
    ([title, names]) => `${title}\n${tableOf(names.map(rowOf), width)}`,
  );
  return `Weir, a laboratory for API rate limits

usage: weir COMMAND [FLAGS]
       weir COMMAND --help prints its flags and examples${shortFor("\n       ")}

${groups.join("\n")}

start with: weir new limits/first, then weir run scenarios/limits/first.yaml
${exitCodes(width)}`;
}

/** Help has the short name, which fits its columns. If Weir was started otherwise, a line explains it. */
function shortFor(before: string): string {
  const start = commandLine("").trimEnd();
  return start === "weir" ? "" : `${before}weir is short for: ${start}`;
}

const NAME_WIDTH = Math.max(...COMMANDS.map(({ name }) => name.length));

const rowOf = (name: string): readonly [string, string] => [
  name.padEnd(NAME_WIDTH),
  COMMANDS.find((command) => command.name === name)!.summary,
];

/** Returns the exit codes, wrapped. A line never ends between a code and its meaning. */
const exitCodes = (width: number): string =>
  wrap(EXIT_CODES.replaceAll(/(\d+) /g, "$1\u00A0"), width)
    .join("\n")
    .replaceAll("\u00A0", " ");

const widthFor = (columns: number): number => Math.max(NARROWEST, Math.min(columns, WIDTH));

export function commandHelp(
  { name, summary, usage, about, options, examples }: Command,
  columns = WIDTH,
): string {
  const width = widthFor(columns);
  const parts = [
    wrap(`weir ${name}: ${summary}`, width).join("\n"),
    `usage: weir ${usage}${options.length === 0 ? "" : " [FLAGS]"}${shortFor("\n       ")}`,
    ...about.map((paragraph) => wrap(paragraph, width).join("\n")),
    `flags:\n${tableOf(
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

/** Formats two columns. If a left entry is too long, its right entry starts on the next line. */
function tableOf(rows: Rows, width: number): string {
  const most = Math.floor(width * 0.4);
  const wide = Math.min(most, Math.max(...rows.map(([left]) => left.length)));
  const indent = " ".repeat(wide + 4);
  return rows
    .map(([left, right]) => {
      const [first = "", ...rest] = wrap(right, width - wide - 4);
      const start = left.length > wide ? `  ${left}\n${indent}` : `  ${left.padEnd(wide)}  `;
      return [`${start}${first}`, ...rest.map((line) => `${indent}${line}`)].join("\n");
    })
    .join("\n");
}
