// A command line as values, or what is wrong with it.
import type { ExitCode } from "./exit.ts";
import type { Terminal } from "./terminal.ts";

export interface Option {
  readonly name: string; // without the dashes
  readonly short?: string;
  readonly value?: string; // how help calls its value; without one it is a switch
  readonly about: string;
  readonly repeats?: true; // each of its values counts, and not only the last
}

export interface Command {
  readonly name: string;
  readonly summary: string;
  readonly usage: string; // behind "weir "
  readonly about: readonly string[]; // paragraphs
  readonly operands: { readonly atLeast: number; readonly atMost: number };
  readonly options: readonly Option[];
  readonly examples: readonly (readonly [command: string, what: string])[];
}

export interface Arguments {
  readonly operands: readonly string[];
  readonly switches: ReadonlySet<string>;
  readonly values: ReadonlyMap<string, string>;
  /** Of options that may be repeated, in the order in which they were typed. */
  readonly lists: ReadonlyMap<string, readonly string[]>;
}

/** Says one sentence, points to help, and gives the exit code for bad usage. */
export type Refuse = (sentence: string) => ExitCode;

export type Action = (
  args: Arguments,
  terminal: Terminal,
  refuse: Refuse,
) => ExitCode | Promise<ExitCode>;
