import type { Command, Option } from "./arguments.ts";
import { COMMANDS, COMMON } from "./commands.ts";
import { wrapped } from "./wrapped.ts";

const WIDTH = 88;

export function generalHelp(): string {
  return `Weir, a laboratory for API rate limits

usage: weir COMMAND [ARGUMENTS]

commands:
${columns(COMMANDS.map(({ name, summary }) => [name, summary]))}

examples:
${columns([
  ["weir new limits/first", "write a first scenario"],
  ["weir run", "run every scenario below scenarios/"],
  ["weir explain scenarios/limits/first.yaml first:6", "why that request was refused"],
])}

weir COMMAND --help tells the rest.

exit codes: 0 passed, 1 failed, 2 bad usage or input, 3 unreachable, 5 nothing failed but
something was vacuous or inconclusive, 130 interrupted`;
}

export function commandHelp({ name, summary, usage, about, options, examples }: Command): string {
  const parts = [
    `weir ${name}: ${summary}`,
    `usage: weir ${usage}${options.length === 0 ? "" : " [OPTIONS]"}`,
    ...about.map((paragraph) => wrapped(paragraph, WIDTH).join("\n")),
    `options:\n${columns([...options, ...COMMON].map((option) => [optionText(option), option.about]))}`,
    `examples:\n${columns(examples)}`,
  ];
  return parts.join("\n\n");
}

const optionText = ({ name, short, value }: Option): string =>
  `${short === undefined ? "" : `-${short}, `}--${name}${value === undefined ? "" : ` ${value}`}`;

/** Two columns; what is too long for the first pushes the second to a line of its own. */
function columns(rows: readonly (readonly [left: string, right: string])[]): string {
  const wide = Math.min(34, Math.max(...rows.map(([left]) => left.length)));
  const indent = " ".repeat(wide + 4);
  return rows
    .map(([left, right]) => {
      const [first = "", ...rest] = wrapped(right, WIDTH - wide - 4);
      const start = left.length > wide ? `  ${left}\n${indent}` : `  ${left.padEnd(wide)}  `;
      return [`${start}${first}`, ...rest.map((line) => `${indent}${line}`)].join("\n");
    })
    .join("\n");
}
