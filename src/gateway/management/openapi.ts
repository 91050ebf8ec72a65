// The OpenAPI 3.1 document of each management API, built from the schemas that validate its requests.
import { z } from "zod";
import { VERSIONED } from "./if-match.ts";
import { INTERFACE, OPERATIONS, TITLES } from "./interfaces.ts";
import type { JsonObject } from "./json.ts";
import type { InterfaceName } from "./interface-name.ts";
import type { Operation } from "./operation.ts";

type Described = Operation<unknown, unknown>;

/** Builds the document of an API. Its only server is `base`, the URL of the API. */
export function openApiOf(name: InterfaceName, base: string): JsonObject {
  const { title, version, scheme, errorSchema } = INTERFACE[name];
  const paths: Record<string, Record<string, JsonObject>> = {};
  for (const operation of OPERATIONS.filter((each) => each.interface === name)) {
    const path = (paths[operation.path] ??= {});
    path[operation.method.toLowerCase()] = operationObject(operation);
  }
  return {
    openapi: "3.1.0",
    info: { title: `Weir: ${title}`, version },
    servers: [{ url: base === "" ? "/" : base }],
    security: [{ credential: [] }],
    paths,
    components: {
      schemas: { Error: schemaOf(errorSchema, "output") },
      securitySchemes: {
        credential: scheme.isBearer
          ? { type: "http", scheme: "bearer" }
          : { type: "apiKey", in: "header", name: scheme.header },
      },
    },
  };
}

function operationObject(operation: Described): JsonObject {
  const { id, summary, path, requirements, body, method, query, answers, headers, example } =
    operation;
  const parameters = [
    ...namesIn(path).map((name) => parameter("path", name, { type: "string" }, true)),
    ...queryParameters(query),
    ...(isConditional(operation)
      ? [parameter("header", "If-Match", { type: "string" }, false)]
      : []),
  ];
  const responses: [string, JsonObject][] = Object.entries(answers).map(([status, schema]) => [
    status,
    {
      description: "Success",
      ...(headers === undefined ? {} : { headers: headerObjects(headers) }),
      ...(schema === null ? {} : { content: asJson(schemaOf(schema, "output")) }),
    },
  ]);
  for (const status of refusalsOf(operation)) responses.push([String(status), refusal(status)]);
  return {
    operationId: id,
    summary,
    description: `Requirements: ${requirements.join(", ")}. A token needs: ${operation.needs}.`,
    ...(parameters.length === 0 ? {} : { parameters }),
    ...(body === null || method === "GET"
      ? {}
      : {
          requestBody: {
            required: true,
            content: {
              "application/json": {
                schema: schemaOf(body, "input"),
                ...(example === undefined ? {} : { example }),
              },
            },
          },
        }),
    responses: Object.fromEntries(responses),
  };
}

const namesIn = (path: string): readonly string[] =>
  [...path.matchAll(/\{(\w+)\}/g)].map(([, name]) => name!);

const isConditional = ({ method }: Described): boolean =>
  method === "PUT" || method === "PATCH" || method === "DELETE";

/** The error statuses that an operation may respond with. */
function refusalsOf(operation: Described): readonly number[] {
  const { path, body, refuses = [] } = operation;
  const statuses = [
    400,
    401,
    403,
    ...(namesIn(path).length > 0 ? [404] : []),
    ...(isConditional(operation) ? [412] : []),
    ...(body === null ? [] : [413, 415]),
    ...refuses,
    429,
    500,
    503,
  ];
  return [...new Set(statuses)].toSorted((a, b) => a - b);
}

const ERROR: JsonObject = { $ref: "#/components/schemas/Error" };

/** Headers of error responses by status, with descriptions. */
const REFUSED_WITH: Readonly<Record<number, Readonly<Record<string, string>>>> = {
  412: VERSIONED,
  429: { "Retry-After": "Seconds until the next attempt is checked" },
  503: { "Retry-After": "Seconds after which the records may be available again" },
};

const refusal = (status: number): JsonObject => ({
  description: TITLES[status]!,
  ...(REFUSED_WITH[status] === undefined ? {} : { headers: headerObjects(REFUSED_WITH[status]) }),
  content: asJson(ERROR),
});

const asJson = (schema: JsonObject): JsonObject => ({ "application/json": { schema } });

const parameter = (
  where: string,
  name: string,
  schema: JsonObject,
  required: boolean,
): JsonObject => ({ name, in: where, required, schema });

function queryParameters(query: z.ZodType | null): readonly JsonObject[] {
  if (query === null) return [];
  const { properties } = schemaOf(query, "input");
  return Object.entries((properties ?? {}) as Record<string, JsonObject>).map(([name, schema]) =>
    parameter("query", name, schema, false),
  );
}

const headerObjects = (headers: Readonly<Record<string, string>>): JsonObject =>
  Object.fromEntries(
    Object.entries(headers).map(([name, description]) => [
      name,
      { description, schema: { type: "string" } },
    ]),
  );

/** The JSON Schema of a zod schema. Of custom checks it has only what the zod schema's `meta` describes. */
function schemaOf(schema: z.ZodType, io: "input" | "output"): JsonObject {
  const { $schema: _, ...properties } = z.toJSONSchema(schema, { io, unrepresentable: "any" });
  return properties as unknown as JsonObject;
}
