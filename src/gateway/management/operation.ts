// An operation of a management API: its request, its responses and its effect. Servers and simulations call it alike.
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
  readonly ifMatch: string | null; // the value of the header
  readonly actor: string; // for the audit log
}

export interface OperationResponse {
  readonly status: number;
  readonly body: unknown; // undefined: none
  readonly headers?: Readonly<Record<string, string>>;
}

export type Right = "audit" | "read" | "secret" | "write";

export interface Operation<Body = never, Query = never> {
  readonly interface: InterfaceName;
  readonly method: Method;
  readonly path: string; // below the API's base, with `{id}` for parameters
  readonly id: string; // in the interface's OpenAPI document
  readonly summary: string;
  /** The right that a token needs. `secret`: no token has it, only the secret of the API. */
  readonly needs: Right;
  readonly requirements: readonly string[];
  readonly body: z.ZodType<Body> | null;
  readonly query: z.ZodType<Query> | null; // null: none is allowed
  /** By status; null: no body. Errors have the form of the API. */
  readonly answers: Readonly<Record<number, z.ZodType | null>>;
  /** Headers of these responses, with descriptions. */
  readonly headers?: Readonly<Record<string, string>>;
  /** Error statuses that do not follow from its method and path. */
  readonly refuses?: readonly number[];
  readonly example?: JsonObject; // of a body
  readonly respond: (
    management: Management,
    request: OperationRequest<Body, Query>,
  ) => Promise<OperationResponse>;
  /** Finds problems of a body that its schema rejects, so that one response lists all of them. */
  readonly furtherProblems?: (
    management: Management,
    request: Pick<OperationRequest<JsonObject, never>, "params" | "body">,
  ) => Promise<readonly Problem[]>;
}

/** Infers the types of the request from the schemas, and erases them for lists of operations. */
export const operation = <Body, Query>(
  described: Operation<Body, Query>,
): Operation<unknown, unknown> => described as unknown as Operation<unknown, unknown>;
