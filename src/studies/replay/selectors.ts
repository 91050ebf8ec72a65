// Fields of requests, as the command line names them: ip, path, header:X-Api-Key, field:consumer.
import { Failure, isFailure } from "../../kit/reading/failure.ts";
import { nearest } from "../../kit/reading/problems.ts";
import { FIELDS, isSameName, type ColumnChoice, type LogFormat } from "./columns.ts";
import type { Layout } from "./line-reader.ts";

export interface Selector {
  readonly kind: "field of every log" | "header" | "column";
  readonly name: string;
}

export function parseSelector(text: string): Selector | Failure {
  const [, kind, name] = /^(header|field):(.+)$/.exec(text) ?? [];
  if (kind !== undefined && name !== undefined)
    return { kind: kind === "header" ? "header" : "column", name };
  if (FIELDS.some((each) => each === text)) return { kind: "field of every log", name: text };
  const near = nearest(text, FIELDS);
  return new Failure(
    `"${text}" is no field; ${near === null ? `there are ${FIELDS.join(", ")}, header:NAME and field:NAME` : `did you mean ${near}?`}`,
  );
}

/** Parses fields joined by a plus. Each combination of values is a client; with `none`, there is one client. */
export const parseKey = (text: string): readonly Selector[] | Failure =>
  text.trim() === "none" ? [] : parseSelectors(text);

export function parseSelectors(text: string): readonly Selector[] | Failure {
  const selectors = text.split("+").map((part) => parseSelector(part.trim()));
  const failure = selectors.find(isFailure);
  return failure ?? (selectors as readonly Selector[]);
}

export const selectorText = ({ kind, name }: Selector): string =>
  kind === "field of every log" ? name : `${kind === "header" ? "header" : "field"}:${name}`;

/** The columns that a selector may mean, in the order of preference. */
function choicesOf({ kind, name }: Selector, format: LogFormat): readonly ColumnChoice[] {
  if (kind === "column") return [{ column: name }];
  if (kind === "header") return format.header(name).map((column) => ({ column }));
  return format.fields[FIELDS.find((field) => field === name)!];
}

/** Which columns the lines of a file have. */
export interface ColumnFinder {
  /** The first choice that the lines have; null: they have none. */
  readonly find: (choices: readonly ColumnChoice[]) => ColumnChoice | null;
  readonly names: readonly string[];
}

/** Finds columns. In JSON only the lines show which columns exist; `head` has the first lines. */
export function columnFinder(
  { columns, readerOf }: Layout,
  head: readonly Uint8Array[],
): ColumnFinder {
  if (columns !== null)
    return {
      names: columns,
      find: (choices) => {
        for (const choice of choices) {
          const column = columns.find((name) => isSameName(name, choice.column));
          if (column !== undefined) return { ...choice, column };
        }
        return null;
      },
    };
  return {
    names: namesInJson(head),
    find: (choices) => {
      const reader = readerOf(choices.map(({ column }) => column));
      const seen = choices.map(() => false);
      for (const line of head)
        if (reader.read(line, 0, line.length))
          for (const slot of seen.keys()) seen[slot] ||= reader.spans[2 * slot]! >= 0;
      return choices[seen.indexOf(true)] ?? null;
    },
  };
}

function namesInJson(head: readonly Uint8Array[]): readonly string[] {
  const text = new TextDecoder().decode(head[0] ?? new Uint8Array(0));
  try {
    return Object.keys(JSON.parse(text) as object);
  } catch (error) {
    if (error instanceof SyntaxError) return [];
    throw error;
  }
}

/** Finds the column of a selector; null: none of the first lines has it. */
export const findSelector = (
  selector: Selector,
  format: LogFormat,
  finder: ColumnFinder,
): ColumnChoice | null => finder.find(choicesOf(selector, format));

/** Finds the column of a field that the first lines may lack, such as a header that few clients send. */
export function resolveSelector(
  selector: Selector,
  format: LogFormat,
  finder: ColumnFinder,
  isJson: boolean,
  choice: string = "field:NAME",
): ColumnChoice | Failure {
  const choices = choicesOf(selector, format);
  const found = finder.find(choices);
  if (found !== null) return found;
  const [first] = choices;
  if (isJson && first !== undefined && selector.kind !== "field of every log") return first;
  return new Failure(
    `no column has ${selectorText(selector)}; the columns of the log are ${columnNames(finder)}: choose one with ${choice}`,
  );
}

export const columnNames = ({ names }: ColumnFinder): string =>
  names.length === 0 ? "none" : names.join(", ");
