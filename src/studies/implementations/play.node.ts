// Runs a behaviour on an implementation, and on the algorithm that the implementation claims.
import { playOn, type Driver } from "../../lab/drivers/driver.ts";
import { createImplementationDriver } from "../../lab/drivers/remote.node.ts";
import { reasonsAgainst } from "../../lab/drivers/support.ts";
import { virtual } from "../../lab/drivers/virtual.node.ts";
import { argumentOf, type Implementation } from "../../lab/implementations/catalogue.node.ts";
import { applyClaims } from "../../lab/implementations/claimed.ts";
import type { JsonMap } from "../../kit/reading/shape.ts";
import { micros, SECOND } from "../../kit/units.ts";
import { portableCommand } from "../../kit/command-line.ts";
import { runsOf } from "../../lab/run/pipeline.ts";
import { reportRealRun, type RealOutcome } from "../../lab/run/real-results.ts";
import type { History } from "../../lab/scenario/history.ts";
import { plan } from "../../lab/scenario/plan/plan.ts";
import type { Scenario } from "../../lab/scenario/types.ts";
import type { Result } from "../../lab/scenario/verdict.ts";
import type { BehaviourFile } from "./behaviours.node.ts";
import { judge } from "./judge.ts";
import type { JudgedBehaviour } from "./result.ts";

/** A behaviour that lasts longer than this is not run in real time. */
const LONGEST_US = micros(30 * SECOND);

export interface PlayedBehaviour {
  readonly result: Result;
  readonly history: History | null;
}

export interface Player {
  readonly implementation: Implementation;
  readonly driver: Driver;
}

/** `isReused`: one process decides several worlds, if the clock of the implementation can be set back. */
export const createPlayer = (implementation: Implementation, isReused = false): Player => ({
  implementation,
  driver: createImplementationDriver(implementation, isReused),
});

export const isInRealTime = ({ implementation: { manifest } }: Player): boolean =>
  manifest.clock === "real";

/** Runs a behaviour. Returns its verdict, and the command that runs it again in the same way. */
export async function playJudged(
  player: Player,
  { id, file, scenario }: BehaviourFile,
  seed: number,
): Promise<JudgedBehaviour> {
  const { implementation } = player;
  const { claims, model } = implementation.manifest;
  const { result } = await playBehaviour(player, scenario, seed);
  const mayBeOfModel = result.outcome === "fail" || result.outcome === "inconclusive";
  const ofModel = mayBeOfModel ? await playModel(model, scenario, seed) : null;
  const judged = judge(id, result, claims[id] ?? null, ofModel);
  return { ...judged, again: commandFor(player, file, seed) };
}

const commandFor = (player: Player, file: string, seed: number): string =>
  portableCommand([
    "run",
    file,
    "--implementation",
    argumentOf(player.implementation),
    ...(isInRealTime(player) ? ["--stretch", "1"] : []),
    ...(seed === 1 ? [] : ["--seed", `${seed}`]),
  ]);

/** The result of a behaviour that is not tried, because none of the behaviours tried so far could be run. */
export const leaveOut = (
  player: Player,
  { id, file }: BehaviourFile,
  seed: number,
): JudgedBehaviour => ({
  behaviour: id,
  verdict: "failed",
  evidence: ["not tried, because no behaviour before it could be run"],
  sentence: null,
  source: null,
  again: commandFor(player, file, seed),
  confirmed: null,
});

/** Runs a behaviour, which has only one variant. */
export async function playBehaviour(
  { driver, implementation }: Player,
  scenario: Scenario,
  seed: number,
): Promise<PlayedBehaviour> {
  const claimed = applyClaims(scenario, implementation.manifest.model);
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
      against: { kind: "implementation", name: argumentOf(implementation) },
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

/** Runs a scenario in virtual time, by the algorithm that an implementation claims. */
export async function playModel(model: JsonMap, scenario: Scenario, seed: number): Promise<Result> {
  const claimed = applyClaims(scenario, model);
  const [run] = await Array.fromAsync(runsOf(claimed, claimed.variants, seed, virtual()));
  return run!.result;
}
