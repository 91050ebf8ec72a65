// What can be completed, by the commands' data.
import type { Command, Option } from "./arguments.ts";
import { COMMANDS, COMMON } from "./commands.ts";

/** What can follow: any text, files, one of some words, or several of them with commas. */
export type CompletedValue =
  | { readonly kind: "text" | "files" }
  | { readonly kind: "words" | "list"; readonly words: readonly string[] };

export interface CompletedOption extends Pick<Option, "name" | "short" | "about"> {
  readonly value: CompletedValue | null; // null: a switch
  readonly placeholder: string;
  readonly repeats: boolean;
}

export interface CompletedCommand extends Pick<Command, "name" | "summary"> {
  readonly options: readonly CompletedOption[];
  readonly operands: CompletedValue;
}

const FILES = /FILE|FOLDER|PATH|DIR|GLOB|HISTORY|BASE|PART/;

function valueOf({ value, choices, repeats }: Option): CompletedValue | null {
  if (value === undefined) return null;
  if (choices === undefined) return { kind: FILES.test(value) ? "files" : "text" };
  return { kind: repeats === "with commas" ? "list" : "words", words: choices };
}

/** Of a usage such as "tokens [add ID|revoke ID]": words in small letters are typed as they are. */
function operandsOf({ name, usage }: Command): CompletedValue {
  const rest = usage.slice(name.length);
  const words = rest.match(/(?<![\w.-])[a-z]+\b/g);
  if (words !== null) return { kind: "words", words };
  return { kind: FILES.test(rest.split(" --")[0]!) ? "files" : "text" };
}

export const listCommands = (): readonly CompletedCommand[] =>
  COMMANDS.map((command) => ({
    name: command.name,
    summary: command.summary,
    operands: operandsOf(command),
    options: [...command.options, ...COMMON].map((option) => ({
      name: option.name,
      ...(option.short === undefined ? {} : { short: option.short }),
      about: option.about,
      value: valueOf(option),
      placeholder: option.value ?? "",
      repeats: option.repeats !== undefined,
    })),
  }));
