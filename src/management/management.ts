// What operations work with. Nothing here knows whether time is real, or where the records lie.
import type { Configuration } from "../core/config.ts";
import type { Micros } from "../core/units.ts";
import type { Budgets } from "./budgets.ts";
import type { InterfaceName } from "./interface-name.ts";
import type { JsonObject } from "./json.ts";
import type { Family } from "./records/family.ts";
import type { Records } from "./records/records.ts";

/** What is kept in a form that nobody can read back without the key of this installation. */
export interface Secrets {
  /** 128 random bits and more, in letters that a header can carry. */
  readonly made: () => string;
  /** Of a key's secret, for its lookup. */
  readonly hashOf: (secret: string) => string;
  /** Opens there again and nowhere else. */
  readonly seal: (text: string, at: SealedAt) => string;
  readonly unseal: (sealed: string, at: SealedAt) => string;
  /** By its form; whether it opens is another matter. */
  readonly isSealed: (text: string) => boolean;
  /** Whether the key that seals now has sealed it: while the key is changed, another one opens too. */
  readonly isOfKey: (sealed: string, at: SealedAt) => boolean;
  /** Seals from now on with the key that the installation's record names. Throws a refusal where that key is not here. */
  readonly heed: (installation: JsonObject) => void;
}

/** Where a sealed value lies. */
export interface SealedAt {
  readonly family: Family;
  readonly id: string;
  readonly field: string;
}

export interface Features {
  readonly catalogues: boolean; // MGT-2
  readonly pageSize: number; // MGT-C3
}

export interface Management {
  readonly records: Records;
  readonly secrets: Secrets;
  readonly features: Features;
  readonly nowUs: () => Micros;
  /** Of a record that says none of its own. */
  readonly newId: () => string;
  /** What the gateway obeys now: what a record refers to is looked up here. */
  readonly configuration: () => Configuration;
  /**
   * Said after each write, before it is answered: the next request on this gateway is governed by it. What was written
   * is answered even where the records went away since.
   */
  readonly changed: () => Promise<void>;
  readonly budgets: Budgets;
  /** A sentence for whoever runs the gateway. */
  readonly tell: (sentence: string) => void;
}

export type Credentials = Readonly<Record<InterfaceName, string>>;
