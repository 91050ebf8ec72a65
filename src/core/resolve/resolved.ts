// What a resolver holds: APIs with their rules, sessions of credentials, and profiles that keys share.
import type { Budget } from "../budget.ts";
import type { Client } from "../client.ts";
import type { ApiDefinition, Configuration, Key, KeyBy } from "../config.ts";
import type { EndpointTable } from "./endpoint.ts";
import type { Merged } from "./merge.ts";

/** The budgets that one kind of request meets, in the order in which they are judged. */
export interface Resolved {
  readonly id: number; // dense, for those who keep something by it
  readonly api: Budget | null;
  readonly key: Budget | null;
  readonly quota: Budget | null;
  readonly quotaAtApi: Budget | null; // of this API alone (LIM-C9)
}

/** A key with its policies applied, shared by all keys that come out alike. */
export interface Profile {
  readonly merged: Merged;
  readonly rules: (KeyRules | null | undefined)[]; // by API, filled as they are asked for; null: no access
  readonly hasEndpoints: boolean; // some API of it is limited by path, so that the path matters
  readonly isShared: boolean; // by whoever comes to the same identity, and so perhaps under other limits (LIM-C8)
}

export interface Session extends Client {
  readonly key: Key;
  readonly profile: Profile;
  readonly isPlain: boolean; // access and budgets apart, nothing can ever hold its requests up
  readonly hasPattern: boolean; // one that evaluates: it wins over `key_by` (LIM-C17)
}

export interface Rules {
  readonly table: EndpointTable | null;
  readonly endpoints: readonly (Budget | null)[]; // null: unlimited there (LIM-C10)
  readonly otherwise: Budget | null;
}

/** An API and what limits it for everybody. */
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
  readonly profiles: Map<string, Profile>; // by all that keys bring to them
  readonly texts: WeakMap<object, string>; // of the parts of keys
  readonly budgets: Map<string, Budget>;
  readonly shadow: Resolver | null; // of the limits that are judged and never enforced (LIM-C13)
  readonly before: string; // the name of each space
  count: number;
}
