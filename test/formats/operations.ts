// What a client of the management APIs depends on: which operations there are, which fields each accepts, requires and
// returns. Read from the OpenAPI documents, because clients are written from these.
import { openApiOf } from "#src/gateway/management/openapi.ts";
import { writeJson } from "#src/gateway/management/json.ts";
import { INTERFACE } from "#src/gateway/management/interfaces.ts";
import type { InterfaceName } from "#src/gateway/management/interface-name.ts";

interface Schema {
  readonly properties?: Readonly<Record<string, Schema>>;
  readonly required?: readonly string[];
  readonly items?: Schema;
  readonly anyOf?: readonly Schema[];
  readonly oneOf?: readonly Schema[];
  readonly allOf?: readonly Schema[];
}

interface Content {
  readonly content?: { readonly "application/json": { readonly schema: Schema } };
}

interface OperationObject {
  readonly parameters?: readonly { readonly name: string; readonly required: boolean }[];
  readonly requestBody?: Content;
  readonly responses: Readonly<Record<string, Content>>;
}

export interface Operations {
  /** By method and path. */
  readonly [operation: string]: {
    readonly accepts: readonly string[];
    readonly requires: readonly string[];
    /** By status. */
    readonly returns: Readonly<Record<string, readonly string[]>>;
  };
}

export function listOperations(): Operations {
  const operations: Record<string, Operations[string]> = {};
  for (const name of Object.keys(INTERFACE) as InterfaceName[]) {
    const { paths } = JSON.parse(writeJson(openApiOf(name, ""))) as {
      readonly paths: Readonly<Record<string, Readonly<Record<string, OperationObject>>>>;
    };
    for (const [path, methods] of Object.entries(paths))
      for (const [method, operation] of Object.entries(methods))
        operations[`${name} ${method.toUpperCase()} ${path}`] = describe(operation);
  }
  return operations;
}

function describe({ parameters = [], requestBody = {}, responses }: OperationObject) {
  const body = schemaOf(requestBody);
  const names = (wanted: boolean): readonly string[] =>
    parameters.filter(({ required }) => required || wanted).map(({ name }) => `?${name}`);
  return {
    accepts: [...names(true), ...fieldsOf(body)],
    requires: [...names(false), ...(body.required ?? [])],
    returns: Object.fromEntries(
      Object.entries(responses).map(([status, response]) => [status, fieldsOf(schemaOf(response))]),
    ),
  };
}

const schemaOf = ({ content }: Content): Schema => content?.["application/json"].schema ?? {};

/** Names of fields, also of those in lists and in alternatives. Fields of fields have a dot. */
function fieldsOf({ properties = {}, items, anyOf, oneOf, allOf }: Schema): readonly string[] {
  const own = Object.entries(properties).flatMap(([name, schema]) => [
    name,
    ...fieldsOf(schema).map((field) => `${name}.${field}`),
  ]);
  const others = [items, ...(anyOf ?? []), ...(oneOf ?? []), ...(allOf ?? [])];
  const inside = others.flatMap((schema) => (schema === undefined ? [] : fieldsOf(schema)));
  return [...new Set([...own, ...inside])];
}

/** What a client that was written for the operations before would miss now. */
export function listBreaks(before: Operations, now: Operations): readonly string[] {
  return Object.entries(before).flatMap(([operation, { accepts, requires, returns }]) => {
    const own = now[operation];
    if (own === undefined) return [`${operation} is gone`];
    return [
      ...without(accepts, own.accepts).map((field) => `${operation} does not accept ${field}`),
      ...without(own.requires, requires).map((field) => `${operation} requires ${field}`),
      ...Object.entries(returns).flatMap(([status, fields]) => {
        const returned = own.returns[status];
        return returned === undefined
          ? [`${operation} does not return ${status}`]
          : without(fields, returned).map(
              (field) => `${operation} does not return ${field} with ${status}`,
            );
      }),
    ];
  });
}

const without = (all: readonly string[], some: readonly string[]): readonly string[] =>
  all.filter((one) => !some.includes(one));
