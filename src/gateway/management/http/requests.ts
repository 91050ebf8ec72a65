// Requirements for a request to a management API, over HTTP or in virtual time.
import type { JsonValue, ReadJson } from "../json.ts";
import type { Operation } from "../operation.ts";
import { Rejection } from "../rejection.ts";

export type AnyOperation = Operation<unknown, unknown>;

/** Throws a rejection if a content type names an encoding other than UTF-8, the encoding of JSON. */
export function requireUtf8(type: string): void {
  const named = /;\s*charset\s*=\s*"?([^\s";]*)/i.exec(type)?.[1] ?? "utf-8";
  if (named.toLowerCase() !== "utf-8")
    throw new Rejection(415, "A body is application/json in UTF-8");
}

export function requireJson({ value, problems }: ReadJson): JsonValue | undefined {
  if (problems.length > 0) throw new Rejection(400, "The body is not JSON", problems);
  return value;
}

export function unknownPathRejection(
  operations: readonly AnyOperation[],
  method: string,
  path: string,
): Rejection {
  const here = operations.filter((each) => patternOf(each).test(path));
  const methods = here.flatMap((each) => (each.method === "GET" ? ["GET", "HEAD"] : [each.method]));
  if (methods.length === 0 || methods.includes(method)) return new Rejection(404, "Not Found");
  const Allow = [...new Set(methods)].join(", ");
  return new Rejection(405, `${path} answers ${Allow}`, [], { Allow });
}

const patternOf = ({ path }: AnyOperation): RegExp =>
  new RegExp(`^${path.replaceAll(/\{\w+\}/g, "[^/]+")}$`);
