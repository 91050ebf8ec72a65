// The scenario format as a JSON Schema for editors, built from the decoder's shapes. It accepts everything that the
// decoder accepts, and more, because it checks no references to names and no dependencies between fields.
import { ALGORITHMS } from "../../../limiter/core/algorithms.ts";
import { GATEWAY } from "../../../limiter/world/members.ts";
import { SCENARIO_FIELDS } from "../read/decode.ts";
import { expectationShape } from "../read/expectations.ts";
import { ALGORITHM_GROUPS } from "../read/matrix.ts";
import { faultShape } from "../read/fault-list.ts";
import { schemaOf } from "../../../kit/reading/record.ts";
import {
  isJsonMap,
  listOf,
  type JsonMap,
  type Schema,
  type Json,
} from "../../../kit/reading/shape.ts";
import { trafficShape } from "../read/traffic.ts";
import { API_DEFINITIONS, apiSchema } from "./api-values.ts";
import { accessRightSchema, keySchema, policySchema } from "./key-values.ts";
import { recordSchema, type DefinedRecord } from "./record-values.ts";
import { GATEWAY_VALUES, SMOOTHING_SCHEMA } from "./world-values.ts";
import { CONFIGURATION_FIELDS, WORLD_FIELDS } from "../read/world.ts";

const DIALECT = "https://json-schema.org/draft/2020-12/schema";
const VARIABLE = {
  type: "string",
  pattern: String.raw`^\$[A-Za-z][A-Za-z0-9_-]*$`,
  description: "The value of an axis of the matrix.",
};
const REFERENCE = { $ref: "#/$defs/variable" };

export function scenarioSchema(): Schema {
  const top = schemaOf(SCENARIO_FIELDS);
  const parts = {
    world: schemaOf(WORLD_FIELDS),
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
    $schema: DIALECT,
    title: "A scenario of Weir",
    ...top,
    properties,
    $defs: { variable: VARIABLE, ...mapSchemas(configurationSchemas(), withVariables) },
  };
}

const membersOf = (value: Json | undefined): JsonMap =>
  value !== undefined && isJsonMap(value) ? value : {};

const axisOf = (items: Schema): Schema => ({ type: "array", items, minItems: 1 });
/** Lists the algorithms, so that editors offer them. Any value is valid: the decoder checks it where it is used. */
const ALGORITHM_AXIS: Schema = {
  anyOf: [
    { enum: Object.keys(ALGORITHM_GROUPS) },
    axisOf({ anyOf: [{ enum: [...ALGORITHMS] }, {}] }),
  ],
};
const matrixSchema: Schema = {
  type: "object",
  description: SCENARIO_FIELDS.matrix.doc,
  properties: { algorithm: ALGORITHM_AXIS },
  additionalProperties: axisOf({}),
};

// ---------------------------------------------------------------- the configuration

const RECORDS: Readonly<Record<DefinedRecord, () => Schema>> = {
  ...API_DEFINITIONS,
  access_right: accessRightSchema,
};
const recordDefinitions = (): Readonly<Record<string, Schema>> =>
  Object.fromEntries(Object.entries(RECORDS).map(([name, schema]) => [name, schema()]));

/** `world` and `configure` refer to these definitions by field name. */
const configurationSchemas = (): Readonly<Record<string, Schema>> => ({
  ...recordDefinitions(),
  smoothing: SMOOTHING_SCHEMA,
  apis: { type: "object", additionalProperties: apiSchema() },
  policies: { type: "object", additionalProperties: policySchema() },
  keys: { type: "object", additionalProperties: keySchema() },
  gateway: { ...recordSchema([GATEWAY], GATEWAY_VALUES), additionalProperties: false },
});

const mapSchemas = (
  schemas: Readonly<Record<string, Schema>>,
  change: (schema: Schema) => JsonMap,
): JsonMap =>
  Object.fromEntries(Object.entries(schemas).map(([name, schema]) => [name, change(schema)]));

/** The schema of the file that a gateway's settings name: a world without environment and variables. */
export const worldFileSchema = (): Schema => ({
  $schema: DIALECT,
  title: "What a gateway of Weir enforces",
  ...schemaOf(CONFIGURATION_FIELDS),
  $defs: configurationSchemas(),
});

// ---------------------------------------------------------------- variables and repetitions

/** Allows a variable in place of any value, except where any string is valid already. */
function withVariables(schema: Schema): JsonMap {
  return mapInner(schema, (inner) => {
    const plain = inner["type"] === "string" && inner["pattern"] === undefined;
    const { description, ...rest } = withVariables(inner);
    if (plain || Object.keys(rest).length === 0)
      return { ...rest, ...(description === undefined ? {} : { description }) };
    return { anyOf: [rest, REFERENCE], ...(description === undefined ? {} : { description }) };
  });
}

/** Changes the schemas of inner values, such as `items`, and leaves the rest of the schema unchanged. */
function mapInner(schema: Schema, change: (inner: Schema) => Json): JsonMap {
  const changeField = (name: string, value: Json): Json => {
    if ((name === "items" || name === "additionalProperties") && isJsonMap(value))
      return change(value);
    if (name === "properties" && isJsonMap(value))
      return Object.fromEntries(
        Object.entries(value).map(([field, inner]) => [
          field,
          isJsonMap(inner) ? change(inner) : inner,
        ]),
      );
    if (name === "anyOf" && Array.isArray(value))
      return (value as readonly Json[]).map((each) =>
        isJsonMap(each) ? mapInner(each, change) : each,
      );
    return value;
  };
  return Object.fromEntries(
    Object.entries(schema).map(([name, value]) => [name, changeField(name, value)]),
  );
}
