// The completion script for zsh, for a file in $fpath or for `source`.
import type { CompletedCommand, CompletedOption, CompletedValue } from "./completed-command.ts";

export const zshScript = (commands: readonly CompletedCommand[]): string => `#compdef weir
_weir() {
  local -a commands=(
${commands.map(({ name, summary }) => `    ${quote(`${name}:${summary}`)}`).join("\n")}
  )
  if (( CURRENT == 2 )); then
    _describe command commands
    return
  fi
  local command=$words[2]
  shift words
  (( CURRENT-- ))
  case $command in
    help) _describe command commands ;;
${commands.map(caseOf).join("\n")}
  esac
}
if [[ $funcstack[1] == _weir ]]; then _weir "$@"; else compdef _weir weir; fi
`;

const caseOf = ({ name, options, operands }: CompletedCommand): string =>
  [
    `    ${name}) _arguments \\`,
    ...options.flatMap(specsOf).map((spec) => `      ${quote(spec)} \\`),
    `      ${quote(`*:argument:${action(operands)}`)} ;;`,
  ].join("\n");

function specsOf({
  name,
  short,
  about,
  value,
  placeholder,
  repeats,
}: CompletedOption): readonly string[] {
  const many = repeats ? "*" : "";
  const text = `[${escapeText(about)}]`;
  if (value === null)
    return [`--${name}${text}`, ...(short === undefined ? [] : [`-${short}${text}`])];
  const rest = `${text}:${escapeText(placeholder)}:${action(value)}`;
  return [`${many}--${name}=${rest}`, ...(short === undefined ? [] : [`${many}-${short}+${rest}`])];
}

function action(value: CompletedValue): string {
  switch (value.kind) {
    case "files":
      return "_files";
    case "words or files":
      return `{_alternative "name:name:(${value.words.join(" ")})" "file:file:_files"}`;
    case "words":
      return `(${value.words.join(" ")})`;
    case "list":
      return `_values -s , value ${value.words.join(" ")}`;
    case "text":
      return "";
  }
}

const escapeText = (text: string): string => text.replaceAll(/[[\]:\\]/g, String.raw`\$&`);

const quote = (text: string): string => `'${text.replaceAll("'", String.raw`'\''`)}'`;
