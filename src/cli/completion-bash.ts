// The completion script for bash 3.2 and newer.
import type { CompletedCommand, CompletedOption, CompletedValue } from "./completed-command.ts";

export const bashScript = (
  commands: readonly CompletedCommand[],
): string => `# bash completion for weir
_weir() {
  local IFS=$'\\n'
  local current=\${COMP_WORDS[COMP_CWORD]} previous=\${COMP_WORDS[COMP_CWORD-1]} command=\${COMP_WORDS[1]}
  COMPREPLY=()
  # Bash makes a word of the "=" in --driver=virtual.
  if [[ $current == = ]]; then current=; elif [[ $previous == = ]]; then previous=\${COMP_WORDS[COMP_CWORD-2]}; fi
  if (( COMP_CWORD == 1 )); then
    _weir_words ${words(commands.map(({ name }) => name))}
    return
  fi
  case "$command $previous" in
${commands.flatMap(({ name, options }) => options.flatMap((option) => valueCase(name, option))).join("\n")}
  esac
  if [[ $current == -* ]]; then
    case $command in
${commands.map(({ name, options }) => `      ${name}) _weir_words ${words(options.map((option) => `--${option.name}`))} ;;`).join("\n")}
    esac
    return
  fi
  case $command in
    help) _weir_words ${words(commands.map(({ name }) => name))} ;;
${commands.map(({ name, operands }) => `    ${name}) ${action(operands)} ;;`).join("\n")}
  esac
}
# IFS is a line feed, so that names of files may have spaces; "$*" has one word a line.
_weir_words() {
  COMPREPLY=($(compgen -W "$*" -- "$current"))
  if [[ \${COMPREPLY[0]} == *= ]]; then compopt -o nospace 2>/dev/null; fi
}
# Several with commas: the last one is completed.
_weir_list() {
  local before=
  if [[ $current == *,* ]]; then before=\${current%,*},; fi
  COMPREPLY=($(compgen -P "$before" -W "$*" -- "\${current##*,}"))
}
_weir_files() {
  compopt -o filenames 2>/dev/null
  COMPREPLY=($(compgen -f -- "$current"))
}
# A word, or a file.
_weir_either() {
  _weir_files
  COMPREPLY=($(compgen -W "$*" -- "$current") "\${COMPREPLY[@]}")
}
complete -F _weir weir
`;

const words = (all: readonly string[]): string => all.join(" ");

function action(value: CompletedValue): string {
  switch (value.kind) {
    case "files":
      return "_weir_files";
    case "words or files":
      return `_weir_either ${words(value.words)}`;
    case "words":
      return `_weir_words ${words(value.words)}`;
    case "list":
      return `_weir_list ${words(value.words)}`;
    case "text":
      return ":";
  }
}

function valueCase(command: string, { name, short, value }: CompletedOption): readonly string[] {
  if (value === null) return [];
  const typed = short === undefined ? [`--${name}`] : [`--${name}`, `-${short}`];
  const patterns = typed.map((each) => `"${command} ${each}"`).join(" | ");
  return [`    ${patterns}) ${action(value)}; return ;;`];
}
