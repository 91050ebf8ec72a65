// Runs a random world on an implementation and compares its decisions with the profile.
import { micros } from "../../kit/units.ts";
import { InexpressibleLimits } from "../../lab/drivers/decide.node.ts";
import { playOn, type Driver } from "../../lab/drivers/driver.ts";
import { createImplementationDriver } from "../../lab/drivers/remote.node.ts";
import { reasonsAgainst } from "../../lab/drivers/support.ts";
import type { Implementation } from "../../lab/implementations/catalogue.node.ts";
import type { Manifest } from "../../lab/implementations/manifest.ts";
import type { History } from "../../lab/scenario/history.ts";
import { plan } from "../../lab/scenario/plan/plan.ts";
import type { Plan } from "../../lab/scenario/types.ts";
import { compareDecisions, type ComparedTiming, type ComparedWorld } from "./compare-decisions.ts";
import type { ProofWorld } from "./proof-world.ts";
import type { WorldTrial } from "./trial.ts";

export interface PlayedHistory {
  readonly history: History;
  readonly planned: Plan;
}

/** Whether the implementation can express the world, as far as is known before a run. */
export function isExpressible({ offer }: Driver, { scenario }: ProofWorld): boolean {
  const longest = { stretch: 1, maxDurationUs: micros(Number.MAX_SAFE_INTEGER) };
  return reasonsAgainst(offer, scenario, scenario.variants[0]!, longest).length === 0;
}

/** Runs a world. Null: the implementation cannot express the world. */
export async function playWorld(driver: Driver, world: ProofWorld): Promise<PlayedHistory | null> {
  if (!isExpressible(driver, world)) return null;
  const { scenario } = world;
  const variant = scenario.variants[0]!;
  const planned = plan(variant, scenario.id, 1);
  try {
    return { history: await playOn(driver, variant, planned), planned };
  } catch (error) {
    if (error instanceof InexpressibleLimits) return null;
    throw error;
  }
}

/** Runs and compares a world. Null: the implementation cannot express the world. */
export async function compareWorld(
  { manifest }: Pick<Implementation, "manifest">,
  driver: Driver,
  world: ProofWorld,
): Promise<ComparedWorld | null> {
  const played = await playWorld(driver, world);
  return played === null ? null : compareWithProfile(manifest, world, played);
}

export const compareWithProfile = (
  manifest: Manifest,
  { profile }: ProofWorld,
  { history, planned }: PlayedHistory,
): ComparedWorld => compareDecisions(history, profile.variants[0]!, planned, timingOf(manifest));

export const timingOf = ({ resolution, rounding, kind }: Manifest): ComparedTiming => ({
  resolutionUs: resolution ?? 0,
  roundingUs: rounding ?? 0,
  isOrdered: kind === "decide",
});

/**
 * Confirms a difference: the world runs again, alone, in new programs. A difference due to state from other worlds, or
 * to the timing of a busy machine, does not appear again.
 */
export async function confirm(
  implementation: Implementation,
  seed: number,
  world: ProofWorld,
  compared: ComparedWorld,
): Promise<WorldTrial> {
  if (compared.difference === null) return { kind: "compared", seed, compared };
  const driver = createImplementationDriver(implementation);
  try {
    const again = await compareWorld(implementation, driver, world);
    return again?.difference
      ? { kind: "compared", seed, compared: again }
      : { kind: "unconfirmed", seed, compared };
  } finally {
    await driver.close();
  }
}
