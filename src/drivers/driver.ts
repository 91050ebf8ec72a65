// From a plan to a history, in three verbs: apply the world, run the plan, close. A driver records what happened and
// checks nothing.
import type { Micros } from "../core/units.ts";
import type { History } from "../scenario/history.ts";
import type { Capability, Fault, Plan, Variant } from "../scenario/types.ts";

export const DRIVERS = ["virtual", "embedded", "redis"] as const;
export type DriverName = (typeof DRIVERS)[number];

/** The capabilities of a driver; a scenario that needs more is `unsupported`. */
export interface Offer {
  readonly name: DriverName;
  readonly capabilities: ReadonlySet<Capability>;
  readonly faults: ReadonlySet<Fault["kind"]>;
  readonly isRealTime: boolean;
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
