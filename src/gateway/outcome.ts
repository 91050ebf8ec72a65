// A request to the gateway, and its outcome.
import { ALL_CLIENTS, type Client, type Sender } from "../limiter/core/client.ts";
import type { ApiDefinition } from "../limiter/core/config.ts";
import type { Decision } from "../limiter/core/decision.ts";
import type { Resolved, Resolver, Session } from "../limiter/core/resolve/resolved.ts";
import type { StoreOp } from "../limiter/core/store.ts";
import type { HeaderField } from "./headers.ts";
import type { RefusalResponse } from "./refusals.ts";

export interface GatewayRequest {
  readonly method: string; // upper case
  readonly target: string;
  readonly credential: string | null;
  readonly hasTwoCredentials?: boolean;
  readonly sender?: Sender; // unset: unknown
  readonly last?: LastRoute; // last route of this object; only if a caller sends one object many times
}

/**
 * Where a request object was last routed; valid until the configuration or a key changes. Its fields are copies: with a
 * reference to the route, V8 would treat all routes as long-lived, and collect them late.
 */
export interface LastRoute {
  resolver: Resolver | null; // null: not routed yet
  keyChanges: number; // `keyChanges` of the resolver when the request was routed
  api: ApiDefinition | null;
  session: Session | null;
  client: Client;
  path: string;
  cost: number;
  resolved: Resolved | null;
}

export const noRoute = (): LastRoute => ({
  resolver: null,
  keyChanges: 0,
  api: null,
  session: null,
  client: ALL_CLIENTS,
  path: "",
  cost: 1,
  resolved: null,
});

/** The end of a request. All outcomes have the same shape, because V8 handles objects of one shape faster. */
export interface RequestOutcome {
  readonly kind: "done"; // other kinds: a request that still needs a store (begin.ts)
  readonly refused: RefusalResponse | null; // null: the request goes to the upstream
  readonly api: ApiDefinition | null;
  readonly session: Session | null; // null: the API is keyless, or there is no such key
  readonly client: Client; // the client of its budgets (LIM-C17)
  readonly path: string; // normalized, for the upstream
  readonly cost: number; // units that it spends of each budget (LIM-C19)
  readonly resolved: Resolved | null;
  readonly decision: Decision | null; // null: it was rejected before the limiter
  readonly background: readonly StoreOp[]; // writes to send after the response
  readonly headers?: readonly HeaderField[]; // of another limiter; unset: only those of the decision
}

export const NO_BACKGROUND: RequestOutcome["background"] = [];

/** The outcome of a request that was not decided, for example one that the HTTP parser rejects. */
export const UNDECIDED: RequestOutcome = {
  kind: "done",
  refused: null,
  api: null,
  session: null,
  client: ALL_CLIENTS,
  path: "",
  cost: 1,
  resolved: null,
  decision: null,
  background: NO_BACKGROUND,
};
