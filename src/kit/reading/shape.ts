// Small readers (`Shape`), from which the readers of whole files are composed. One reader parses values, reports values
// that it cannot read, and describes valid values to an editor, so that these three tasks always agree.
import { nearest, report, type Path, type Problem } from "./problems.ts";
import { reportReading } from "./codes.ts";

export type Json =
  | string
  | number
  | boolean
  | null
  | readonly Json[]
  | { readonly [name: string]: Json };

export type JsonMap = { readonly [name: string]: Json };
export type Schema = JsonMap;

export interface Shape<out T> {
  readonly called: string; // what follows "is not" in a problem, such as: an integer above 0
  readonly schema: Schema;
  /** The fields of a map, for the documentation. */
  readonly fields?: Fields;
  /** Returns undefined after an error, and adds the error to `problems`. */
  readonly read: (value: Json, at: Path, problems: Problem[]) => T | undefined;
}

export interface Field<out T> {
  readonly shape: Shape<T>;
  readonly required: boolean;
  readonly fallback: T | undefined; // the value of an optional field that is unset
  readonly doc: string;
}

export type Fields = Readonly<Record<string, Field<unknown>>>;
export type Values<F extends Fields> = {
  readonly [Name in keyof F]: F[Name] extends Field<infer T> ? T : never;
};

export const mandatory = <T>(shape: Shape<T>, doc: string): Field<T> => ({
  shape,
  required: true,
  fallback: undefined,
  doc,
});

/** An optional field; `fallback` is its value if it is unset. */
export function optional<T>(shape: Shape<T>, fallback: null, doc: string): Field<T | null>;
export function optional<T>(shape: Shape<T>, fallback: NoInfer<T>, doc: string): Field<T>;
export function optional<T>(shape: Shape<T>, fallback: T | null, doc: string): Field<T | null> {
  return { shape, required: false, fallback, doc };
}

export const isJsonMap = (value: Json): value is JsonMap =>
  typeof value === "object" && value !== null && !Array.isArray(value);

const LONGEST = 60;

/** The value as text for a message, cut after 60 characters. */
export function formatValue(value: Json): string {
  const text = typeof value === "number" ? String(value) : JSON.stringify(value);
  return text.length > LONGEST ? `${text.slice(0, LONGEST)}...` : text;
}

/** Whether the name is probably a misspelling of one of `names`. */
export const isNear = (name: string, names: Iterable<string>): boolean =>
  nearest(name, names) !== null;

const MOST_LISTED = 12;

/** Reports an unknown name, with the intended name if it is probably misspelt, otherwise with all valid names. */
export function reportName(
  problems: Problem[],
  code: string,
  path: Path,
  sentence: string,
  name: string,
  names: readonly string[],
  otherwise?: string,
): undefined {
  const suggestion = nearest(name, names);
  if (suggestion !== null)
    return report(
      problems,
      code,
      path,
      `${sentence}; did you mean "${suggestion}"?`,
      `write "${suggestion}"`,
    );
  const listed =
    names.slice(0, MOST_LISTED).join(", ") + (names.length > MOST_LISTED ? ", ..." : "");
  return report(
    problems,
    code,
    path,
    sentence,
    otherwise ?? (names.length === 0 ? "there is none" : `known: ${listed}`),
  );
}

export const shape = <T>(
  called: string,
  schema: Schema,
  parse: (value: Json) => T | undefined,
  fix = "",
): Shape<T> => ({
  called,
  schema,
  read: (value, at, problems) => {
    const read = parse(value);
    return read === undefined
      ? reportReading(problems, "SCN-VALUE", at, `${formatValue(value)} is not ${called}`, fix)
      : read;
  },
});

export const text: Shape<string> = {
  called: "a string",
  schema: { type: "string" },
  read: (value, at, problems) =>
    typeof value === "string" && value !== ""
      ? value
      : reportReading(
          problems,
          "SCN-VALUE",
          at,
          value === ""
            ? "the string is empty; write some text"
            : `${formatValue(value)} is not a string`,
          typeof value === "number" || typeof value === "boolean" ? `quote it: "${value}"` : "",
        ),
};

export const anything: Shape<Json> = { called: "any value", schema: {}, read: (value) => value };

export const yesOrNo: Shape<boolean> = shape("true or false", { type: "boolean" }, (value) =>
  typeof value === "boolean" ? value : undefined,
);

export const anyMap: Shape<JsonMap> = shape("a map", { type: "object" }, (value) =>
  isJsonMap(value) ? value : undefined,
);

export const matching = (called: string, pattern: RegExp, fix = ""): Shape<string> =>
  shape(
    called,
    { type: "string", pattern: pattern.source },
    (value) => (typeof value === "string" && pattern.test(value) ? value : undefined),
    fix,
  );

