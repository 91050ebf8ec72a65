// A driver turns a plan into a history in three steps: apply the world, run the plan, close. It records what happened
// and checks nothing.
import type { Micros } from "../../kit/units.ts";
import type { History } from "../scenario/history.ts";
import type { Capability, Fault, Plan, Variant } from "../scenario/types.ts";

export const DRIVERS = ["virtual", "embedded", "redis", "remote"] as const;
export type DriverName = (typeof DRIVERS)[number];

/** The gateway that the driver `remote` uses: a running one, or an implementation that the driver starts. */
export type Against =
  | { readonly kind: "target"; readonly url: string }
  | { readonly kind: "implementation"; readonly name: string };

/** What a driver supports; a scenario that needs more is `unsupported`. */
export interface Offer {
  readonly name: DriverName;
  readonly capabilities: ReadonlySet<Capability>;
  readonly faults: ReadonlySet<Fault["kind"]>;
  readonly isRealTime: boolean;
  /** Further reasons why the driver cannot run a variant. */
  readonly reasons?: (variant: Variant) => readonly Reason[];
}

/** Why a driver cannot run a variant. */
export interface Reason {
  /** The name of the reason for `--require`: a missing capability, or another obstacle. */
  readonly missing: Capability | "max-duration" | "stretch" | "implementation" | "imitation";
  readonly text: string;
}

export interface Driver {
  readonly offer: Offer;
  readonly apply: (variant: Variant) => Promise<AppliedWorld>;
  readonly close: () => Promise<void>;
}

/** A world that has been applied: its gateways are serving. */
export interface AppliedWorld {
  readonly play: (plan: Plan) => Promise<History>;
  readonly close: () => Promise<void>;
}

/** Thrown if a running gateway does not respond: then no further request is sent to it. */
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

/** With times more uncertain than this, a run proves nothing about limits of a few seconds. */
export const MOST_UNCERTAIN_US = 100_000 as Micros;
