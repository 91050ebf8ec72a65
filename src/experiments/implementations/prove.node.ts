// Compares implementations with their profiles in random worlds, and reduces the smallest world in which they differ.
import type { Driver } from "../../drivers/driver.ts";
import { playOn } from "../../drivers/driver.ts";
import { InexpressibleLimits } from "../../drivers/decide.node.ts";
import { createImplementationDriver } from "../../drivers/remote.node.ts";
import { reasonsAgainst } from "../../drivers/support.ts";
import { argumentOf, type Implementation } from "../../implementations/catalogue.node.ts";
import { whyNotRunnable } from "../../implementations/home.node.ts";
import { micros } from "../../core/units.ts";
import { commandOf } from "../../report/command-line.ts";
import { plan } from "../../scenario/plan/plan.ts";
import type { RawScenario } from "../swarm/as-scenario.ts";
import { edgeWorldOf, shrinkEdgeWorld } from "../swarm/edge-seeds.ts";
import { reduceScenario } from "../swarm/shrink.ts";
import { compareDecisions, type ComparedWorld } from "./compare-decisions.ts";
import {
  edgePartsOf,
  formatProofWorld,
  readProofWorld,
  requireProofWorld,
  type ProofWorld,
} from "./proof-world.ts";
import {
  NOTHING_COMPARED,
  proofVerdictOf,
  type ImplementationProof,
  type ProofCounts,
  type ProofDifference,
} from "./proof.ts";

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

const REDUCING_MS = 60_000;

export async function proveImplementation(
  implementation: Implementation,
  work: ProofWork,
): Promise<ImplementationProof> {
  const { id, manifest } = implementation;
  const { name, version, clock, model } = manifest;
  const again = commandOf(
    proveWords(implementation, ["--seed", `${work.seed}`, "--worlds", `${work.worlds}`]),
  );
  const described = { id, name, version, clock, model, again };
  const missing = whyNotRunnable(implementation);
  if (missing !== null)
    return {
      ...described,
      missing,
      verdict: null,
      isCut: false,
      seconds: 0,
      counts: NOTHING_COMPARED,
      difference: null,
      failure: null,
    };
  const driver = createImplementationDriver(implementation, true);
  const startMs = performance.now();
  try {
    const { trials, isCut } = await tryWorlds(implementation, driver, work);
    const counts = trials.reduce(addTrial, NOTHING_COMPARED);
    const smallest = trials
      .flatMap((trial) => (trial.kind === "compared" && trial.compared.difference ? [trial] : []))
      .toSorted((a, b) => a.compared.difference!.row - b.compared.difference!.row)[0];
    const failed = trials.find((trial) => trial.kind === "failed");
    return {
      ...described,
      missing: null,
      verdict: proofVerdictOf(counts, work.worlds),
      isCut,
      seconds: Math.round((performance.now() - startMs) / 1_000),
      counts,
      difference: smallest === undefined ? null : await reduceWorld(implementation, smallest, work),
      failure: failed === undefined ? null : `world ${failed.seed}: ${failed.why}`,
    };
  } finally {
    await driver.close();
  }
}

const proveWords = (
  implementation: Implementation,
  options: readonly string[],
): readonly string[] => ["implementations", "prove", argumentOf(implementation), ...options];

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

async function tryWorlds(
  implementation: Implementation,
  driver: Driver,
  { seed, worlds, maxMs, progress, isOver }: ProofWork,
): Promise<WorldTrials> {
  const isReal = implementation.manifest.clock === "real";
  const untilMs = performance.now() + maxMs;
  const trials: WorldTrial[] = [];
  let next = 0;
  let wanted = worlds;
  let differing = 0;
  let isCut = false;
  const lane = async (): Promise<void> => {
    while (wanted > 0 && next < MOST_TRIED * worlds) {
      if (isOver() || performance.now() > untilMs) {
        isCut = true;
        return;
      }
      wanted--;
      const trial = await tryWorld(implementation, driver, seed + next++);
      trials.push(trial);
      if (trial.kind === "inexpressible") wanted++;
      if (trial.kind === "compared" && trial.compared.difference !== null) differing++;
      if (trials.length % 10 === 0)
        progress(`${implementation.id}: ${trials.length} worlds, ${differing} differ`);
    }
  };
  const lanes = isReal ? REAL_AT_A_TIME : VIRTUAL_AT_A_TIME;
  await Promise.all(Array.from({ length: lanes }, lane));
  return { trials: trials.toSorted((a, b) => a.seed - b.seed), isCut };
}

async function tryWorld(
  implementation: Implementation,
  driver: Driver,
  seed: number,
): Promise<WorldTrial> {
  const { manifest } = implementation;
  const world = requireProofWorld(edgeWorldOf(edgePartsOf(manifest), seed), manifest, seed);
  try {
    const compared = await compareWorld(implementation, driver, world);
    if (compared === null) return { kind: "inexpressible", seed };
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
async function compareWorld(
  { manifest }: Implementation,
  driver: Driver,
  world: ProofWorld,
): Promise<ComparedWorld | null> {
  const { scenario } = world;
  const variant = scenario.variants[0]!;
  const longest = { stretch: 1, maxDurationUs: micros(Number.MAX_SAFE_INTEGER) };
  if (reasonsAgainst(driver.offer, scenario, variant, longest).length > 0) return null;
  const planned = plan(variant, scenario.id, 1);
  try {
    const history = await playOn(driver, variant, planned);
    return compareDecisions(history, world.profile.variants[0]!, planned, {
      resolutionUs: manifest.resolution ?? 0,
      roundingUs: manifest.rounding ?? 0,
      isOrdered: manifest.kind === "decide",
    });
  } catch (error) {
    if (error instanceof InexpressibleLimits) return null;
    throw error;
  }
}

function addTrial(counts: ProofCounts, trial: WorldTrial): ProofCounts {
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

/** In real time a world is not reduced: each attempt takes seconds, and a smaller one may differ by chance. */
async function reduceWorld(
  implementation: Implementation,
  { seed, compared: inWhole }: { readonly seed: number; readonly compared: ComparedWorld },
  { isOver }: ProofWork,
): Promise<ProofDifference> {
  const { manifest } = implementation;
  const parts = edgePartsOf(manifest);
  const whole = edgeWorldOf(parts, seed);
  const describe = (
    raw: RawScenario,
    { difference, decisions }: ComparedWorld,
  ): ProofDifference => ({
    seed,
    request: difference!.row + 1,
    requests: decisions,
    sentence: difference!.sentence,
    scenario: formatProofWorld(requireProofWorld(raw, manifest, seed), manifest),
    again: commandOf(proveWords(implementation, ["--seed", `${seed}`, "--worlds", "1"])),
  });
  if (manifest.clock === "real") return describe(whole, inWhole);
  const driver = createImplementationDriver(implementation, true);
  const untilMs = performance.now() + REDUCING_MS;
  const compare = async (raw: RawScenario): Promise<ComparedWorld | null> => {
    const world = readProofWorld(raw, manifest, seed);
    if (world === null) return null;
    // A part that was removed may have been needed: such a world cannot be run.
    return compareWorld(implementation, driver, world).catch(() => null);
  };
  const fails = async (raw: RawScenario): Promise<boolean> =>
    !isOver() && performance.now() < untilMs && ((await compare(raw))?.difference ?? null) !== null;
  try {
    const least = await reduceScenario(await shrinkEdgeWorld(parts, seed, fails), fails);
    const compared = await compare(least);
    return compared?.difference ? describe(least, compared) : describe(whole, inWhole);
  } finally {
    await driver.close();
  }
}
