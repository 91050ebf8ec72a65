// The records, secrets, clock and other parts that operations use. Time and storage may be real or simulated.
import type { Configuration } from "../../limiter/core/config.ts";
import type { Micros } from "../../kit/units.ts";
import type { Budgets } from "./budgets.ts";
import type { InterfaceName } from "./interface-name.ts";
import type { JsonObject } from "./json.ts";
import type { RecordTypeName } from "./records/record-types.ts";
import type { ManagedRecords } from "./records/records.ts";

/** Encrypts secrets with the key of this installation. */
export interface Secrets {
  /** Generates at least 128 random bits, in characters that a header can carry. */
  readonly generate: () => string;
  /** Hashes the secret of a key, for lookups. */
  readonly hashOf: (secret: string) => string;
  /** Encrypts a value for one field of one record; elsewhere it cannot be unsealed. */
  readonly seal: (text: string, at: SealedAt) => string;
  readonly unseal: (sealed: string, at: SealedAt) => string;
  /** Whether a text has the form of a sealed value; `unseal` may still fail. */
  readonly isSealed: (text: string) => boolean;
  /** Whether the value is sealed with the current key. During a key change, `unseal` also accepts the other key. */
  readonly isOfKey: (sealed: string, at: SealedAt) => boolean;
  /** From now on seals with the key that the installation's record names. Throws a rejection if that key is missing. */
  readonly useKeyOf: (installation: JsonObject) => void;
}

/** The place of a sealed value. */
export interface SealedAt {
  readonly family: RecordTypeName;
  readonly id: string;
  readonly field: string;
}

interface Features {
  readonly catalogues: boolean; // whether the studio has catalogues (MGT-2)
  readonly pageSize: number; // users on a page (MGT-C3)
}

export interface Management {
  readonly records: ManagedRecords;
  readonly secrets: Secrets;
  readonly features: Features;
  readonly nowUs: () => Micros;
  /** Generates an id for a record without one. */
  readonly newId: () => string;
  /** The effective configuration, which references of records are checked against. */
  readonly configuration: () => Configuration;
  /** Applies a write before its response is sent: the next request may rely on it. Succeeds during an outage. */
  readonly applyChanges: () => Promise<void>;
  readonly budgets: Budgets;
  /** Reports a sentence to the operator. */
  readonly report: (sentence: string) => void;
}

export type Credentials = Readonly<Record<InterfaceName, string>>;
