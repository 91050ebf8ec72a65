// Readers of maps with named fields, and of maps in which one of several fields, called words, chooses the others. A
// scenario file consists of such maps.
import { nearest, type Path, type Problem } from "./problems.ts";
import {
  isJsonMap,
  reportName,
  formatValue,
  type Field,
  type Fields,
  type Json,
  type JsonMap,
  type Schema,
  type Shape,
  type Values,
} from "./shape.ts";
import { reportReading } from "./codes.ts";

/** A map with named fields. `called` is its name with the article: "a stage". */
export const record = <F extends Fields>(called: string, fields: F): Shape<Values<F>> => ({
  called,
  schema: schemaOf(fields),
  fields,
  read: (value, at, problems) => {
    if (!isJsonMap(value))
      return reportReading(
        problems,
        "SCN-VALUE",
        at,
        `${formatValue(value)} is not ${called}`,
        `write a map of ${Object.keys(fields).join(", ")}`,
      );
    const names = Object.keys(fields);
    const unknown = reportUnknown(called, names, value, at, problems);
    const { isComplete, values } = readCorrected(value, names, at, problems, (corrected, own) =>
      readFields(called, fields, corrected, at, own),
    );
    return isComplete && unknown.length === 0 ? (values as Values<typeof fields>) : undefined;
  },
});

interface Corrected {
  readonly fields: JsonMap;
  /** Replaces the corrected name at the start of a path by the name in the file. */
  readonly pathInFile: (path: Path) => Path;
}

/**
 * Copies the value of a misspelt field to the nearest unset name. The caller reports the misspelt name; by the copy,
 * the value is checked too, and the intended field is not reported as missing.
 */
export function correctNames(written: JsonMap, names: readonly string[]): Corrected {
  const misspelt = new Map<string, string>();
  for (const name of Object.keys(written)) {
    const intended = names.includes(name) ? null : nearest(name, names);
    if (intended !== null && !Object.hasOwn(written, intended)) misspelt.set(intended, name);
  }
  if (misspelt.size === 0) return { fields: written, pathInFile: (path) => path };
  const moved = [...misspelt].map(([intended, name]) => [intended, written[name] ?? null] as const);
  return {
    fields: { ...written, ...Object.fromEntries(moved) },
    pathInFile: ([first, ...rest]) =>
      first === undefined ? [] : [misspelt.get(String(first)) ?? first, ...rest],
  };
}

function readCorrected<T>(
  written: JsonMap,
  names: readonly string[],
  at: Path,
  problems: Problem[],
  read: (fields: JsonMap, problems: Problem[], pathInFile: (path: Path) => Path) => T,
): T {
  const corrected = correctNames(written, names);
  const pathInFile = (path: Path): Path => [...at, ...corrected.pathInFile(path.slice(at.length))];
  const own: Problem[] = [];
  const result = read(corrected.fields, own, pathInFile);
  problems.push(...own.map((problem) => ({ ...problem, path: pathInFile(problem.path) })));
  return result;
}

function reportUnknown(
  called: string,
  names: readonly string[],
  value: JsonMap,
  at: Path,
  problems: Problem[],
): readonly string[] {
  const unknown = Object.keys(value).filter((name) => !names.includes(name));
  for (const name of unknown)
    reportName(
      problems,
      "SCN-UNKNOWN-FIELD",
      [...at, name],
      `"${name}" is not a field of ${called}`,
      name,
      names,
    );
  return unknown;
}

/** The readable fields of a map; a missing field or one with an error has no value. */
interface ReadParts<F extends Fields> {
  readonly isComplete: boolean;
  readonly values: Partial<Values<F>>;
}

