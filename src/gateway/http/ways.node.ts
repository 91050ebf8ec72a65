// The context that all requests of a gateway share.
import type { Gateway } from "../gateway.ts";
import type { RemoteStore } from "../../limiter/store/remote.ts";
import type { AtUpstream } from "./at-upstream.ts";
import type { HeaderNames } from "./end-to-end.ts";
import type { GatewayRequest, RequestOutcome } from "../outcome.ts";
import type { Observer } from "./observer.ts";
import type { TrustedProxies } from "./trusted.node.ts";
import type { UnknownKeys } from "./unknown-keys.ts";
import type { Upstreams } from "./upstreams.node.ts";

export interface GatewayContext {
  readonly gateway: Gateway;
  readonly store: RemoteStore | null;
  readonly observer: Observer;
  readonly upstreams: Upstreams;
  readonly trusted: TrustedProxies;
  readonly names: HeaderNames; // for each header name, whether the header is forwarded
  readonly retries: boolean;
  readonly maxBodyBytes: number;
  readonly atUpstream: AtUpstream[];
  readonly isDraining: () => boolean;
  readonly withoutEcho: boolean;
  readonly keys: KeySource | null; // null: all keys are in the configuration
  readonly unknownKeys: UnknownKeys | null; // null: unknown keys are not limited
  readonly decide: DecideRequest | null; // null: the gateway decides
}

export type DecideRequest = (request: GatewayRequest) => RequestOutcome;

/** The source of keys that this gateway has not read. */
export interface KeySource {
  readonly isKnown: (credential: string) => boolean;
  /** Reads a key. Calls `done` with null if the key is known now, so that the caller can decide without waiting. */
  readonly lookUp: (credential: string, done: (failure: Error | null) => void) => void;
  /** Returns the credential of the key with this id, or null if no key has this id. */
  readonly credentialOf: (id: string) => Promise<string | null>;
  /** `reads only`: records cannot be changed. `away`: no further key can be read. */
  readonly status: () => "answers" | "reads only" | "away";
}
