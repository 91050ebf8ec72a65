// Values that a JSON Schema of an interface's document describes, and values that it does not in one place.
import * as fc from "fast-check";
import type { JsonObject, JsonValue } from "#src/gateway/management/json.ts";
import { ANY_CHARACTER } from "../../any-character.ts";

export type Schema = JsonObject;

const MEMBER = fc.string({ maxLength: 8 }).filter((name) => name !== "__proto__");
const ANYTHING: fc.Arbitrary<JsonValue> = fc.oneof(
  fc.constant(null),
  fc.boolean(),
  fc.integer(),
  fc.string({ unit: ANY_CHARACTER, maxLength: 12 }),
  fc.array(fc.integer(), { maxLength: 3 }),
  fc.dictionary(MEMBER, fc.integer(), { maxKeys: 3 }),
);

/** `fc.webUrl` makes a table of all characters (test/any-character.ts). */
const partOf = (letters: string): fc.Arbitrary<string> =>
  fc.string({
    unit: fc.oneof(
      { weight: 10, arbitrary: fc.constantFrom(...letters.split("")) },
      { weight: 1, arbitrary: ANY_CHARACTER.map(encodeURIComponent) },
    ),
  });
const LETTERS = "azAZ09-._~!$&'()*+,;=:@/";
const ADDRESS = fc
  .tuple(
    fc.constantFrom("http", "https"),
    fc.webAuthority(),
    fc.oneof(
      fc.constant(""),
      partOf(LETTERS).map((path) => `/${path}`),
    ),
    fc.oneof(
      fc.constant(""),
      partOf(`${LETTERS}?`).map((query) => `?${query}`),
    ),
  )
  .map(([scheme, authority, path, query]) => `${scheme}://${authority}${path}${query}`);

export function fitting(schema: Schema): fc.Arbitrary<JsonValue> {
  const { anyOf, enum: words, const: only, type } = schema;
  if (anyOf !== undefined) return fc.oneof(...(anyOf as readonly Schema[]).map(fitting));
  if (words !== undefined) return fc.constantFrom(...(words as readonly JsonValue[]));
  if (only !== undefined) return fc.constant(only);
  if (Array.isArray(type))
    return fc.oneof(...(type as readonly string[]).map((one) => fitting({ ...schema, type: one })));
  switch (type as string) {
    case "null":
      return fc.constant(null);
    case "boolean":
      return fc.boolean();
    case "string":
      return textOf(schema);
    case "integer":
      return wholeOf(schema);
    case "number":
      return fc.oneof(fc.double({ noNaN: true, noDefaultInfinity: true }), fc.nat(100));
    case "array":
      return fc.array(fitting((schema["items"] ?? {}) as Schema), { maxLength: 3 });
    case "object":
      return objectOf(schema);
    default:
      return ANYTHING;
  }
}

function textOf({ format, pattern, minLength = 0 }: Schema): fc.Arbitrary<string> {
  if (format === "email") return fc.emailAddress();
  if (format === "date-time")
    return fc
      .date({ min: new Date("2000-01-01"), max: new Date("2100-01-01"), noInvalidDate: true })
      .map((date) => date.toISOString());
  if (format === "uri") return ADDRESS;
  if (typeof pattern === "string") return fc.stringMatching(new RegExp(pattern));
  return fc.string({ unit: ANY_CHARACTER, minLength: minLength as number, maxLength: 20 });
}

function wholeOf({ format, minimum, maximum }: Schema): fc.Arbitrary<JsonValue> {
  if (format === "int64") return fc.bigInt({ min: -(2n ** 63n), max: 2n ** 63n - 1n }).map(plain);
  const min = (minimum as number | undefined) ?? -(2 ** 31);
  return fc.integer({ min, max: (maximum as number | undefined) ?? 2 ** 31 - 1 });
}

/** As JSON is read: a bigint only where a double could not hold it. */
const plain = (value: bigint): JsonValue =>
  Number.isSafeInteger(Number(value)) ? Number(value) : value;

function objectOf({ properties, required, additionalProperties }: Schema): fc.Arbitrary<JsonValue> {
  if (properties === undefined) {
    if (typeof additionalProperties !== "object")
      return fc.dictionary(MEMBER, ANYTHING, { maxKeys: 3 });
    return fc.dictionary(MEMBER, fitting(additionalProperties as Schema), { maxKeys: 3 });
  }
  const members = Object.entries(properties as Readonly<Record<string, Schema>>);
  const model = Object.fromEntries(members.map(([name, schema]) => [name, fitting(schema)]));
  const requiredKeys = (required ?? []) as string[];
  return fc.record(model, { requiredKeys, noNullPrototype: true });
}

/** A place in a document, and a document that is wrong there and nowhere else. */
export interface Unfit {
  readonly path: readonly (string | number)[];
  readonly value: JsonValue;
}

/** Null where nothing can be wrong with it, because anything goes. */
export function unfitting(schema: Schema): fc.Arbitrary<Unfit> | null {
  const places = [...placesIn(schema, [])];
  if (places.length === 0) return null;
  return fc
    .tuple(fitting(schema), fc.constantFrom(...places))
    .chain(([value, { path, wrong }]) =>
      wrong.map((bad) => ({ path, value: path.length === 0 ? bad : withAt(value, path, bad) })),
    );
}

interface Place {
  readonly path: readonly (string | number)[];
  readonly wrong: fc.Arbitrary<JsonValue>;
}

function* placesIn(schema: Schema, path: Place["path"]): Generator<Place> {
  const wrong = wrongFor(schema);
  if (wrong !== null) yield { path, wrong };
  const { properties, additionalProperties } = schema;
  for (const [name, member] of Object.entries(
    (properties ?? {}) as Readonly<Record<string, Schema>>,
  ))
    yield* placesIn(member, [...path, name]);
  if (additionalProperties === false)
    yield { path: [...path, "no_such_member"], wrong: fc.constant(1) };
}

const OF_TYPE: Readonly<Record<string, (value: JsonValue) => boolean>> = {
  null: (value) => value === null,
  boolean: (value) => typeof value === "boolean",
  string: (value) => typeof value === "string",
  integer: (value) => Number.isInteger(value) || typeof value === "bigint",
  number: (value) => typeof value === "number" || typeof value === "bigint",
  array: (value) => Array.isArray(value),
  object: (value) => typeof value === "object" && value !== null && !Array.isArray(value),
};

const SAMPLES: readonly JsonValue[] = [null, true, "", "x", 0.5, 7, [], {}];

function wrongFor(schema: Schema): fc.Arbitrary<JsonValue> | null {
  const wrong = SAMPLES.filter((sample) => !mayBe(schema, sample));
  return wrong.length === 0 ? null : fc.constantFrom(...wrong);
}

/** By its type alone, but for words: none of these samples is one. */
function mayBe({ anyOf, enum: words, const: only, type }: Schema, value: JsonValue): boolean {
  if (anyOf !== undefined) return (anyOf as readonly Schema[]).some((one) => mayBe(one, value));
  if (words !== undefined || only !== undefined) return false;
  if (type === undefined) return true;
  return [type].flat().some((one) => OF_TYPE[one as string]!(value));
}

/** The objects on the way are made where the document has left them out. */
function withAt(value: JsonValue, [name, ...rest]: Place["path"], bad: JsonValue): JsonValue {
  const object = (OF_TYPE["object"]!(value) ? value : {}) as JsonObject;
  const inner = rest.length === 0 ? bad : withAt(object[name!] ?? {}, rest, bad);
  return { ...object, [name!]: inner };
}
