// Decodes a management request for its operation. A rejection lists every problem of the request (MGT-C1).
import type { z } from "zod";
import { errorAt, type Problem } from "../../kit/reading/problems.ts";
import { table } from "./families/fields.ts";
import { isObject, MOST_SHOWN } from "./json.ts";
import type { Management } from "./management.ts";
import type { OperationRequest, Operation } from "./operation.ts";
import { Rejection } from "./rejection.ts";
import { withFurtherProblems, schemaProblems } from "./schema-problems.ts";

/** A request to a route, with its parsed body. */
export interface ReceivedRequest {
  readonly params: Readonly<Record<string, string>>;
  readonly query: Readonly<Record<string, unknown>>;
  readonly body: unknown; // undefined: the request has no body
  readonly ifMatch: string | null;
}

const NO_QUERY = table("the query", {});

export async function decodeRequest(
  management: Management,
  operation: Operation<unknown, unknown>,
  request: ReceivedRequest,
  actor: string,
): Promise<OperationRequest<unknown, unknown>> {
  const { params } = request;
  const query = (operation.query ?? NO_QUERY).safeParse(request.query);
  const body = operation.body?.safeParse(request.body);
  const { ifMatch } = request;
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

/** Problems of ids with a control character: no record has such an id, and one of the databases would reject it. */
const paramProblems = (params: Readonly<Record<string, string>>): readonly Problem[] =>
  Object.entries(params).flatMap(([name, value]) =>
    /\p{Cc}/u.test(value) ? [errorAt("MGT-FIELD", [name], "holds a control character")] : [],
  );
