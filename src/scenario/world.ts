// The world of a variant: its configuration and its environment.
import type { Configuration } from "../core/config.ts";
import type { Distribution } from "../chance/distribution.ts";
import type { Problem } from "../reading/problems.ts";
import type { Micros } from "../core/units.ts";
import type { Receiver } from "./receiver.ts";
import type { Json } from "../reading/shape.ts";

export interface World {
  /** Null where the configuration has faults, which only `configuration` expectations may look at. */
  readonly configuration: Configuration | null;
  /** The same as it is written: what calls change are records, and records are made of this. */
  readonly raw: { readonly [name: string]: Json };
  readonly management: ManagementOptions;
  /** Everything the configuration check says of this world; paths from its top: `keys.alice.rate`. */
  readonly problems: readonly Problem[];
  /** Name of a client as `as:` says it -> its credentials; several where the key has a `count`. */
  readonly credentials: ReadonlyMap<string, readonly string[]>;
  readonly environment: Environment;
}

export const MANAGEMENT_INTERFACES = ["studio", "dashboard", "admin", "broker", "portal"] as const;

export type ManagementInterface = (typeof MANAGEMENT_INTERFACES)[number];

/** What whoever runs the gateways has chosen for the interfaces that change them. */
export interface ManagementOptions {
  readonly catalogues: boolean; // MGT-2
  readonly pageSize: number; // MGT-C3
  readonly bases: Readonly<Record<ManagementInterface, string>>; // MGT-10
  readonly eventCooldownUs: Micros; // EVT-C2
  readonly receivers: Readonly<Record<string, Receiver>>; // of webhooks, by URL
}

export type Balancer =
  | { readonly kind: "round_robin" | "random" | "least_connections" | "sticky" }
  | { readonly kind: "weighted"; readonly weights: readonly number[] };

/** Everything around the gateways. Zero everywhere by default: then requests do not overlap. */
export interface Environment {
  readonly nodes: number; // gateways at the start, 1 to 100
  readonly balancer: Balancer;
  readonly networkUs: Distribution; // client to gateway, one way
  readonly storeUs: Distribution; // gateway to store, one way
  readonly storeCost: { readonly perCommandUs: number; readonly perEntryUs: number };
  readonly upstreamUs: Distribution; // service time
  readonly upstreamHeaders: readonly (readonly [name: string, value: string])[]; // of its answers
  readonly skewUs: readonly Micros[]; // clock of node i minus the true time; missing: 0
}
