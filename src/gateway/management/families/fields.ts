// The types of fields in records, and the messages about invalid values.
import { z } from "zod";
import { nearest } from "../../../kit/reading/problems.ts";
import { isObject, MOST_SHOWN, type JsonObject, type JsonValue } from "../json.ts";
import type { Listed, Page } from "../records/records.ts";

const LEAST = -(2n ** 63n);
const MOST = 2n ** 63n - 1n;

/** The message for an invalid or missing value. */
const errorUnless = (requirement: string) => ({
  error: ({ input }: { readonly input?: unknown }): string =>
    input === undefined ? "is missing" : requirement,
});

/** An integer of 64 bits: a bigint if a double cannot represent it exactly. */
export const int64 = z
  .custom<number | bigint>(isInt64, errorUnless("is an integer of at most 64 bits"))
  .meta({ type: "integer", format: "int64" });

export const int32 = z
  .custom<number>(
    (value) => isIntegerBetween(value, -(2 ** 31), 2 ** 31 - 1),
    errorUnless("is an integer of at most 32 bits"),
  )
  .meta({ type: "integer", format: "int32" });

/** A number that is stored as written, even an integer that a double cannot represent. */
export const double = z
  .custom<number | bigint>(
    (value) => typeof value === "number" || typeof value === "bigint",
    errorUnless("is a number"),
  )
  .meta({ type: "number", format: "double" });

export const text = z.string(errorUnless("is a string"));
export const boolean = z.boolean(errorUnless("is true or false"));

/** Reports only the first problems, because finding all problems of a long list takes time. */
function addIssuesInside(
  inside: Iterable<readonly [name: string | number, value: unknown]>,
  item: z.ZodType,
  context: z.core.$RefinementCtx,
): void {
  let count = 0;
  for (const [name, value] of inside) {
    for (const issue of item.safeParse(value).error?.issues ?? []) {
      const inside = { ...issue, input: value, path: [name, ...issue.path] };
      context.addIssue(inside as Parameters<typeof context.addIssue>[0]);
      if (++count > MOST_SHOWN) return;
    }
  }
}

const schemaOf = (item: z.ZodType): z.core.JSONSchema.BaseSchema => {
  const { $schema: _, ...schema } = z.toJSONSchema(item, { io: "input", unrepresentable: "any" });
  return schema;
};

/** A list in the body of a request. */
export const listOf = <Each extends z.ZodType>(item: Each, requirement: string) =>
  z
    .custom<z.output<Each>[]>(Array.isArray, errorUnless(requirement))
    .superRefine((items: unknown, context) => {
      if (Array.isArray(items)) addIssuesInside(items.entries(), item, context);
    })
    .meta({ type: "array", items: schemaOf(item) });

export const stringList = listOf(text, "is a list of strings");
export const stringMap = z
  .custom<Record<string, string>>(isObject, errorUnless("is a map from names to strings"))
  .superRefine((map: unknown, context) => {
    if (isObject(map)) addIssuesInside(Object.entries(map), text, context);
  })
  .meta({
    type: "object",
    propertyNames: { type: "string" },
    additionalProperties: { type: "string" },
  });

export const anything = z.custom<JsonValue>(
  (value) => value !== undefined,
  errorUnless("is a value"),
);
/** An object with any fields. */
export const object = z
  .custom<JsonObject>(isObject, errorUnless("is an object"))
  .meta({ type: "object" });

export const integer = (least: number, most: number) =>
  z
    .custom<number>(
      (value) => isIntegerBetween(value, least, most),
      errorUnless(`is an integer from ${least} to ${most}`),
    )
    .meta({ type: "integer", minimum: least, maximum: most });

/** An integer in the query of a URL, where it is a string. */
export const integerInQuery = (least: number, most: number) =>
  z
    .custom<string>(
      (value) =>
        typeof value === "string" &&
        /^-?\d{1,10}$/.test(value) &&
        isIntegerBetween(Number(value), least, most),
      errorUnless(`is an integer from ${least} to ${most}`),
    )
    .meta({ type: "integer", minimum: least, maximum: most })
    .transform(Number);

const isIntegerBetween = (value: unknown, least: number, most: number): value is number =>
  Number.isInteger(value) && (value as number) >= least && (value as number) <= most;

function isInt64(value: unknown): boolean {
  return typeof value === "bigint" ? value >= LEAST && value <= MOST : Number.isSafeInteger(value);
}

/** An object with the fields of a table in the specification. An error suggests a known name for each unknown one. */
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
  const suggestion = name.length > 64 ? null : nearest(name, known);
  const message = `is not a field of ${what}`;
  return suggestion === null ? message : `${message}; did you mean "${suggestion}"?`;
}

const FURTHEST = 2 ** 31 - 1;

/** The query of a list in the dashboard and admin APIs: a page number (MGT-C3). */
export const byPage = table("the query", { p: integerInQuery(-(2 ** 31), FURTHEST).optional() });

/** The page with number `p`, from 1. A number below 0 requests all users at once: null (MGT-4). */
export const pageOf = (p: number | undefined, size: number): Page | null =>
  p !== undefined && p < 0 ? null : { size, page: Math.max(1, p ?? 1) };

export const pagesOf = ({ total }: Pick<Listed, "total">, page: Page | null): number =>
  page === null ? Math.min(1, total) : Math.ceil(total / page.size);
