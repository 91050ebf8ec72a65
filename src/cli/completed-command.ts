// Lists what a shell can complete; derived from the data of the commands.
import type { Command, Option } from "./arguments.ts";
import { COMMANDS, COMMON } from "./commands.ts";

/** A flag's value or an operand: any text, files, one of `words`, a word or a file, or words separated by commas. */
export type CompletedValue =
  | { readonly kind: "text" | "files" }
  | { readonly kind: "words" | "words or files" | "list"; readonly words: readonly string[] };

/** For a word in capitals in a usage, such as SUITE, the names that a user may type for it. */
export type OperandNames = Readonly<Record<string, readonly string[]>>;

export interface CompletedOption extends Pick<Option, "name" | "short" | "about"> {
  readonly value: CompletedValue | null; // null for a switch
  readonly placeholder: string;
  readonly repeats: boolean;
}

export interface CompletedCommand extends Pick<Command, "name" | "summary"> {
  readonly options: readonly CompletedOption[];
  readonly operands: CompletedValue;
}

const FILES = /FILE|FOLDER|LOG|PATH|DIR|GLOB|HISTORY|BASE|PART/;

function valueOf({ value, choices, repeats }: Option): CompletedValue | null {
  if (value === undefined) return null;
  if (choices === undefined) return { kind: FILES.test(value) ? "files" : "text" };
  return { kind: repeats === "with commas" ? "list" : "words", words: choices };
}

/** The operands of a usage such as "tokens [add ID|revoke ID]". A user types its lower-case words literally. */
function operandsOf({ name, usage }: Command, names: OperandNames): CompletedValue {
  const [first = ""] = usage.split(` | ${name} `); // further usages have the same operands, or none
  const rest = first.slice(name.length);
  const typed = rest.match(/(?<![\w.-])[a-z]+\b/g) ?? [];
  // FOLDER/NAME counts as a path and NAME.yaml as a file.
  const words = rest.replaceAll("...", " ").split(/[^\w./]+/);
  const named = Object.entries(names).filter(([word]) => words.includes(word));
  // The user may give a file in place of a name.
  if (named.length > 0)
    return { kind: "words or files", words: [...typed, ...named.flatMap(([, each]) => each)] };
  if (typed.length > 0) return { kind: "words", words: typed };
  return { kind: FILES.test(rest.split(" --")[0]!) ? "files" : "text" };
}

export const listCommands = (names: OperandNames): readonly CompletedCommand[] =>
  COMMANDS.map((command) => ({
    name: command.name,
    summary: command.summary,
    operands: operandsOf(command, names),
    options: [...command.options, ...COMMON].map((option) => ({
      name: option.name,
      ...(option.short === undefined ? {} : { short: option.short }),
      about: option.about,
      value: valueOf(option),
      placeholder: option.value ?? "",
      repeats: option.repeats !== undefined,
    })),
  }));
