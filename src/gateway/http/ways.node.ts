// What all requests of a gateway have in common.
import type { Gateway } from "../gateway.ts";
import type { RemoteStore } from "../../store/remote.ts";
import type { AtUpstream } from "./at-upstream.ts";
import type { HeaderNames } from "./end-to-end.ts";
import type { Observer } from "./observer.ts";
import type { Trusted } from "./trusted.node.ts";
import type { UnknownKeys } from "./unknown-keys.ts";
import type { Upstreams } from "./upstreams.node.ts";

export interface Ways {
  readonly gateway: Gateway;
  readonly store: RemoteStore | null;
  readonly observer: Observer;
  readonly upstreams: Upstreams;
  readonly trusted: Trusted;
  readonly names: HeaderNames; // of headers
  readonly retries: boolean;
  readonly maxBodyBytes: number;
  readonly atUpstream: AtUpstream[];
  readonly isDraining: () => boolean;
  readonly withoutEcho: boolean;
  readonly keys: KeySource | null; // null: all keys are in the configuration
  readonly unknownKeys: UnknownKeys | null; // null: any number of them
}

/** Where the keys are that have not come yet. */
export interface KeySource {
  readonly isKnown: (credential: string) => boolean;
  /** Null: it is known now. Whoever hears it decides at once. */
  readonly lookUp: (credential: string, hear: (failure: Error | null) => void) => void;
  /** What stands for the key of this id. Null: there is none. */
  readonly credentialOf: (id: string) => Promise<string | null>;
  /** Away: nobody answers who knows more keys. Reads only: nothing that is managed can be changed. */
  readonly status: () => "answers" | "reads only" | "away";
}
