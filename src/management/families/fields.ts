// What fields of records are made of, and the sentences that say what does not fit.
import { z } from "zod";
import { nearest } from "../../core/problems.ts";
import { isObject, type JsonObject, type JsonValue } from "../json.ts";

const LEAST = -(2n ** 63n);
const MOST = 2n ** 63n - 1n;

/** What a value has to be; one that is not there at all is told so. */
const must = (be: string) => ({
  error: ({ input }: { readonly input?: unknown }): string =>
    input === undefined ? "is missing" : be,
});

/** A whole number of 64 bits: a bigint where a double could not hold it. */
export const int64 = z
  .custom<number | bigint>(isInt64, must("is a whole number of at most 64 bits"))
  .meta({ type: "integer", format: "int64" });

export const int32 = z
  .custom<number>(
    (value) => isWhole(value, -(2 ** 31), 2 ** 31 - 1),
    must("is a whole number of at most 32 bits"),
  )
  .meta({ type: "integer", format: "int32" });

/** Kept as it is written, even where that is a whole number beyond what a double tells apart. */
export const double = z
  .custom<number | bigint>(
    (value) => typeof value === "number" || typeof value === "bigint",
    must("is a number"),
  )
  .meta({ type: "number", format: "double" });

export const text = z.string(must("is a text"));
export const yesOrNo = z.boolean(must("is true or false"));
export const texts = z.array(text, must("is a list of texts"));
export const namedTexts = z.record(z.string(), text, must("is a map from names to texts"));

export const anything = z.custom<JsonValue>((value) => value !== undefined, must("is a value"));
/** Whose members nobody has told us. */
export const object = z.custom<JsonObject>(isObject, must("is an object")).meta({ type: "object" });

export const whole = (least: number, most: number) =>
  z
    .custom<number>(
      (value) => isWhole(value, least, most),
      must(`is a whole number from ${least} to ${most}`),
    )
    .meta({ type: "integer", minimum: least, maximum: most });

/** The same as a query says it: as text. */
export const wholeInQuery = (least: number, most: number) =>
  z
    .custom<string>(
      (value) =>
        typeof value === "string" &&
        /^-?\d{1,10}$/.test(value) &&
        isWhole(Number(value), least, most),
      must(`is a whole number from ${least} to ${most}`),
    )
    .meta({ type: "integer", minimum: least, maximum: most })
    .transform(Number);

const isWhole = (value: unknown, least: number, most: number): value is number =>
  Number.isInteger(value) && (value as number) >= least && (value as number) <= most;

function isInt64(value: unknown): boolean {
  return typeof value === "bigint" ? value >= LEAST && value <= MOST : Number.isSafeInteger(value);
}

/** A table of the document: what is not in it is refused, with what may have been meant; a line for each. */
export const table = <Shape extends z.ZodRawShape>(what: string, shape: Shape) =>
  z.strictObject(shape, {
    error: (issue) => {
      if (issue.code === "unrecognized_keys")
        return issue.keys.map((name) => unknownField(name, what, Object.keys(shape))).join("\n");
      return issue.input === undefined ? "is missing" : `${what} is an object`;
    },
  });

function unknownField(name: string, what: string, known: readonly string[]): string {
  const meant = name.length > 64 ? null : nearest(name, known);
  const said = `is not a field of ${what}`;
  return meant === null ? said : `${said}; did you mean "${meant}"?`;
}