function readFields<F extends Fields>(
  called: string,
  fields: F,
  value: JsonMap,
  at: Path,
  problems: Problem[],
): ReadParts<F> {
  let isComplete = true;
  const values: Record<string, unknown> = {};
  for (const [name, field] of Object.entries(fields)) {
    if (Object.hasOwn(value, name)) {
      const read = field.shape.read(value[name] ?? null, [...at, name], problems);
      if (read === undefined) isComplete = false;
      else values[name] = read;
    } else if (field.required) {
      isComplete = false;
      reportReading(problems, "SCN-MISSING-FIELD", at, `${called} needs "${name}": ${field.doc}`);
    } else values[name] = field.fallback;
  }
  return { isComplete, values: values as Partial<Values<F>> };
}

export const schemaOf = (
  fields: Fields,
  more: Readonly<Record<string, Field<unknown>>> = {},
): Schema => {
  const all = Object.entries({ ...fields, ...more });
  const needed = all.filter(([, field]) => field.required).map(([name]) => name);
  return {
    type: "object",
    properties: Object.fromEntries(
      all.map(([name, field]) => [name, { ...field.shape.schema, description: field.doc }]),
    ),
    additionalProperties: false,
    ...(needed.length === 0 ? {} : { required: needed }),
  };
};

/** A field that chooses the form of its map: an expectation's measure, a flow's shape, an injected fault's subject. */
export interface FieldWord<out T> {
  readonly name: string;
  readonly under: Shape<unknown>; // the reader of the word's value
  readonly companions: Fields; // additional fields of a map with this word
  readonly doc: string;
  readonly example: string; // the smallest map with this word, as YAML
  readonly read: (value: JsonMap, at: Path, problems: Problem[]) => T | undefined;
}

interface FieldWordParts<V, B extends Fields, T> {
  readonly name: string;
  readonly under: Shape<V>;
  readonly companions: B;
  readonly doc: string;
  readonly example: string;
  /** Builds the value. If the parts are invalid, adds a problem and returns undefined. */
  readonly build: (under: V, beside: Values<B>, at: Path, problems: Problem[]) => T | undefined;
}

export const word = <V, B extends Fields, T>({
  name,
  under,
  companions,
  doc,
  example,
  build,
}: FieldWordParts<V, B, T>): FieldWord<T> => ({
  name,
  under,
  companions,
  doc,
  example,
  read: (value, at, problems) => {
    const inside = under.read(value[name] ?? null, [...at, name], problems);
    const { isComplete, values } = readFields(`"${name}"`, companions, value, at, problems);
    return inside === undefined || !isComplete
      ? undefined
      : build(inside, values as Values<typeof companions>, at, problems);
  },
});

interface WordChoice<C, T> {
  readonly common: C;
  readonly chosen: T;
  readonly word: string;
}

/** A map with a word, or only its readable parts if it has errors: the rest of the file may refer to these parts. */
interface WordParts<C extends Fields, T> {
  readonly common: Partial<Values<C>>;
  readonly chosen: T | undefined;
  readonly word: string | undefined;
  /** The map with corrected names; empty if the value is no map. */
  readonly fields: JsonMap;
  /** Turns a path in `fields` into the path with the names in the file. */
  readonly pathInFile: (path: Path) => Path;
  readonly isComplete: boolean;
}

interface MapWithWord<C extends Fields, T> extends Shape<WordChoice<Values<C>, T>> {
  readonly readParts: (value: Json, at: Path, problems: Problem[]) => WordParts<C, T>;
}

