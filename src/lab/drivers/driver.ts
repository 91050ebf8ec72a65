// From a plan to a history, in three verbs: apply the world, run the plan, close. A driver records what happened and
// checks nothing.
import type { Micros } from "../../kit/units.ts";
import type { History } from "../scenario/history.ts";
import type { Capability, Fault, Plan, Variant } from "../scenario/types.ts";

export const DRIVERS = ["virtual", "embedded", "redis", "remote"] as const;
export type DriverName = (typeof DRIVERS)[number];

/** Whose gateway the driver `remote` uses: one that runs already, or one that it starts. */
export type Against =
  | { readonly kind: "target"; readonly url: string }
  | { readonly kind: "implementation"; readonly name: string };

/** The capabilities of a driver; a scenario that needs more is `unsupported`. */
export interface Offer {
  readonly name: DriverName;
  readonly capabilities: ReadonlySet<Capability>;
  readonly faults: ReadonlySet<Fault["kind"]>;
  readonly isRealTime: boolean;
  /** Of a gateway of others: further reasons why it cannot run a variant. */
  readonly reasons?: (variant: Variant) => readonly Reason[];
}

/** Why a driver cannot run a variant. */
export interface Reason {
  /** The name for `--require`: a capability, or another obstacle. */
  readonly missing: Capability | "max-duration" | "stretch" | "implementation" | "imitation";
  readonly text: string;
}

export interface Driver {
  readonly offer: Offer;
  readonly apply: (variant: Variant) => Promise<AppliedWorld>;
  readonly close: () => Promise<void>;
}

/** A world that has been applied: gateways that serve. */
export interface AppliedWorld {
  readonly play: (plan: Plan) => Promise<History>;
  readonly close: () => Promise<void>;
}

/** A gateway that runs already does not respond: nothing more can be sent to it. */
export class UnreachableTarget extends Error {}

/** Applies the world, runs the plan and closes. */
export async function playOn(
  driver: Pick<Driver, "apply">,
  variant: Variant,
  plan: Plan,
): Promise<History> {
  const world = await driver.apply(variant);
  try {
    return await world.play(plan);
  } finally {
    await world.close();
  }
}

/** Above this uncertainty a run is no evidence about limits that are counted in seconds. */
export const MOST_UNCERTAIN_US = 100_000 as Micros;
