// A request to the gateway, and its outcome.
import { ALL_CLIENTS, type Client, type Sender } from "../limiter/core/client.ts";
import type { ApiDefinition } from "../limiter/core/config.ts";
import type { Decision } from "../limiter/core/decision.ts";
import type { Resolved, Resolver, Session } from "../limiter/core/resolve/resolved.ts";
import type { StoreOp } from "../limiter/core/store.ts";
import type { RefusalResponse } from "./refusals.ts";

export interface GatewayRequest {
  readonly method: string; // upper case
  readonly target: string;
  readonly credential: string | null;
  readonly hasTwoCredentials?: boolean;
  readonly sender?: Sender; // unset: unknown
  readonly last?: LastRoute; // of a caller that sends one object many times; unset: it is sent once
}

/**
 * Where an object was routed that is sent many times. It is the same until the configuration or a key changes. It has
 * fields of its own: routes that live long would let an engine place all of them where only a full collection looks.
 */
export interface LastRoute {
  resolver: Resolver | null; // null: it has to be found
  keyChanges: number; // of the resolver
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

/** The end of a request. Every outcome has the same shape, because there is one for each request. */
export interface RequestOutcome {
  readonly kind: "done"; // in contrast to a request that needs a store (begin.ts)
  readonly refused: RefusalResponse | null; // null: goes to the upstream
  readonly api: ApiDefinition | null;
  readonly session: Session | null; // null: keyless, or no key
  readonly client: Client; // the client that its budgets count (LIM-C17)
  readonly path: string; // normalised, as it is forwarded
  readonly cost: number; // units that it spends of each limit (LIM-C19)
  readonly resolved: Resolved | null;
  readonly decision: Decision | null; // null: rejected before the limiter
  readonly background: readonly StoreOp[]; // background writes: to be sent after the response
}

export const NO_BACKGROUND: RequestOutcome["background"] = [];

/** The outcome of a request that was never decided, for example one that the HTTP parser rejects. */
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
