// Maps with named fields, and maps that choose one word of several: the two forms everything in a
// scenario file has.
import type { Path, Problem } from "./problems.ts";
import {
  isMembers,
  isNear,
  reportName,
  shown,
  type Field,
  type Fields,
  type Members,
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
    if (!isMembers(value))
      return reportReading(
        problems,
        "SCN-VALUE",
        at,
        `${shown(value)} is not ${called}`,
        `write a map of ${Object.keys(fields).join(", ")}`,
      );
    const unknown = reportUnknown(called, Object.keys(fields), value, at, problems);
    return readFields(called, fields, value, at, problems, unknown);
  },
});

function reportUnknown(
  called: string,
  known: readonly string[],
  value: Members,
  at: Path,
  problems: Problem[],
): readonly string[] {
  const unknown = Object.keys(value).filter((name) => !known.includes(name));
  for (const name of unknown)
    reportName(
      problems,
      "SCN-UNKNOWN-FIELD",
      [...at, name],
      `"${name}" is not a field of ${called}`,
      name,
      known,
    );
  return unknown;
}

/** A field whose name was probably meant is told as unknown, and not as missing too. */
export function readFields<F extends Fields>(
  called: string,
  fields: F,
  value: Members,
  at: Path,
  problems: Problem[],
  unknown: readonly string[] = [],
): Values<F> | undefined {
  let whole = unknown.length === 0;
  const values: Record<string, unknown> = {};
  for (const [name, field] of Object.entries(fields)) {
    if (Object.hasOwn(value, name)) {
      const read = field.shape.read(value[name] ?? null, [...at, name], problems);
      if (read === undefined) whole = false;
      values[name] = read;
    } else if (field.required) {
      whole = false;
      if (!unknown.some((each) => isNear(each, [name])))
        reportReading(problems, "SCN-MISSING-FIELD", at, `${called} needs "${name}": ${field.doc}`);
    } else values[name] = field.fallback;
  }
  return whole ? (values as Values<F>) : undefined;
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

/** A word that stands for a whole form: the measure of an expectation, the shape of a flow, the subject of a fault. */
export interface Word<out T> {
  readonly name: string;
  readonly under: Shape<unknown>; // what stands behind it
  readonly beside: Fields; // what may stand next to it
  readonly doc: string;
  readonly example: string; // the smallest map that uses it, as YAML
  readonly read: (value: Members, at: Path, problems: Problem[]) => T | undefined;
}

export interface WordParts<V, B extends Fields, T> {
  readonly name: string;
  readonly under: Shape<V>;
  readonly beside: B;
  readonly doc: string;
  readonly example: string;
  /** Says what it finds wrong itself; undefined after that. */
  readonly build: (under: V, beside: Values<B>, at: Path, problems: Problem[]) => T | undefined;
}

export const word = <V, B extends Fields, T>({
  name,
  under,
  beside,
  doc,
  example,
  build,
}: WordParts<V, B, T>): Word<T> => ({
  name,
  under,
  beside,
  doc,
  example,
  read: (value, at, problems) => {
    const inside = under.read(value[name] ?? null, [...at, name], problems);
    const around = readFields(`"${name}"`, beside, value, at, problems);
    return inside === undefined || around === undefined
      ? undefined
      : build(inside, around, at, problems);
  },
});

export interface Chosen<C, T> {
  readonly common: C;
  readonly chosen: T;
  readonly word: string;
}

/** A map with the common fields, exactly one of the words, and what may stand beside that word. */
export const chosen = <C extends Fields, T>(
  called: string,
  common: C,
  words: readonly Word<T>[],
): Shape<Chosen<Values<C>, T>> => {
  const beside = new Set(words.flatMap((word) => [word.name, ...Object.keys(word.beside)]));
  const choice = {
    called,
    common: Object.keys(common),
    words,
    everywhere: [...Object.keys(common), ...beside],
  };
  return {
    called,
    schema: chosenSchema(common, words),
    read: (value, at, problems) => {
      if (!isMembers(value))
        return reportReading(
          problems,
          "SCN-VALUE",
          at,
          `${shown(value)} is not ${called}`,
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

/** Says which fields there are and that one word is needed, but not which fields go with which word. */
function chosenSchema<T>(common: Fields, words: readonly Word<T>[]): Schema {
  const fields = words.flatMap(({ name, under, beside, doc }) => [
    [name, { ...under.schema, description: doc }] as const,
    ...Object.entries(beside).map(
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
    properties: { ...(properties as Members), ...Object.fromEntries(merged) },
    anyOf: required,
  };
}

interface Choice<T> {
  readonly called: string;
  readonly common: readonly string[];
  readonly words: readonly Word<T>[];
  readonly everywhere: readonly string[]; // every field that some word allows
}

function pick<T>(
  { called, common, words, everywhere }: Choice<T>,
  value: Members,
  at: Path,
  problems: Problem[],
): { readonly picked: Word<T> | null; readonly unknown: readonly string[] } {
  const present = words.filter(({ name }) => Object.hasOwn(value, name));
  // A word may also be what stands beside another one: `events: {...}, sequence: ...`.
  const [picked, second] = present.filter(
    ({ name }) => !present.some(({ beside }) => Object.hasOwn(beside, name)),
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
      `"${picked.name}" and "${second.name}" stand side by side, and ${called} chooses one of them`,
    );
    return { picked: null, unknown };
  }
  const allowed = [...common, picked.name, ...Object.keys(picked.beside)];
  for (const name of Object.keys(value))
    if (!allowed.includes(name) && !unknown.includes(name))
      reportReading(
        problems,
        "SCN-UNKNOWN-FIELD",
        [...at, name],
        `"${name}" does not go with "${picked.name}"`,
        `what does: ${allowed.join(", ")}`,
      );
  return { picked, unknown };
}
