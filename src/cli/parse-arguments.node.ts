import { parseArgs } from "node:util";
import { Failure } from "../kit/reading/failure.ts";
import { nearest } from "../kit/reading/problems.ts";
import type { Arguments, Command, Option } from "./arguments.ts";
import { COMMON } from "./commands.ts";

/** Parses the arguments after the command's name. */
export function parseArguments(command: Command, args: readonly string[]): Arguments | Failure {
  const options = [...command.options, ...COMMON];
  const { tokens, positionals } = parseArgs({
    args: [...args],
    options: Object.fromEntries(
      options.map(({ name, short, value }) => [
        name,
        { type: value === undefined ? "boolean" : "string", ...(short && { short }) } as const,
      ]),
    ),
    strict: false, // Weir reports unknown flags itself and suggests others
    allowPositionals: true,
    tokens: true,
  });
  const switches = new Set<string>();
  const values = new Map<string, string>();
  const lists = new Map<string, string[]>();
  for (const token of tokens) {
    if (token.kind !== "option") continue;
    const option = options.find(({ name }) => name === token.name);
    if (option === undefined) return new Failure(describeUnknown(token.rawName, options));
    if (option.value === undefined) {
      if (token.value !== undefined) return new Failure(`--${option.name} takes no value`);
      switches.add(option.name);
    } else {
      // Without "=", an argument that looks like a flag is not a value.
      if (token.value === undefined || (!token.inlineValue && token.value.startsWith("-"))) {
        const example = /^-[\d.]/.test(token.value ?? "")
          ? `if it begins with -, write --${option.name}=${token.value}`
          : `--${option.name} ${option.value}`;
        return new Failure(`--${option.name} needs a value: ${example}`);
      }
      const earlier = values.get(option.name);
      if (option.repeats === "apart")
        lists.set(option.name, [...(lists.get(option.name) ?? []), token.value]);
      else if (earlier === undefined) values.set(option.name, token.value);
      else if (option.repeats === "with commas")
        values.set(option.name, `${earlier},${token.value}`);
      // The message omits the values, because one may contain a password.
      else return new Failure(`--${option.name} is given twice; remove one`);
    }
  }
  const { atLeast, atMost } = command.operands;
  if (!switches.has("help") && (positionals.length < atLeast || positionals.length > atMost))
    return new Failure(
      `it ${describeOperands(command, positionals.length)}; got ${positionals.length}`,
    );
  return { operands: positionals, switches, values, lists };
}

function describeOperands({ usage, operands: { atLeast, atMost } }: Command, got: number): string {
  if (atMost === 0) return "takes no arguments";
  const isTooFew = got < atLeast;
  const bound = atLeast === atMost ? "" : isTooFew ? "at least " : "at most ";
  const count = isTooFew ? atLeast : atMost;
  return `takes ${bound}${count} argument${count === 1 ? "" : "s"} (${usage})`;
}

function describeUnknown(typed: string, options: readonly Option[]): string {
  const suggestion = nearest(
    typed.replace(/^-+/, ""),
    options.map(({ name }) => name),
  );
  return `there is no flag ${typed}${suggestion === null ? "" : `; did you mean --${suggestion}?`}`;
}

const HIGHEST_PORT = 65_535;

/** Parses the port of a flag. 0 selects any free port. */
export function portOf(option: string, text: string): number | Failure {
  const port = /^\d{1,5}$/.test(text) ? Number(text) : Number.NaN;
  return port <= HIGHEST_PORT
    ? port
    : new Failure(`--${option} must be a port, or 0 for any free one; got "${text}"`);
}

export function seedOf(values: Arguments["values"]): number | Failure {
  const typed = values.get("seed");
  if (typed === undefined) return 1;
  const seed = Number(typed);
  return /^\d+$/.test(typed) && Number.isSafeInteger(seed)
    ? seed
    : new Failure(`--seed must be an integer from 0 to ${Number.MAX_SAFE_INTEGER}; got "${typed}"`);
}
