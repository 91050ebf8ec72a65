// How fields of records are described, for editors and for the docs: the type of a value, its allowed names, and its
// meaning. A test compares the names with the tables of the configuration reader.
import { METHODS } from "../../../limiter/world/endpoints.ts";
import type { FieldType, MemberTable } from "../../../limiter/world/members.ts";
import type { Schema } from "../../../kit/reading/shape.ts";
import type { WorldValue, WorldValues } from "./world-values.ts";

export const text = (doc: string, called = "a string"): WorldValue => ({
  schema: { type: ["string", "null"] },
  called,
  doc,
});
export const list = (items: Schema, called: string, doc: string): WorldValue => ({
  schema: { type: ["array", "null"], items },
  called,
  doc,
});
export const names = (doc: string): WorldValue => list({ type: "string" }, "a list of names", doc);
export const map = (of: Schema, called: string, doc: string): WorldValue => ({
  schema: { type: ["object", "null"], additionalProperties: of },
  called,
  doc,
});
/** Seconds or a duration; -1 means off. */
export const orOff = (doc: string): WorldValue => ({
  schema: { type: ["number", "string", "null"], minimum: -1 },
  called: "seconds, or a duration; -1 is off",
  doc,
});

/** The types of fields that are stored but have no effect. */
const STORED: Readonly<Record<FieldType, Schema>> = {
  any: {},
  string: { type: ["string", "null"] },
  integer: { type: ["integer", "null"] },
  boolean: { type: ["boolean", "null"] },
  object: { type: ["object", "null"], additionalProperties: true },
  strings: { type: ["array", "null"], items: { type: "string" } },
};

/** The schema of a record. Unlisted fields are allowed, because pasted records contain more. */
export function recordSchema(tables: readonly MemberTable[], values: WorldValues): Schema {
  const read = tables.flatMap((table) =>
    table.read.map((name) => {
      const { schema, doc } = values[name]!;
      return [name, { ...schema, description: doc }] as const;
    }),
  );
  const stored = tables.flatMap((table) =>
    Object.entries(table.stored).map(
      ([name, type]) =>
        [name, { ...STORED[type], description: "Stored, and without effect." }] as const,
    ),
  );
  return { type: ["object", "null"], properties: Object.fromEntries([...stored, ...read]) };
}

/** Records that occur in several places. Each is one definition in the schema, to which these places refer. */
export type DefinedRecord =
  | "endpoint_entry"
  | "classic_api"
  | "oas_document"
  | "oas_extension"
  | "versions"
  | "access_right";

export const definition = (name: DefinedRecord): Schema => ({ $ref: `#/$defs/${name}` });

export const inside = (table: MemberTable, values: WorldValues, doc: string): WorldValue => ({
  schema: recordSchema([table], values),
  called: `a map of ${table.read.map((name) => `\`${name}\``).join(", ")}`,
  doc,
});

export const METHOD: WorldValue = {
  schema: { anyOf: [{ enum: METHODS }, { type: "string", pattern: "^[A-Za-z-]+$" }] },
  called: "an HTTP method",
  doc: "The method, in any case.",
};
export const PATTERN = text(
  "The path after the listen path; `{name}` and `*` match any string.",
  "a path pattern",
);
