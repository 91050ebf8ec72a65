// What comes to a gateway, and what becomes of it.
import { ALL_CLIENTS, type Client, type Sender } from "../core/client.ts";
import type { ApiDefinition } from "../core/config.ts";
import type { Decision } from "../core/decision.ts";
import type { Resolved, Session } from "../core/resolve/resolved.ts";
import type { StoreOp } from "../core/store.ts";
import type { Refused } from "./refusals.ts";

export interface Request {
  readonly method: string; // upper case
  readonly target: string;
  readonly credential: string | null;
  readonly hasTwoCredentials?: boolean;
  readonly sender?: Sender; // left out: nobody knows where it comes from
}

/** The end of a request. Every outcome has the same shape, because there is one for each request. */
export interface Outcome {
  readonly kind: "done"; // in contrast to a request that needs a store (begin.ts)
  readonly refused: Refused | null; // null: goes to the upstream
  readonly api: ApiDefinition | null;
  readonly session: Session | null; // null: keyless, or nobody known
  readonly client: Client; // whom its budgets count for (LIM-C17)
  readonly path: string; // normalised, as it is forwarded
  readonly resolved: Resolved | null;
  readonly decision: Decision | null; // null: rejected before the limiter
  readonly background: readonly StoreOp[]; // background writes: to be sent after the response
}

export const NO_BACKGROUND: Outcome["background"] = [];

/** Of a request that nobody decided, such as one that is not HTTP to its parser. */
export const UNDECIDED: Outcome = {
  kind: "done",
  refused: null,
  api: null,
  session: null,
  client: ALL_CLIENTS,
  path: "",
  resolved: null,
  decision: null,
  background: NO_BACKGROUND,
};
