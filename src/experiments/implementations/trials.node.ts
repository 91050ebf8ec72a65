// Runs random worlds on an implementation and compares its decisions with the profile.
import type { Driver } from "../../drivers/driver.ts";
import { playOn } from "../../drivers/driver.ts";
import { InexpressibleLimits } from "../../drivers/decide.node.ts";
import { createImplementationDriver } from "../../drivers/remote.node.ts";
import { reasonsAgainst } from "../../drivers/support.ts";
import type { Implementation } from "../../implementations/catalogue.node.ts";
import { micros } from "../../core/units.ts";
import type { History } from "../../scenario/history.ts";
import { plan } from "../../scenario/plan/plan.ts";
import type { Plan } from "../../scenario/types.ts";
import { edgeWorldOf } from "../swarm/edge-seeds.ts";
import { compareDecisions, type ComparedWorld } from "./compare-decisions.ts";
import { edgePartsOf, requireProofWorld, type ProofWorld } from "./proof-world.ts";
import type { ProofCounts } from "./proof.ts";

export interface ProofWork {
  readonly seed: number;
  readonly worlds: number;
  readonly maxMs: number; // for each implementation
  readonly progress: (line: string) => void;
  readonly isOver: () => boolean;
}

const VIRTUAL_AT_A_TIME = 3;
const REAL_AT_A_TIME = 16;

/** Of this many worlds for each that is wanted, some can be expressed, or none can. */
const MOST_TRIED = 20;

interface WorldTrials {
  readonly trials: readonly WorldTrial[];
  readonly isCut: boolean; // the time was over before all wanted worlds were compared
}

type WorldTrial = { readonly seed: number } & (
  | { readonly kind: "compared"; readonly compared: ComparedWorld }
  | { readonly kind: "unconfirmed"; readonly compared: ComparedWorld }
  | { readonly kind: "inexpressible" }
  | { readonly kind: "failed"; readonly why: string }
);

/**
 * Several worlds run at once, then all of them are compared: a comparison keeps the thread busy, and requests that wait
 * for it would have long spans.
 */
export async function tryWorlds(
  implementation: Implementation,
  driver: Driver,
  { seed, worlds, maxMs, progress, isOver }: ProofWork,
): Promise<WorldTrials> {
  const atATime = implementation.manifest.clock === "real" ? REAL_AT_A_TIME : VIRTUAL_AT_A_TIME;
  const untilMs = performance.now() + maxMs;
  const trials: WorldTrial[] = [];
  let next = 0;
  let wanted = worlds;
  let differing = 0;
  while (wanted > 0 && next < MOST_TRIED * worlds) {
    if (isOver() || performance.now() > untilMs) return { trials, isCut: true };
    const first = seed + next;
    const seeds = Array.from({ length: Math.min(atATime, wanted) }, (_, at) => first + at);
    next += seeds.length;
    const runs = await Promise.all(seeds.map((each) => runWorld(implementation, driver, each)));
    for (const run of runs) {
      const trial = await tryRun(implementation, run);
      trials.push(trial);
      if (trial.kind !== "inexpressible") wanted--;
      if (trial.kind === "compared" && trial.compared.difference !== null) differing++;
    }
    progress(`${implementation.id}: ${trials.length} worlds, ${differing} differ`);
  }
  return { trials, isCut: false };
}

interface WorldRun {
  readonly seed: number;
  readonly world: ProofWorld;
  readonly result: PlayedHistory | null | Error; // null: the implementation cannot express it
}

interface PlayedHistory {
  readonly history: History;
  readonly planned: Plan;
}

async function runWorld(
  implementation: Implementation,
  driver: Driver,
  seed: number,
): Promise<WorldRun> {
  const { manifest } = implementation;
  const world = requireProofWorld(edgeWorldOf(edgePartsOf(manifest), seed), manifest, seed);
  try {
    return { seed, world, result: await playWorld(driver, world) };
  } catch (error) {
    return { seed, world, result: error instanceof Error ? error : new Error(String(error)) };
  }
}

async function tryRun(
  implementation: Implementation,
  { seed, world, result }: WorldRun,
): Promise<WorldTrial> {
  try {
    if (result instanceof Error) throw result;
    if (result === null) return { kind: "inexpressible", seed };
    const compared = compareWithProfile(implementation, world, result);
    if (compared.difference === null) return { kind: "compared", seed, compared };
    // State that outlives a world, or the timing of a busy machine, shows no second time.
    const again = await confirmDifference(implementation, world);
    return again?.difference
      ? { kind: "compared", seed, compared: again }
      : { kind: "unconfirmed", seed, compared };
  } catch (error) {
    const why = error instanceof Error ? error.message : String(error);
    return { kind: "failed", seed, why };
  }
}

/** By programs that no other world used. */
async function confirmDifference(
  implementation: Implementation,
  world: ProofWorld,
): Promise<ComparedWorld | null> {
  const driver = createImplementationDriver(implementation);
  try {
    return await compareWorld(implementation, driver, world);
  } finally {
    await driver.close();
  }
}

/** Null: the implementation cannot express it. */
export async function compareWorld(
  implementation: Implementation,
  driver: Driver,
  world: ProofWorld,
): Promise<ComparedWorld | null> {
  const played = await playWorld(driver, world);
  return played === null ? null : compareWithProfile(implementation, world, played);
}

async function playWorld(driver: Driver, { scenario }: ProofWorld): Promise<PlayedHistory | null> {
  const variant = scenario.variants[0]!;
  const longest = { stretch: 1, maxDurationUs: micros(Number.MAX_SAFE_INTEGER) };
  if (reasonsAgainst(driver.offer, scenario, variant, longest).length > 0) return null;
  const planned = plan(variant, scenario.id, 1);
  try {
    return { history: await playOn(driver, variant, planned), planned };
  } catch (error) {
    if (error instanceof InexpressibleLimits) return null;
    throw error;
  }
}

const compareWithProfile = (
  { manifest }: Implementation,
  { profile }: ProofWorld,
  { history, planned }: PlayedHistory,
): ComparedWorld =>
  compareDecisions(history, profile.variants[0]!, planned, {
    resolutionUs: manifest.resolution ?? 0,
    roundingUs: manifest.rounding ?? 0,
    isOrdered: manifest.kind === "decide",
  });

export function addTrial(counts: ProofCounts, trial: WorldTrial): ProofCounts {
  if (trial.kind === "inexpressible") return { ...counts, inexpressible: counts.inexpressible + 1 };
  if (trial.kind === "failed") return { ...counts, failed: counts.failed + 1 };
  const { decisions, refused, open, announced, difference } = trial.compared;
  const isDifferent = trial.kind === "compared" && difference !== null;
  return {
    ...counts,
    worlds: counts.worlds + 1,
    differing: counts.differing + (isDifferent ? 1 : 0),
    unconfirmed: counts.unconfirmed + (trial.kind === "unconfirmed" ? 1 : 0),
    decisions: counts.decisions + decisions,
    refused: counts.refused + refused,
    open: counts.open + open,
    announced: counts.announced + announced,
  };
}
