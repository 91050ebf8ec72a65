// The data of a resolver: APIs with their rules, sessions of credentials, and profiles that keys share.
import type { Budget } from "../budget.ts";
import type { Client } from "../client.ts";
import type { ApiDefinition, Configuration, Key, KeyBy } from "../config.ts";
import type { EndpointTable } from "./endpoint.ts";
import type { MergedKey } from "./merge.ts";

/** The budgets that one kind of request meets, in the order of evaluation. */
export interface Resolved {
  readonly id: number; // dense, an index for caches
  readonly api: Budget | null;
  readonly key: Budget | null;
  readonly quota: Budget | null;
  readonly quotaAtApi: Budget | null; // of this API alone (LIM-C9)
}

/** The effective rules of a key with its policies, shared by all keys with the same rules. */
export interface KeyProfile {
  readonly merged: MergedKey;
  readonly rules: (KeyRules | null | undefined)[]; // by API, built at first use; null: no access
  readonly hasEndpoints: boolean; // at some API a limit depends on the path
  readonly isShared: boolean; // keys of the same identity share budgets, perhaps under other limits (LIM-C8)
}

export interface Session extends Client {
  readonly key: Key;
  readonly profile: KeyProfile;
  readonly isPlain: boolean; // apart from access and budgets, nothing can delay or reject its requests
  readonly hasPattern: boolean; // one that evaluates: it wins over `key_by` (LIM-C17)
}

export interface Rules {
  readonly table: EndpointTable | null;
  readonly endpoints: readonly (Budget | null)[]; // null: unlimited there (LIM-C10)
  readonly otherwise: Budget | null;
}

/** An API and its limits for all clients. */
export interface ApiRules extends Rules {
  readonly definition: ApiDefinition;
  readonly keyBy: KeyBy;
  readonly index: number; // dense, in the order of the configuration
  readonly keyless: (Resolved | undefined)[]; // by endpoint
}

export interface KeyRules extends Rules {
  readonly isEnforceable: boolean; // MGT-C8: access that cannot be enforced is no access
  readonly quota: Budget | null;
  readonly quotaAtApi: Budget | null;
  readonly resolved: (Resolved | undefined)[]; // by endpoint of the API, then of the key
}

export interface Resolver {
  readonly configuration: Configuration;
  readonly apis: readonly ApiRules[];
  readonly sessions: Map<string, Session>; // by credential
  readonly profiles: Map<string, KeyProfile>; // by the parts of keys that determine them
  readonly texts: WeakMap<object, string>; // of the parts of keys
  readonly budgets: Map<string, Budget>;
  readonly shadow: Resolver | null; // of the shadow limits (LIM-C13)
  readonly spacePrefix: string; // of each budget
  count: number;
  keyChanges: number; // sessions from before the last one are outdated
}
