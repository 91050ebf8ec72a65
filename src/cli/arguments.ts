// Types of commands, their flags and a parsed command line; flags that several commands have.
import { Failure } from "../kit/reading/failure.ts";
import type { ExitCode } from "./exit.ts";
import type { Terminal } from "./terminal.ts";

export interface Option {
  readonly name: string; // without the dashes
  readonly short?: string;
  readonly value?: string; // placeholder of the flag's value in help; if unset, the flag is a switch
  readonly about: string;
  readonly choices?: readonly string[]; // all allowed values, for completion
  /**
   * What a repeated flag means: with `apart`, its values are in `lists`; otherwise they are joined by commas in
   * `values`. If unset, repeating the flag is an error.
   */
  readonly repeats?: "apart" | "with commas";
}

export interface Command {
  readonly name: string;
  readonly summary: string;
  readonly usage: string; // after "weir "
  readonly about: readonly string[]; // paragraphs
  readonly operands: { readonly atLeast: number; readonly atMost: number };
  readonly options: readonly Option[];
  readonly examples: readonly (readonly [command: string, what: string])[];
}

export interface Arguments {
  readonly operands: readonly string[];
  readonly switches: ReadonlySet<string>;
  readonly values: ReadonlyMap<string, string>;
  /** For each flag with `repeats: "apart"`, its values in the order of the command line. */
  readonly lists: ReadonlyMap<string, readonly string[]>;
}

export const hasOption = ({ switches, values, lists }: Arguments, name: string): boolean =>
  switches.has(name) || values.has(name) || lists.has(name);

/** The integer of a flag, from 1 to `most`; null if the flag is not given. */
export function countIn(
  values: Arguments["values"],
  name: string,
  most: number,
): number | Failure | null {
  const typed = values.get(name);
  if (typed === undefined) return null;
  const value = /^\d+$/.test(typed) ? Number(typed) : 0;
  return value >= 1 && value <= most
    ? value
    : new Failure(`--${name} must be an integer from 1 to ${most}; got "${typed}"`);
}

/** Reads a percentage as a share. Rejects a number without %, which could be a percentage or a share. */
export function shareIn(
  values: Arguments["values"],
  name: string,
  usual: number,
): number | Failure {
  const typed = values.get(name);
  if (typed === undefined) return usual;
  if (typed.trim() === "0") return 0;
  const number = /^(\d+(?:\.\d+)?)\s*%$/.exec(typed.trim())?.[1];
  const percentage = Number(number);
  return number !== undefined && percentage < 100
    ? percentage / 100
    : new Failure(
        `--${name} must be a percentage of at least 0 % and below 100 %, such as 0.1%; got "${typed}"`,
      );
}

export type Refuse = (sentence: string) => ExitCode;

export type Action = (
  args: Arguments,
  terminal: Terminal,
  refuse: Refuse,
) => ExitCode | Promise<ExitCode>;

/** Flags that several commands have. */
export const SEED: Option = {
  name: "seed",
  value: "N",
  about: "derive all randomness from N (default 1)",
};
export const JSON_OUT: Option = {
  name: "json",
  about: "print one JSON document on stdout and nothing else",
};
export const LEGEND: Option = {
  name: "legend",
  about: "also explain the columns of the table",
};
export const ALLOW_TARGET: Option = {
  name: "allow-target",
  value: "HOST",
  repeats: "apart",
  about: "permit a target on another machine",
};
export const QUEUE: Option = {
  name: "queue",
  value: "URL",
  about: "share the work out to every weir worker at this Redis",
};

export const SET: Option = {
  name: "set",
  value: "NAME=VALUE",
  repeats: "apart",
  about: "a variable that only production has",
};
export const KIND: Option = {
  name: "kind",
  value: "KIND",
  about: "the program of a file, such as nginx (default: found)",
};

export const FLEET: Option = {
  name: "fleet",
  value: "N,...|FILE",
  about: "instances of it, as 4 or 4,shared or 4,own,sticky",
};

/** Values of `--balancer`. */
export const BALANCERS = ["round-robin", "random", "least-connections", "sticky", "weighted"];

/** Values of `--method`. */
export const METHODS = ["GET", "HEAD", "POST", "PUT", "PATCH", "DELETE", "OPTIONS"];

/** The value of `--algorithm` that selects all algorithms. */
export const ALL_ALGORITHMS = "all";
