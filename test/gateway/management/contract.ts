// Checks a response against the OpenAPI document of its API. Every response of the tests here is checked.
import { Ajv2020, type ValidateFunction } from "ajv/dist/2020.js";
import { openApiOf } from "#src/gateway/management/openapi.ts";
import { INTERFACES, type InterfaceName } from "#src/gateway/management/interface-name.ts";
import { writeJson, type JsonObject } from "#src/gateway/management/json.ts";

export interface ContractResponse {
  readonly method: string;
  readonly url: string;
  readonly status: number;
  readonly headers: Readonly<Record<string, unknown>>;
  readonly text: string;
}

export interface OperationObject {
  readonly operationId: string;
  readonly parameters?: readonly {
    readonly name: string;
    readonly in: string;
    readonly schema: JsonObject;
  }[];
  readonly requestBody?: {
    readonly content: {
      readonly "application/json": { readonly schema: JsonObject; readonly example: JsonObject };
    };
  };
  readonly responses: Readonly<
    Record<
      string,
      { readonly headers?: JsonObject; readonly content?: Readonly<Record<string, unknown>> }
    >
  >;
}

interface Document {
  readonly info: { readonly version: string };
  readonly paths: Readonly<Record<string, Readonly<Record<string, OperationObject>>>>;
}

const ajv = new Ajv2020({ strict: false, validateFormats: false });

export const DOCUMENTS = new Map<InterfaceName, Document>(
  INTERFACES.map((name) => {
    const document = JSON.parse(writeJson(openApiOf(name, ""))) as Document;
    ajv.addSchema(document, name);
    return [name, document];
  }),
);

const inPointer = (part: string): string =>
  encodeURIComponent(part.replaceAll("~", "~0").replaceAll("/", "~1"));
const fits = (name: InterfaceName, ...parts: readonly string[]): ValidateFunction =>
  ajv.getSchema(`${name}#/${parts.map(inPointer).join("/")}`)!;

/** Statuses of a path without an operation, or without one for this method. */
const OF_NO_OPERATION = [400, 401, 404, 405, 429];
const PAGES = /^\/(docs|openapi\.json)/;
const JSON_TYPE = /^application\/json(; charset=utf-8)?$/;

/** How a response differs from the document. */
export function contractProblems(
  bases: Readonly<Record<InterfaceName, string>>,
  { method, url, status, headers, text }: ContractResponse,
): readonly unknown[] {
  const name = INTERFACES.find((each) => url.startsWith(`${bases[each]}/`));
  if (name === undefined) return [];
  const path = url.slice(bases[name].length).split("?", 1)[0]!;
  if (PAGES.test(path)) return [];
  const [template, operation] = operationAt(DOCUMENTS.get(name)!, method, path);
  const type = String(headers["content-type"]);
  const hasType = method === "HEAD" || status === 204 || JSON_TYPE.test(type);
  const problems: unknown[] = hasType ? [] : [type];
  if (operation === undefined) {
    if (!OF_NO_OPERATION.includes(status)) problems.push(`${status} where nothing is`);
    if (method === "HEAD") return problems;
    return [...problems, ...unfit(fits(name, "components", "schemas", "Error"), text)];
  }
  const promised = operation.responses[status];
  if (promised === undefined) return [...problems, `${status} is no answer of ${template}`];
  for (const header of Object.keys(promised.headers ?? {}))
    if (headers[header.toLowerCase()] === undefined) problems.push(`${header} is missing`);
  if (promised.content === undefined || method === "HEAD")
    return text === "" ? problems : [...problems, "there is a body"];
  const at = ["paths", template, verb(method), "responses", String(status), "content"];
  return [...problems, ...unfit(fits(name, ...at, "application/json", "schema"), text)];
}

function unfit(validate: ValidateFunction, text: string): readonly unknown[] {
  validate(JSON.parse(text));
  return validate.errors ?? [];
}

const verb = (method: string): string => (method === "HEAD" ? "get" : method.toLowerCase());

/** A path without parameters precedes one with parameters. */
function operationAt(
  { paths }: Document,
  method: string,
  path: string,
): readonly [string, OperationObject | undefined] {
  const here = Object.keys(paths).filter((template) =>
    new RegExp(`^${template.replaceAll(/\{\w+\}/g, "[^/]+")}$`).test(path),
  );
  const template = here.find((one) => paths[one]![verb(method)] !== undefined) ?? "";
  return [template, paths[template]?.[verb(method)]];
}
