// An operation of a management API: its request, responses and effect. Servers and simulations call it in the same way.
import type { z } from "zod";
import type { Problem } from "../../kit/reading/problems.ts";
import type { JsonObject } from "./json.ts";
import type { InterfaceName } from "./interface-name.ts";
import type { Management } from "./management.ts";

type Method = "GET" | "POST" | "PUT" | "PATCH" | "DELETE";

/** A decoded request. */
export interface OperationRequest<Body, Query> {
  readonly params: Readonly<Record<string, string>>;
  readonly query: Query;
  readonly body: Body;
  readonly ifMatch: string | null; // the value of the If-Match header
  readonly actor: string; // the client's name in the audit log
}

export interface OperationResponse {
  readonly status: number;
  readonly body: unknown; // undefined: there is no body
  readonly headers?: Readonly<Record<string, string>>;
}

export type Right = "audit" | "read" | "secret" | "write";

export interface Operation<Body = never, Query = never> {
  readonly interface: InterfaceName;
  readonly method: Method;
  readonly path: string; // below the API's base, with `{id}` for parameters
  readonly id: string; // the operation's id in the API's OpenAPI document
  readonly summary: string;
  /** The right that a token needs. `secret`: no token has the right, only the API's secret. */
  readonly needs: Right;
  readonly requirements: readonly string[];
  readonly body: z.ZodType<Body> | null;
  readonly query: z.ZodType<Query> | null; // null: the operation has no query
  /** Schemas of responses by status; null: no body. Error responses have the form of the API. */
  readonly answers: Readonly<Record<number, z.ZodType | null>>;
  /** Headers of successful responses, with descriptions. */
  readonly headers?: Readonly<Record<string, string>>;
  /** Error statuses in addition to those that follow from method and path. */
  readonly refuses?: readonly number[];
  readonly example?: JsonObject; // an example of a body
  readonly respond: (
    management: Management,
    request: OperationRequest<Body, Query>,
  ) => Promise<OperationResponse>;
  /** Finds further problems in a body that the schema has rejected, so that one response lists all of them. */
  readonly furtherProblems?: (
    management: Management,
    request: Pick<OperationRequest<JsonObject, never>, "params" | "body">,
  ) => Promise<readonly Problem[]>;
}

/** Infers the types of a request from its schemas. The result has no type parameters, so that lists can contain it. */
export const operation = <Body, Query>(
  described: Operation<Body, Query>,
): Operation<unknown, unknown> => described as unknown as Operation<unknown, unknown>;