export const wholeNumber = (from: number, to: number): Shape<number> =>
  shape(
    to === Number.MAX_SAFE_INTEGER
      ? `an integer of at least ${from}`
      : `an integer from ${from} to ${to}`,
    { type: "integer", minimum: from, ...(to === Number.MAX_SAFE_INTEGER ? {} : { maximum: to }) },
    (value) =>
      typeof value === "number" && Number.isSafeInteger(value) && value >= from && value <= to
        ? value
        : undefined,
  );

export const numberFrom = (from: number, to: number = Number.MAX_VALUE): Shape<number> =>
  shape(
    to === Number.MAX_VALUE
      ? from === -Number.MAX_VALUE
        ? "a number"
        : `a number of at least ${from}`
      : `a number from ${from} to ${to}`,
    {
      type: "number",
      ...(from === -Number.MAX_VALUE ? {} : { minimum: from }),
      ...(to === Number.MAX_VALUE ? {} : { maximum: to }),
    },
    (value) => (typeof value === "number" && value >= from && value <= to ? value : undefined),
  );

export const anyNumber: Shape<number> = numberFrom(-Number.MAX_VALUE);

export const oneOf = <const T extends string>(names: readonly T[]): Shape<T> => ({
  called: `one of ${names.join(", ")}`,
  schema: { enum: names },
  read: (value, at, problems) => {
    const name = names.find((each) => each === value);
    return (
      name ??
      reportName(
        problems,
        "SCN-VALUE",
        at,
        `${formatValue(value)} is not one of ${names.join(", ")}`,
        typeof value === "string" ? value : "",
        names,
        "",
      )
    );
  },
});

export const orNull = <T>(of: Shape<T>): Shape<T | null> => ({
  called: `${of.called}, or null`,
  schema: { anyOf: [of.schema, { type: "null" }] },
  read: (value, at, problems) => (value === null ? null : of.read(value, at, problems)),
});

/** Reads all items even after an error, because all errors of a file are reported together. */
function readItems<T>(
  of: Shape<T>,
  value: readonly Json[],
  at: Path,
  problems: Problem[],
): readonly T[] | undefined {
  const items = value.map((item, index) => of.read(item, [...at, index], problems));
  return items.every((item) => item !== undefined) ? items : undefined;
}

export const listOf = <T>(of: Shape<T>, atLeast = 0): Shape<readonly T[]> => ({
  called: `a list, each item ${of.called}`,
  schema: { type: "array", items: of.schema, ...(atLeast === 0 ? {} : { minItems: atLeast }) },
  ...(of.fields === undefined ? {} : { fields: of.fields }),
  read: (value, at, problems) => {
    if (!Array.isArray(value))
      return reportReading(
        problems,
        "SCN-VALUE",
        at,
        `${formatValue(value)} is not a list`,
        typeof value === "string" ? `write [${value}]` : "",
      );
    if (value.length < atLeast)
      return reportReading(
        problems,
        "SCN-VALUE",
        at,
        value.length === 0
          ? `the list is empty, and needs at least ${atLeast === 1 ? "one item" : `${atLeast} items`}`
          : `the list has ${value.length} ${value.length === 1 ? "item" : "items"}, and needs at least ${atLeast}`,
      );
    return readItems(of, value, at, problems);
  },
});

/** One value or a list of values; the result is always a list. */
export const oneOrMore = <T>(of: Shape<T>): Shape<readonly T[]> => {
  const list = listOf(of, 1);
  return {
    called: `${of.called}, or a list`,
    schema: { anyOf: [of.schema, list.schema] },
    read: (value, at, problems) => {
      if (Array.isArray(value)) return list.read(value, at, problems);
      const one = of.read(value, at, problems);
      return one === undefined ? undefined : [one];
    },
  };
};

export const pairOf = <T>(of: Shape<T>): Shape<readonly [T, T]> => ({
  called: `a list of two, each ${of.called}`,
  schema: { type: "array", items: of.schema, minItems: 2, maxItems: 2 },
  read: (value, at, problems) => {
    if (!Array.isArray(value) || value.length !== 2)
      return reportReading(problems, "SCN-VALUE", at, `${formatValue(value)} is not a list of two`);
    const [from, to] = readItems(of, value, at, problems) ?? [];
    return from === undefined || to === undefined ? undefined : [from, to];
  },
});

export const mapOf = <T>(of: Shape<T>): Shape<Readonly<Record<string, T>>> => ({
  called: `a map, each value ${of.called}`,
  schema: { type: "object", additionalProperties: of.schema },
  read: (value, at, problems) => {
    if (!isJsonMap(value))
      return reportReading(problems, "SCN-VALUE", at, `${formatValue(value)} is not a map`);
    const names = Object.keys(value);
    const values = readValues(of, value, names, at, problems);
    return values.every((item) => item !== undefined)
      ? (Object.fromEntries(names.map((name, index) => [name, values[index]])) as Readonly<
          Record<string, T>
        >)
      : undefined;
  },
});

const readValues = <T>(
  of: Shape<T>,
  value: JsonMap,
  names: readonly string[],
  at: Path,
  problems: Problem[],
): readonly (T | undefined)[] =>
  names.map((name) => of.read(value[name] ?? null, [...at, name], problems));
