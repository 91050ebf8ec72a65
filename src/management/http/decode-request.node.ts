// Decodes a management request for its operation. A rejection lists every problem of the request (MGT-C1).
import type { FastifyRequest, FastifyReply } from "fastify";
import type { z } from "zod";
import { errorAt, type Problem } from "../../reading/problems.ts";
import { table } from "../families/fields.ts";
import { isObject, MOST_SHOWN, readJson, type ReadJson } from "../json.ts";
import type { Management } from "../management.ts";
import type { OperationRequest, Operation } from "../operation.ts";
import { Rejection } from "../rejection.ts";
import { withFurtherProblems, schemaProblems } from "../schema-problems.ts";
import { readOnForAMoment } from "../../gateway/http/message-faults.node.ts";

/** No bytes are no body, whatever their type: not every operation has one. */
export function decodeBody(bytes: Buffer, mostValues: number): ReadJson {
  if (bytes.length === 0) return { value: undefined, problems: [] };
  let text: string;
  try {
    text = new TextDecoder("utf-8", { fatal: true }).decode(bytes);
  } catch (error) {
    if (!(error instanceof TypeError)) throw error;
    return { value: undefined, problems: [errorAt("JSN-UTF8", [], "the body is not UTF-8")] };
  }
  return readJson(text, mostValues);
}

const NO_QUERY = table("the query", {});

export async function decodeRequest(
  management: Management,
  operation: Operation<unknown, unknown>,
  request: FastifyRequest,
  actor: string,
): Promise<OperationRequest<unknown, unknown>> {
  const params = request.params as Readonly<Record<string, string>>;
  const query = (operation.query ?? NO_QUERY).safeParse({ ...(request.query as object) });
  const body = operation.body?.safeParse(request.body);
  const ifMatch = request.headers["if-match"] ?? null;
  const problems = [...paramProblems(params), ...problemsOf(query), ...problemsOf(body)];
  if (problems.length === 0) return { params, query: query.data, body: body?.data, ifMatch, actor };
  const { furtherProblems } = operation;
  const raw = request.body;
  const further =
    furtherProblems !== undefined && isObject(raw) && problems.length <= MOST_SHOWN
      ? await furtherProblems(management, { params, body: raw })
      : [];
  throw new Rejection(400, "The request does not fit", withFurtherProblems(problems, further));
}

const problemsOf = (read: z.ZodSafeParseResult<unknown> | undefined): readonly Problem[] =>
  read?.error === undefined ? [] : schemaProblems(read.error);

/** No record has such an id, and one of the databases rejects it. */
const paramProblems = (params: Readonly<Record<string, string>>): readonly Problem[] =>
  Object.entries(params).flatMap(([name, value]) =>
    /\p{Cc}/u.test(value) ? [errorAt("MGT-FIELD", [name], "holds a control character")] : [],
  );

/**
 * A response while the client still sends its body. Fastify would close the connection with the response, and a client
 * that is cut off may never read it; so the rest of the body is read for a moment, and discarded.
 */
export function answerWhileSent({ raw }: FastifyRequest, reply: FastifyReply): void {
  reply.removeHeader("connection");
  if (!raw.complete) readOnForAMoment(raw);
}
