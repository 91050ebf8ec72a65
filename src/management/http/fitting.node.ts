// Whether a management request fits the operation that it asks for; what does not is told whole (MGT-C1).
import type { FastifyRequest } from "fastify";
import type { z } from "zod";
import { fault, type Problem } from "../../reading/problems.ts";
import { table } from "../families/fields.ts";
import { isObject, MOST_SHOWN, readJson, type JsonValue, type ReadJson } from "../json.ts";
import type { Management } from "../management.ts";
import type { OperationRequest, Operation } from "../operation.ts";
import { Rejection } from "../rejection.ts";
import { withFurtherProblems, schemaProblems } from "../schema-faults.ts";

/** Of no bytes nothing, whatever their type is said to be: not every operation wants a body. */
export function bodyIn(
  bytes: Buffer,
  mostValues: number,
): { readonly value: JsonValue | undefined } | Extract<ReadJson, { readonly problems: unknown }> {
  if (bytes.length === 0) return { value: undefined };
  let text: string;
  try {
    text = new TextDecoder("utf-8", { fatal: true }).decode(bytes);
  } catch (error) {
    if (!(error instanceof TypeError)) throw error;
    return { problems: [fault("JSN-UTF8", [], "the body is not UTF-8")] };
  }
  return readJson(text, mostValues);
}

const NO_QUERY = table("the query", {});

export async function fitting(
  management: Management,
  operation: Operation<unknown, unknown>,
  request: FastifyRequest,
  actor: string,
): Promise<OperationRequest<unknown, unknown>> {
  const params = request.params as Readonly<Record<string, string>>;
  const query = (operation.query ?? NO_QUERY).safeParse({ ...(request.query as object) });
  const body = operation.body?.safeParse(request.body);
  const ifMatch = request.headers["if-match"] ?? null;
  const faults = [...unfitParams(params), ...faultsOf(query), ...faultsOf(body)];
  if (faults.length === 0) return { params, query: query.data, body: body?.data, ifMatch, actor };
  const { furtherProblems } = operation;
  const raw = request.body;
  const also =
    furtherProblems !== undefined && isObject(raw) && faults.length <= MOST_SHOWN
      ? await furtherProblems(management, { params, body: raw })
      : [];
  throw new Rejection(400, "The request does not fit", withFurtherProblems(faults, also));
}

const faultsOf = (read: z.ZodSafeParseResult<unknown> | undefined): readonly Problem[] =>
  read?.error === undefined ? [] : schemaProblems(read.error);

/** Nothing is called by such a name, and one of the databases would not even look. */
const unfitParams = (params: Readonly<Record<string, string>>): readonly Problem[] =>
  Object.entries(params).flatMap(([name, value]) =>
    /\p{Cc}/u.test(value) ? [fault("MGT-FIELD", [name], "holds a control character")] : [],
  );
