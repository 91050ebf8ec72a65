// The dependencies of operations. Time and storage may be real or simulated.
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
  /** Hashes a key's secret for lookups. */
  readonly hashOf: (secret: string) => string;
  /** A sealed value opens only at the same field of the same record. */
  readonly seal: (text: string, at: SealedAt) => string;
  readonly unseal: (sealed: string, at: SealedAt) => string;
  /** By its form only; `unseal` may still fail. */
  readonly isSealed: (text: string) => boolean;
  /** Whether the present key has sealed it: during a key change, the other key opens values too. */
  readonly isOfKey: (sealed: string, at: SealedAt) => boolean;
  /** Seals with the key that the installation's record names from now on. Throws a rejection if that key is missing here. */
  readonly useKeyOf: (installation: JsonObject) => void;
}

/** The field of a record that holds a sealed value. */
export interface SealedAt {
  readonly family: RecordTypeName;
  readonly id: string;
  readonly field: string;
}

interface Features {
  readonly catalogues: boolean; // MGT-2
  readonly pageSize: number; // MGT-C3
}

export interface Management {
  readonly records: ManagedRecords;
  readonly secrets: Secrets;
  readonly features: Features;
  readonly nowUs: () => Micros;
  /** The id of a record that has none of its own. */
  readonly newId: () => string;
  /** The configuration in force, for references of records. */
  readonly configuration: () => Configuration;
  /** Awaited after each write, before the response, so that the next request meets the change. Succeeds during an outage. */
  readonly applyChanges: () => Promise<void>;
  readonly budgets: Budgets;
  /** Reports to the operator. */
  readonly report: (sentence: string) => void;
}

export type Credentials = Readonly<Record<InterfaceName, string>>;
