// The data of a resolver: APIs with their rules, sessions of credentials, and profiles that keys share.
import type { Budget } from "../budget.ts";
import type { Client } from "../client.ts";
import type { ApiDefinition, Configuration, Key, KeyBy } from "../config.ts";
import type { EndpointTable } from "./endpoint.ts";
import type { MergedKey } from "./merge.ts";

/** The budgets that requests with the same limits meet, in the order of evaluation. */
export interface Resolved {
  readonly id: number; // dense, so that caches can use it as an index
  readonly api: Budget | null;
  readonly key: Budget | null;
  readonly quota: Budget | null;
  readonly quotaAtApi: Budget | null; // of this API alone (LIM-C9)
}

/** The effective rules of a key with its policies, shared by all keys with the same rules. */
export interface KeyProfile {
  readonly merged: MergedKey;
  readonly rules: (KeyRules | null | undefined)[]; // by API, built at first use; null: no access
  readonly hasEndpoints: boolean; // at some API, a limit depends on the path
  readonly isShared: boolean; // keys of the same identity share budgets, perhaps with other limits (LIM-C8)
}

export interface Session extends Client {
  readonly key: Key;
  readonly profile: KeyProfile;
  readonly isPlain: boolean; // only access and budgets can reject or delay its requests
  readonly hasPattern: boolean; // it has a pattern with values, which wins over `key_by` (LIM-C17)
}

export interface Rules {
  readonly table: EndpointTable | null;
  readonly endpoints: readonly (Budget | null)[]; // null: the endpoint is unlimited (LIM-C10)
  readonly otherwise: Budget | null;
}

/** An API and its limits for all clients. */
export interface ApiRules extends Rules {
  readonly definition: ApiDefinition;
  readonly keyBy: KeyBy;
  readonly index: number; // dense, in the order of the configuration
  readonly keyless: (Resolved | undefined)[]; // by index of the endpoint plus 1; 0: no endpoint matches
}

export interface KeyRules extends Rules {
  readonly isEnforceable: boolean; // MGT-C8: access that cannot be enforced is no access
  readonly quota: Budget | null;
  readonly quotaAtApi: Budget | null;
  readonly resolved: (Resolved | undefined)[]; // by index of the API's endpoint, then of the key's
}

export interface Resolver {
  readonly configuration: Configuration;
  readonly apis: readonly ApiRules[];
  readonly sessions: Map<string, Session>; // by credential
  readonly profiles: Map<string, KeyProfile>; // by the text of all parts of a key that determine a profile
  readonly texts: WeakMap<object, string>; // of the parts of keys, as JSON
  readonly budgets: Map<string, Budget>;
  readonly shadow: Resolver | null; // the resolver of the shadow limits (LIM-C13)
  readonly spacePrefix: string; // prefix of each budget's space
  count: number;
  keyChanges: number; // grows when keys change; a session created before the change may be outdated
}
