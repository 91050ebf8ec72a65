// The format as a JSON Schema, for editors: put together from the shapes that the decoder reads with.
// It knows less than the decoder (no names, nothing of how fields depend on each other), and never more.
import {
  CLASSIC_API,
  SHORT_API,
  WRAPPED_DEFINITION,
  WRAPPED_OAS,
} from "../../world/api-members.ts";
import { GATEWAY, KEY, POLICY, type MemberTable } from "../../world/members.ts";
import { SCENARIO_FIELDS } from "../read/decode.ts";
import { expectationShape } from "../read/expectations.ts";
import { ALGORITHM_GROUPS } from "../read/matrix.ts";
import { faultShape } from "../read/fault-list.ts";
import { schemaOf } from "../../reading/record.ts";
import { isMembers, listOf, type Members, type Schema, type Json } from "../../reading/shape.ts";
import { trafficShape } from "../read/traffic.ts";
import { GATEWAY_VALUES, LIMIT_VALUES, type WorldValues } from "./world-values.ts";
import { CONFIGURATION_FIELDS, WORLD_FIELDS } from "../read/world.ts";

const VARIABLE = {
  type: "string",
  pattern: String.raw`^\$[A-Za-z][A-Za-z0-9_-]*$`,
  description: "The value of an axis of the matrix.",
};
const REFERENCE = { $ref: "#/$defs/variable" };

export function scenarioSchema(): Schema {
  const top = schemaOf(SCENARIO_FIELDS);
  const parts = {
    world: worldSchema(),
    traffic: trafficShape.schema,
    faults: faultShape.schema,
    expect: listOf(expectationShape, 1).schema,
  };
  const described = Object.entries(parts).map(([name, part]) => [
    name,
    { ...withVariables(part), description: SCENARIO_FIELDS[name as keyof typeof parts].doc },
  ]);
  const properties = {
    ...membersOf(top["properties"]),
    matrix: matrixSchema,
    ...Object.fromEntries(described),
  };
  return {
    $schema: "https://json-schema.org/draft/2020-12/schema",
    title: "A scenario of Weir",
    ...top,
    properties,
    $defs: { variable: VARIABLE },
  };
}

const membersOf = (value: Json | undefined): Members =>
  value !== undefined && isMembers(value) ? value : {};

const axisSchema: Schema = { type: "array", minItems: 1 };
const matrixSchema: Schema = {
  type: "object",
  description: SCENARIO_FIELDS.matrix.doc,
  properties: { algorithm: { anyOf: [{ enum: Object.keys(ALGORITHM_GROUPS) }, axisSchema] } },
  additionalProperties: axisSchema,
};

// ---------------------------------------------------------------- the configuration

const STORED: Readonly<Record<string, Schema>> = {
  any: {},
  strings: { type: ["array", "null"], items: { type: "string" } },
};

/** Where a field is not described, its name only: the value is the configuration reader's business. Pasted records have more. */
function recordSchema(tables: readonly MemberTable[], values: WorldValues): Schema {
  const read = tables.flatMap((table) =>
    table.read.map((name) => {
      const value = Object.hasOwn(values, name) ? values[name] : undefined;
      return [
        name,
        value === undefined ? {} : { ...value.schema, description: value.doc },
      ] as const;
    }),
  );
  const stored = tables.flatMap((table) =>
    Object.entries(table.stored).map(
      ([name, type]) => [name, STORED[type] ?? { type: [type, "null"] }] as const,
    ),
  );
  return { type: ["object", "null"], properties: Object.fromEntries([...stored, ...read]) };
}

const named = (doc: string, tables: readonly MemberTable[]): Schema => ({
  type: "object",
  description: doc,
  additionalProperties: recordSchema(tables, LIMIT_VALUES),
});

const configurationSchemas = (): Members => ({
  apis: named(CONFIGURATION_FIELDS.apis.doc, [
    CLASSIC_API,
    WRAPPED_DEFINITION,
    WRAPPED_OAS,
    SHORT_API,
  ]),
  policies: named(CONFIGURATION_FIELDS.policies.doc, [POLICY]),
  keys: named(CONFIGURATION_FIELDS.keys.doc, [KEY]),
  gateway: {
    ...recordSchema([GATEWAY], GATEWAY_VALUES),
    description: CONFIGURATION_FIELDS.gateway.doc,
    additionalProperties: false,
  },
});

function worldSchema(): Schema {
  const world = schemaOf(WORLD_FIELDS);
  return { ...world, properties: { ...membersOf(world["properties"]), ...configurationSchemas() } };
}

/** Of the file that a gateway's settings name: a world without surroundings, and without variables. */
export const worldFileSchema = (): Schema => ({
  $schema: "https://json-schema.org/draft/2020-12/schema",
  title: "What a gateway of Weir enforces",
  type: "object",
  properties: configurationSchemas(),
  additionalProperties: false,
});

// ---------------------------------------------------------------- variables and repetitions

/** Where a value may stand, a variable may stand, unless a text may stand there anyway. */
function withVariables(schema: Schema): Members {
  return mapInner(schema, (inner) => {
    const plain = inner["type"] === "string" && inner["pattern"] === undefined;
    const { description, ...rest } = withVariables(inner);
    if (plain || Object.keys(rest).length === 0)
      return { ...rest, ...(description === undefined ? {} : { description }) };
    return { anyOf: [rest, REFERENCE], ...(description === undefined ? {} : { description }) };
  });
}

/** Applies to the schemas of what a value holds; those that describe the value itself stay transparent. */
function mapInner(schema: Schema, change: (inner: Schema) => Json): Members {
  const changed = (name: string, value: Json): Json => {
    if ((name === "items" || name === "additionalProperties") && isMembers(value))
      return change(value);
    if (name === "properties" && isMembers(value))
      return Object.fromEntries(
        Object.entries(value).map(([field, inner]) => [
          field,
          isMembers(inner) ? change(inner) : inner,
        ]),
      );
    if (name === "anyOf" && Array.isArray(value))
      return (value as readonly Json[]).map((each) =>
        isMembers(each) ? mapInner(each, change) : each,
      );
    return value;
  };
  return Object.fromEntries(
    Object.entries(schema).map(([name, value]) => [name, changed(name, value)]),
  );
}
