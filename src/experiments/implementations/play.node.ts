// Runs a behaviour on an implementation, and on the algorithm that the implementation claims.
import { dirname, join, relative } from "node:path";
import type { Driver } from "../../drivers/driver.ts";
import { playOn } from "../../drivers/driver.ts";
import { reasonsAgainst } from "../../drivers/support.ts";
import { virtual } from "../../drivers/virtual.node.ts";
import { OWN_FOLDER, type Implementation } from "../../implementations/catalogue.node.ts";
import { applyClaims } from "../../implementations/claimed.ts";
import type { JsonMap } from "../../reading/shape.ts";
import { micros, SECOND } from "../../core/units.ts";
import { runsOf } from "../../run/pipeline.ts";
import { reportRealRun, type RealOutcome } from "../../run/real-results.ts";
import type { History } from "../../scenario/history.ts";
import { plan } from "../../scenario/plan/plan.ts";
import type { Scenario } from "../../scenario/types.ts";
import type { Result } from "../../scenario/verdict.ts";

/** In real time, longer behaviours belong to virtual time. */
const LONGEST_US = micros(30 * SECOND);

export interface PlayedBehaviour {
  readonly result: Result;
  readonly history: History | null;
}

export interface Player {
  readonly driver: Driver;
  readonly name: string; // of the implementation
  readonly model: JsonMap;
}

/** How a command names an implementation: Weir's own by the id, others by their folder. */
export function argumentOf({ id, folder, variant }: Implementation): string {
  if (dirname(folder) === OWN_FOLDER) return id;
  const path = relative(process.cwd(), variant === null ? folder : join(folder, variant));
  return path.startsWith(".") ? path : `./${path}`;
}

/** A behaviour has one variant. */
export async function playBehaviour(
  { driver, name, model }: Player,
  scenario: Scenario,
  seed: number,
): Promise<PlayedBehaviour> {
  const claimed = applyClaims(scenario, model);
  const variant = claimed.variants[0]!;
  const reasons = reasonsAgainst(driver.offer, claimed, variant, {
    stretch: 1,
    maxDurationUs: LONGEST_US,
  });
  const outcome: RealOutcome =
    reasons.length > 0
      ? { kind: "unsupported", variant, reasons }
      : await playOn(driver, variant, plan(variant, scenario.id, seed)).then(
          (history): RealOutcome => ({ kind: "recorded", variant, history, isStoreLate: false }),
          (error: unknown): RealOutcome => ({
            kind: "failed",
            variant,
            why: error instanceof Error ? error.message : String(error),
          }),
        );
  const { results } = reportRealRun(
    {
      driver: "remote",
      against: { kind: "implementation", name },
      seed,
      stretch: 1,
      required: new Set(),
    },
    claimed,
    new Set([variant.name]),
    [outcome],
    "",
  );
  return { result: results[0]!, history: outcome.kind === "recorded" ? outcome.history : null };
}

/** What the algorithm that an implementation claims shows, in virtual time. */
export async function playModel(model: JsonMap, scenario: Scenario, seed: number): Promise<Result> {
  const claimed = applyClaims(scenario, model);
  const [run] = await Array.fromAsync(runsOf(claimed, claimed.variants, seed, virtual()));
  return run!.result;
}
