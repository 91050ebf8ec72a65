// An operation of an interface: what it takes, what it answers, and what it does. A server hangs it into its paths,
// a simulation hands it a request; neither knows what it is about.
import type { z } from "zod";
import type { Problem } from "../reading/problems.ts";
import type { JsonObject } from "./json.ts";
import type { InterfaceName } from "./interface-name.ts";
import type { Management } from "./management.ts";

export type Method = "GET" | "POST" | "PUT" | "PATCH" | "DELETE";

/** What came in, parsed: nothing behind this line looks at raw text again. */
export interface Asked<Body, Query> {
  readonly params: Readonly<Record<string, string>>;
  readonly query: Query;
  readonly body: Body;
  readonly ifMatch: string | null; // as the header says it
  readonly who: string; // for the audit log
}

export interface Answer {
  readonly status: number;
  readonly body: unknown; // undefined: none
  readonly headers?: Readonly<Record<string, string>>;
}

export type Right = "audit" | "read" | "secret" | "write";

export interface Operation<Body = never, Query = never> {
  readonly interface: InterfaceName;
  readonly method: Method;
  readonly path: string; // behind the interface's base, `{id}` for what varies
  readonly id: string; // in the interface's OpenAPI document
  readonly summary: string;
  /** What a token needs for it. `secret`: no token may, only the secret of the interface. */
  readonly needs: Right;
  readonly requirements: readonly string[];
  readonly body: z.ZodType<Body> | null;
  readonly query: z.ZodType<Query> | null; // null: there is none, and whoever sends one is told
  /** By status; null: no body. Errors are the interface's own. */
  readonly answers: Readonly<Record<number, z.ZodType | null>>;
  /** Headers of those answers, and what they say. */
  readonly headers?: Readonly<Record<string, string>>;
  /** Statuses of refusals that its method and path do not tell of. */
  readonly refuses?: readonly number[];
  readonly example?: JsonObject; // of a body
  readonly answer: (management: Management, asked: Asked<Body, Query>) => Promise<Answer>;
  /** Of a body that its schema refuses: what else is wrong with it, so that all of it is told at once. */
  readonly alsoWrong?: (
    management: Management,
    asked: Pick<Asked<JsonObject, never>, "params" | "body">,
  ) => Promise<readonly Problem[]>;
}

/** Keeps what the schemas say of `asked` while it is written down, and lets operations stand in one list. */
export const operation = <Body, Query>(
  described: Operation<Body, Query>,
): Operation<unknown, unknown> => described as unknown as Operation<unknown, unknown>;
