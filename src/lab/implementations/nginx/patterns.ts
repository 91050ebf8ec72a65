// Regular expressions of nginx (PCRE), as far as those of JavaScript mean the same.
import { isFailure } from "../../../kit/reading/failure.ts";
import { regexOf } from "../regex.ts";
import type { Directive } from "./parse.ts";
import type { NginxRequest } from "./request.ts";

/** Compares a value, and keeps its groups for `$1` and `$name`. */
export type Pattern = (value: string, at: NginxRequest) => boolean;

/** Compiles a pattern. Throws a SyntaxError with a sentence. */
export function patternOf(source: string, isLoose: boolean): Pattern {
  const pattern = regexOf(source, { isLoose });
  if (isFailure(pattern))
    throw new SyntaxError(`Weir cannot read the pattern ${source}: ${pattern.message}`);
  return (value, at) => {
    const found = pattern.exec(value);
    if (found === null) return false;
    at.groups = found;
    for (const [name, group] of Object.entries<string | undefined>(found.groups ?? {}))
      at.values.set(name, group ?? "");
    return true;
  };
}

/** `~pattern` or `~*pattern`. */
export const patternWithSign = (text: string): Pattern =>
  text.startsWith("~*") ? patternOf(text.slice(2), true) : patternOf(text.slice(1), false);

/** The names of groups, which are variables. */
export const groupNames = (text: string): readonly string[] =>
  [...text.matchAll(/\(\?P?<([A-Za-z_]\w*)>/g)].map((match) => match[1]!);

/** A problem of a configuration, with its file and line. */
export class NginxProblem extends Error {}

/** Adds the place to a problem that `compile` finds. */
export function placeProblems<T>({ file, line }: Directive, compile: () => T): T {
  try {
    return compile();
  } catch (error) {
    if (error instanceof SyntaxError)
      throw new NginxProblem(`${file}:${line}: ${error.message}`, { cause: error });
    throw error;
  }
}