/** A map with the common fields, exactly one word, and the additional fields of that word. */
export const mapWithWord = <C extends Fields, T>(
  called: string,
  common: C,
  words: readonly FieldWord<T>[],
): MapWithWord<C, T> => {
  const choosable = new Set(words.flatMap((word) => [word.name, ...Object.keys(word.companions)]));
  const choice = {
    called,
    common: Object.keys(common),
    words,
    everywhere: [...Object.keys(common), ...choosable],
  };
  const readParts = (value: Json, at: Path, problems: Problem[]): WordParts<C, T> => {
    if (!isJsonMap(value)) {
      reportReading(
        problems,
        "SCN-VALUE",
        at,
        `${formatValue(value)} is not ${called}`,
        `write a map with one of ${words.map(({ name }) => name).join(", ")}`,
      );
      const unread = { fields: {}, pathInFile: (path: Path) => path, isComplete: false };
      return { common: {}, chosen: undefined, word: undefined, ...unread };
    }
    const unknown = reportUnknown(called, choice.everywhere, value, at, problems);
    return readCorrected(value, choice.everywhere, at, problems, (fields, own, pathInFile) => {
      const picked = pick(choice, fields, unknown, at, own);
      const shared = readFields(called, common, fields, at, own);
      const chosen = picked?.read(fields, at, own);
      const isComplete = unknown.length === 0 && shared.isComplete && chosen !== undefined;
      const parts = { common: shared.values, chosen, word: picked?.name };
      return { ...parts, fields, pathInFile, isComplete };
    });
  };
  return {
    called,
    schema: chosenSchema(common, words),
    readParts,
    read: (value, at, problems) => {
      const { common: shared, chosen, word, isComplete } = readParts(value, at, problems);
      return isComplete && chosen !== undefined && word !== undefined
        ? { common: shared as Values<C>, chosen, word }
        : undefined;
    },
  };
};

/** The schema lists all fields and requires one word, but not which fields belong to which word. */
function chosenSchema<T>(common: Fields, words: readonly FieldWord<T>[]): Schema {
  const fields = words.flatMap(({ name, under, companions, doc }) => [
    [name, { ...under.schema, description: doc }] as const,
    ...Object.entries(companions).map(
      ([field, { shape, doc: fieldDoc }]) =>
        [field, { ...shape.schema, description: fieldDoc }] as const,
    ),
  ]);
  const { properties, ...rest } = schemaOf(common);
  const merged = [...new Set(fields.map(([name]) => name))].map((name) => {
    const all = fields
      .filter(([each]) => each === name)
      .map(([, schema]) => [JSON.stringify(schema), schema] as const);
    const distinct = [...new Map(all).values()];
    return [name, distinct.length === 1 ? distinct[0]! : { anyOf: distinct }] as const;
  });
  const required = words.map(({ name }) => ({ required: [name] }));
  return {
    ...rest,
    properties: { ...(properties as JsonMap), ...Object.fromEntries(merged) },
    anyOf: required,
  };
}

interface Choice<T> {
  readonly called: string;
  readonly common: readonly string[];
  readonly words: readonly FieldWord<T>[];
  readonly everywhere: readonly string[]; // all fields that the map can have, with any of its words
}

/** The word of the map; null: a problem was added. `unknown`: unknown fields, which are reported already. */
function pick<T>(
  { called, common, words }: Choice<T>,
  value: JsonMap,
  unknown: readonly string[],
  at: Path,
  problems: Problem[],
): FieldWord<T> | null {
  const present = words.filter(({ name }) => Object.hasOwn(value, name));
  // A word may also be an additional field of another word: `events: {...}, sequence: ...`.
  const [picked, second] = present.filter(
    ({ name }) => !present.some(({ companions }) => Object.hasOwn(companions, name)),
  );
  if (picked === undefined) {
    const names = words.map(({ name }) => name);
    reportReading(problems, "SCN-MISSING-FIELD", at, `${called} needs one of ${names.join(", ")}`);
    return null;
  }
  if (second !== undefined) {
    reportReading(
      problems,
      "SCN-ONE-OF",
      [...at, second.name],
      `"${picked.name}" and "${second.name}" are both given, and ${called} takes one of them`,
    );
    return null;
  }
  const allowed = [...common, picked.name, ...Object.keys(picked.companions)];
  for (const name of Object.keys(value))
    if (!allowed.includes(name) && !unknown.includes(name))
      reportReading(
        problems,
        "SCN-UNKNOWN-FIELD",
        [...at, name],
        `"${name}" does not go with "${picked.name}"`,
        `fields that do: ${allowed.join(", ")}`,
      );
  return picked;
}
