// Maps with named fields, and maps that choose one of several words: the two forms of everything in a scenario file.
import type { Path, Problem } from "./problems.ts";
import {
  isJsonMap,
  isNear,
  reportName,
  formatValue,
  type Field,
  type Fields,
  type JsonMap,
  type Schema,
  type Shape,
  type Values,
} from "./shape.ts";
import { reportReading } from "./codes.ts";

/** `called` with its article: "a stage". */
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
    const unknown = reportUnknown(called, Object.keys(fields), value, at, problems);
    return readFields(called, fields, value, at, problems, unknown);
  },
});

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

/** If a name is probably a misspelled field, only the unknown name is reported, and not a missing field too. */
function readFields<F extends Fields>(
  called: string,
  fields: F,
  value: JsonMap,
  at: Path,
  problems: Problem[],
  unknown: readonly string[] = [],
): Values<F> | undefined {
  let isComplete = unknown.length === 0;
  const values: Record<string, unknown> = {};
  for (const [name, field] of Object.entries(fields)) {
    if (Object.hasOwn(value, name)) {
      const read = field.shape.read(value[name] ?? null, [...at, name], problems);
      if (read === undefined) isComplete = false;
      values[name] = read;
    } else if (field.required) {
      isComplete = false;
      if (!unknown.some((each) => isNear(each, [name])))
        reportReading(problems, "SCN-MISSING-FIELD", at, `${called} needs "${name}": ${field.doc}`);
    } else values[name] = field.fallback;
  }
  return isComplete ? (values as Values<F>) : undefined;
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

/** A word that selects a whole form: the measure of an expectation, the shape of a flow, the subject of an injected fault. */
export interface FieldWord<out T> {
  readonly name: string;
  readonly under: Shape<unknown>; // of the word's value
  readonly companions: Fields; // further fields that the map may have with this word
  readonly doc: string;
  readonly example: string; // the smallest map that uses it, as YAML
  readonly read: (value: JsonMap, at: Path, problems: Problem[]) => T | undefined;
}

interface FieldWordParts<V, B extends Fields, T> {
  readonly name: string;
  readonly under: Shape<V>;
  readonly companions: B;
  readonly doc: string;
  readonly example: string;
  /** Reports problems itself, and then returns undefined. */
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
    const around = readFields(`"${name}"`, companions, value, at, problems);
    return inside === undefined || around === undefined
      ? undefined
      : build(inside, around, at, problems);
  },
});

export interface WordChoice<C, T> {
  readonly common: C;
  readonly chosen: T;
  readonly word: string;
}

/** A map with the common fields, exactly one of the words, and the further fields of that word. */
export const mapWithWord = <C extends Fields, T>(
  called: string,
  common: C,
  words: readonly FieldWord<T>[],
): Shape<WordChoice<Values<C>, T>> => {
  const choosable = new Set(words.flatMap((word) => [word.name, ...Object.keys(word.companions)]));
  const choice = {
    called,
    common: Object.keys(common),
    words,
    everywhere: [...Object.keys(common), ...choosable],
  };
  return {
    called,
    schema: chosenSchema(common, words),
    read: (value, at, problems) => {
      if (!isJsonMap(value))
        return reportReading(
          problems,
          "SCN-VALUE",
          at,
          `${formatValue(value)} is not ${called}`,
          `write a map with one of ${words.map(({ name }) => name).join(", ")}`,
        );
      const { picked, unknown } = pick(choice, value, at, problems);
      const shared = readFields(called, common, value, at, problems, unknown);
      const special = picked?.read(value, at, problems);
      return picked === null || shared === undefined || special === undefined
        ? undefined
        : { common: shared, chosen: special, word: picked.name };
    },
  };
};

/** Lists the fields, and that one word is needed, but not which fields go with which word. */
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
  readonly everywhere: readonly string[]; // every field that some word allows
}

function pick<T>(
  { called, common, words, everywhere }: Choice<T>,
  value: JsonMap,
  at: Path,
  problems: Problem[],
): { readonly picked: FieldWord<T> | null; readonly unknown: readonly string[] } {
  const present = words.filter(({ name }) => Object.hasOwn(value, name));
  // A word may also be a further field of another one: `events: {...}, sequence: ...`.
  const [picked, second] = present.filter(
    ({ name }) => !present.some(({ companions }) => Object.hasOwn(companions, name)),
  );
  const unknown = reportUnknown(called, everywhere, value, at, problems);
  if (picked === undefined) {
    const names = words.map(({ name }) => name);
    if (!unknown.some((each) => isNear(each, names)))
      reportReading(
        problems,
        "SCN-MISSING-FIELD",
        at,
        `${called} needs one of ${names.join(", ")}`,
      );
    return { picked: null, unknown };
  }
  if (second !== undefined) {
    reportReading(
      problems,
      "SCN-ONE-OF",
      [...at, second.name],
      `"${picked.name}" and "${second.name}" are both given, and ${called} takes one of them`,
    );
    return { picked: null, unknown };
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
  return { picked, unknown };
}
