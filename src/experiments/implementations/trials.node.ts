// Tries random worlds on an implementation until as many as wanted were compared with its profile.
import type { Driver } from "../../drivers/driver.ts";
import type { Implementation } from "../../implementations/catalogue.node.ts";
import { edgeWorldOf } from "../swarm/edge-seeds.ts";
import { tryBatches } from "./batches.node.ts";
import { compareWithProfile, confirm, playWorld } from "./compare-world.node.ts";
import { createCut } from "./cut.node.ts";
import { edgePartsOf, requireProofWorld } from "./proof-world.ts";
import {
  countDiffering,
  failureTrial,
  MOST_TRIED,
  type ProofWork,
  type WorldTrial,
  type WorldTrials,
} from "./trial.ts";

export const tryWorlds = (
  implementation: Implementation,
  driver: Driver,
  work: ProofWork,
): Promise<WorldTrials> =>
  implementation.manifest.clock === "real"
    ? tryBatches(implementation, driver, work)
    : tryInVirtualTime(implementation, driver, work);

const AT_A_TIME = 3;

async function tryInVirtualTime(
  implementation: Implementation,
  driver: Driver,
  work: ProofWork,
): Promise<WorldTrials> {
  const { seed, worlds, progress } = work;
  const cut = createCut(work);
  const trials: WorldTrial[] = [];
  let next = 0;
  let wanted = worlds;
  while (wanted > 0 && next < MOST_TRIED * worlds) {
    const cutBy = cut();
    if (cutBy !== null) return { trials, cutBy };
    const first = seed + next;
    const seeds = Array.from({ length: Math.min(AT_A_TIME, wanted) }, (_, at) => first + at);
    next += seeds.length;
    const tried = await Promise.all(seeds.map((each) => tryWorld(implementation, driver, each)));
    trials.push(...tried);
    wanted -= tried.filter(({ kind }) => kind !== "inexpressible").length;
    progress(`${implementation.id}: ${trials.length} worlds, ${countDiffering(trials)} differ`);
  }
  return { trials, cutBy: null };
}

async function tryWorld(
  implementation: Implementation,
  driver: Driver,
  seed: number,
): Promise<WorldTrial> {
  const { manifest } = implementation;
  try {
    const world = requireProofWorld(edgeWorldOf(edgePartsOf(manifest), seed), manifest, seed);
    const played = await playWorld(driver, world);
    if (played === null) return { kind: "inexpressible", seed };
    return await confirm(implementation, seed, world, compareWithProfile(manifest, world, played));
  } catch (error) {
    return failureTrial(seed, error);
  }
}
