// What fields of records are made of, and the sentences that say what does not fit.
import { z } from "zod";
import { nearest } from "../../reading/problems.ts";
import { isObject, MOST_SHOWN, type JsonObject, type JsonValue } from "../json.ts";

const LEAST = -(2n ** 63n);
const MOST = 2n ** 63n - 1n;

/** What a value has to be; one that is not there at all is told so. */
const must = (be: string) => ({
  error: ({ input }: { readonly input?: unknown }): string =>
    input === undefined ? "is missing" : be,
});

/** A whole number of 64 bits: a bigint where a double could not hold it. */
export const int64 = z
  .custom<number | bigint>(isInt64, must("is an integer of at most 64 bits"))
  .meta({ type: "integer", format: "int64" });

export const int32 = z
  .custom<number>(
    (value) => isWhole(value, -(2 ** 31), 2 ** 31 - 1),
    must("is an integer of at most 32 bits"),
  )
  .meta({ type: "integer", format: "int32" });

/** Kept as it is written, even where that is an integer beyond what a double tells apart. */
export const double = z
  .custom<number | bigint>(
    (value) => typeof value === "number" || typeof value === "bigint",
    must("is a number"),
  )
  .meta({ type: "number", format: "double" });

export const text = z.string(must("is a string"));
export const yesOrNo = z.boolean(must("is true or false"));

/** The first faults of what is inside, and no more: to find them all in a long list would take its time. */
function tellInside(
  inside: Iterable<readonly [name: string | number, value: unknown]>,
  item: z.ZodType,
  told: z.core.$RefinementCtx,
): void {
  let found = 0;
  for (const [name, value] of inside) {
    for (const issue of item.safeParse(value).error?.issues ?? []) {
      const inside = { ...issue, input: value, path: [name, ...issue.path] };
      told.addIssue(inside as Parameters<typeof told.addIssue>[0]);
      if (++found > MOST_SHOWN) return;
    }
  }
}

const schemaOf = (item: z.ZodType): z.core.JSONSchema.BaseSchema => {
  const { $schema: _, ...schema } = z.toJSONSchema(item, { io: "input", unrepresentable: "any" });
  return schema;
};

/** A list that comes in. */
export const listOf = <Each extends z.ZodType>(item: Each, be: string) =>
  z
    .custom<z.output<Each>[]>(Array.isArray, must(be))
    .superRefine((items: unknown, told) => {
      if (Array.isArray(items)) tellInside(items.entries(), item, told);
    })
    .meta({ type: "array", items: schemaOf(item) });

export const texts = listOf(text, "is a list of texts");
export const namedTexts = z
  .custom<Record<string, string>>(isObject, must("is a map from names to texts"))
  .superRefine((map: unknown, told) => {
    if (isObject(map)) tellInside(Object.entries(map), text, told);
  })
  .meta({
    type: "object",
    propertyNames: { type: "string" },
    additionalProperties: { type: "string" },
  });

export const anything = z.custom<JsonValue>((value) => value !== undefined, must("is a value"));
/** Whose members nobody has told us. */
export const object = z.custom<JsonObject>(isObject, must("is an object")).meta({ type: "object" });

export const whole = (least: number, most: number) =>
  z
    .custom<number>(
      (value) => isWhole(value, least, most),
      must(`is an integer from ${least} to ${most}`),
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
      must(`is an integer from ${least} to ${most}`),
    )
    .meta({ type: "integer", minimum: least, maximum: most })
    .transform(Number);

const isWhole = (value: unknown, least: number, most: number): value is number =>
  Number.isInteger(value) && (value as number) >= least && (value as number) <= most;

function isInt64(value: unknown): boolean {
  return typeof value === "bigint" ? value >= LEAST && value <= MOST : Number.isSafeInteger(value);
}

/** A table of the document: what is not in it is refused, with what may have been meant; a line for each that is shown. */
export const table = <Shape extends z.ZodRawShape>(what: string, shape: Shape) =>
  z.strictObject(shape, {
    error: (issue) => {
      if (issue.code === "unrecognized_keys")
        return issue.keys
          .slice(0, MOST_SHOWN + 1)
          .map((name) => unknownField(name, what, Object.keys(shape)))
          .join("\n");
      return issue.input === undefined ? "is missing" : `${what} is an object`;
    },
  });

function unknownField(name: string, what: string, known: readonly string[]): string {
  const meant = name.length > 64 ? null : nearest(name, known);
  const said = `is not a field of ${what}`;
  return meant === null ? said : `${said}; did you mean "${meant}"?`;
}
