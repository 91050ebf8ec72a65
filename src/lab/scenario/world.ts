// The world of a variant: its configuration and its environment.
import type { Configuration } from "../../limiter/core/config.ts";
import type { Distribution } from "../../kit/chance/distribution.ts";
import type { Problem } from "../../kit/reading/problems.ts";
import type { Micros } from "../../kit/units.ts";
import type { Json } from "../../kit/reading/shape.ts";
import type { ReadConfiguration, ReadRule } from "../implementations/reading.ts";

/** The configuration of another limiter, which decides in place of `configuration`. */
export interface RulesOfFile {
  readonly file: string; // as the scenario names it
  readonly configuration: ReadConfiguration;
  /** Whether all gateways share the counters of a rule. */
  readonly isShared: (rule: ReadRule) => boolean;
  /** What the file leaves open, a sentence each. A request may add one: read them after all requests. */
  readonly doubts: () => readonly string[];
}

export interface World {
  readonly rules: RulesOfFile | null; // null: `configuration` decides
  /** Null if the configuration has errors, which only `configuration` expectations may examine. */
  readonly configuration: Configuration | null;
  /** The source text of the world, from which the records that calls change are created. */
  readonly raw: { readonly [name: string]: Json };
  readonly management: ManagementEnvironment;
  /** All problems that the configuration check found, with paths from the top of the world: `keys.alice.rate`. */
  readonly problems: readonly Problem[];
  /** Credentials by the name of a client in `as:`; several if the key has a `count`. */
  readonly credentials: ReadonlyMap<string, readonly string[]>;
  readonly environment: Environment;
}

export const MANAGEMENT_INTERFACES = ["studio", "dashboard", "admin", "broker", "portal"] as const;

export type ManagementInterface = (typeof MANAGEMENT_INTERFACES)[number];

/** Settings of the management APIs, made by the operator of the gateways. */
export interface ManagementEnvironment {
  readonly catalogues: boolean; // whether catalogues are enabled (MGT-2)
  readonly pageSize: number; // users on a page of a search (MGT-C3)
  readonly bases: Readonly<Record<ManagementInterface, string>>; // base path of each interface (MGT-10)
  readonly eventCooldownUs: Micros; // time within which repeated refusals are one event (EVT-C2)
  readonly receivers: Readonly<Record<string, Receiver>>; // of webhooks, by URL
}

export type Balancer =
  | { readonly kind: "round_robin" | "random" | "least_connections" | "sticky" }
  | { readonly kind: "weighted"; readonly weights: readonly number[] };

/** Everything around the gateways. All times are zero by default, so that requests do not overlap. */
export interface Environment {
  readonly nodes: number; // gateways at the start, 1 to 100
  readonly balancer: Balancer;
  readonly networkUs: Distribution; // client to gateway, one way
  readonly storeUs: Distribution; // gateway to store, one way
  readonly storeCost: { readonly perCommandUs: number; readonly perEntryUs: number };
  readonly upstreamUs: Distribution; // time that the upstream takes for a request
  readonly upstreamHeaders: readonly (readonly [name: string, value: string])[]; // headers of its responses
  readonly skewUs: readonly Micros[]; // clock of each gateway minus true time; missing: 0
}

/** How the receiver of a webhook treats each attempt; the last item of a list applies to all later attempts. */
export interface Receiver {
  readonly answers: readonly (number | "no response" | "connection reset")[];
  readonly afterUs: Micros;
  readonly addresses: readonly string[]; // addresses of its host, one for each attempt
}
