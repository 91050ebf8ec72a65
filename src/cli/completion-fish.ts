// The completion script for fish.
import type { CompletedCommand, CompletedOption, CompletedValue } from "./completed-command.ts";

export const fishScript = (
  commands: readonly CompletedCommand[],
): string => `# fish completion for weir
function __weir_command
    set -l words (commandline -opc)
    test (count $words) -gt 1; and contains -- $words[2] $argv
end
complete -c weir -f
${commands.map(({ name, summary }) => `complete -c weir -n 'test (count (commandline -opc)) -eq 1' -a ${name} -d ${quote(summary)}`).join("\n")}
complete -c weir -n '__weir_command help' -a ${quote(commands.map(({ name }) => name).join(" "))}
${commands.flatMap(linesOf).join("\n")}
`;

const linesOf = ({ name, options, operands }: CompletedCommand): readonly string[] => [
  ...(operands.kind === "text" ? [] : [`${start(name)}${action(operands)}`]),
  ...options.map((option) => `${start(name)}${flags(option)} -d ${quote(option.about)}`),
];

const start = (command: string): string => `complete -c weir -n '__weir_command ${command}'`;

const flags = ({ name, short, value }: CompletedOption): string =>
  `${short === undefined ? "" : ` -s ${short}`} -l ${name}${value === null ? "" : ` -r${action(value)}`}`;

function action(value: CompletedValue): string {
  switch (value.kind) {
    case "files":
      return " -F";
    case "words or files":
      return ` -F -a ${quote(value.words.join(" "))}`;
    case "words":
      return ` -f -a ${quote(value.words.join(" "))}`;
    case "list":
      return ` -f -a ${quote(`(__fish_append , ${value.words.join(" ")})`)}`;
    case "text":
      return " -f";
  }
}

const quote = (text: string): string => `'${text.replaceAll(/['\\]/g, String.raw`\$&`)}'`;
