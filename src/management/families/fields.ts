// What fields of records are made of, and the sentences that say what does not fit.
import { z } from "zod";
import { nearest } from "../../core/problems.ts";
import type { JsonObject, JsonValue } from "../json.ts";

const LEAST = -(2n ** 63n);
const MOST = 2n ** 63n - 1n;

/** A whole number of 64 bits: a bigint where a double could not hold it. */
export const int64 = z
  .union([z.int(), z.bigint().min(LEAST).max(MOST)], {
    error: "is a whole number of at most 64 bits",
  })
  .meta({ type: "integer", format: "int64" });

export const int32 = z
  .int({ error: "is a whole number" })
  .min(-(2 ** 31))
  .max(2 ** 31 - 1);
export const double = z.union([z.number(), z.bigint().transform(Number)], { error: "is a number" });
export const text = z.string({ error: "is a text" });
export const yesOrNo = z.boolean({ error: "is true or false" });
export const texts = z.array(text, { error: "is a list of texts" });

export const anything = z.custom<JsonValue>((value) => value !== undefined, "is missing");
/** Whose members nobody has told us. */
export const object = z.custom<JsonObject>(isObject, "is an object").meta({ type: "object" });

export function isObject(value: unknown): value is JsonObject {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}

/** A table of the document: what is not in it is refused, with what may have been meant. */
export const table = <Shape extends z.ZodRawShape>(what: string, shape: Shape) =>
  z.strictObject(shape, {
    error: (issue) => {
      if (issue.code !== "unrecognized_keys") return `${what} is an object`;
      return issue.keys.map((name) => unknownField(name, what, Object.keys(shape))).join("; ");
    },
  });

function unknownField(name: string, what: string, known: readonly string[]): string {
  const meant = name.length > 64 ? null : nearest(name, known);
  const said = `"${name.slice(0, 64)}" is not a field of ${what}`;
  return meant === null ? said : `${said}; did you mean "${meant}"?`;
}
