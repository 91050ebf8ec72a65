// Tries random worlds on an implementation until as many as wanted were compared with its profile.
import type { Driver } from "../../lab/drivers/driver.ts";
import { createImplementationDriver } from "../../lab/drivers/remote.node.ts";
import type { Implementation } from "../../lab/implementations/catalogue.node.ts";
import { requireValue } from "../../kit/reading/failure.ts";
import { many } from "../../kit/reading/legible.ts";
import type { ShareOut } from "../../kit/pool.node.ts";
import { edgeWorldOf } from "../swarm/edge-seeds.ts";
import { tryBatches } from "./batches.node.ts";
import { compareWithProfile, confirm, playWorld } from "./compare-world.node.ts";
import { createCut } from "./cut.node.ts";
import { edgePartsOf, requireProofWorld } from "./proof-world.ts";
import type { ProofCut } from "./proof.ts";
import { requireSame, shareWorlds, type ProofSettings } from "./share-worlds.node.ts";
import {
  countDiffering,
  failureTrial,
  MOST_TRIED,
  type ProofWork,
  type WorldTrial,
  type WorldTrials,
} from "./trial.ts";

export interface SharedProofWork extends ProofWork {
  /** Shares worlds in virtual time with other machines; null: this machine compares all. */
  readonly share: ShareOut | null;
}

export const tryWorlds = (
  implementation: Implementation,
  driver: Driver,
  work: SharedProofWork,
): Promise<WorldTrials> =>
  implementation.manifest.clock === "real"
    ? tryBatches(implementation, driver, work)
    : tryInVirtualTime(implementation, driver, work);

/** How many worlds are compared at the same time; each has a program of its own. */
const AT_A_TIME = 3;

async function tryInVirtualTime(
  implementation: Implementation,
  driver: Driver,
  work: SharedProofWork,
): Promise<WorldTrials> {
  const { seed, worlds, progress, share } = work;
  const most = MOST_TRIED * worlds;
  const cut = createCut(work);
  const trials: WorldTrial[] = [];
  let next = 0;
  let wanted = worlds;
  while (wanted > 0 && next < most) {
    const cutBy = cut();
    if (cutBy !== null) return { trials, cutBy };
    const first = seed + next;
    // At most as many as are still wanted, so that the same worlds are compared however many are tried together.
    const length = Math.min(share === null ? AT_A_TIME : wanted, wanted, most - next);
    const seeds = Array.from({ length }, (_, at) => first + at);
    next += seeds.length;
    const tried =
      share === null
        ? await Promise.all(seeds.map((each) => tryWorld(implementation, driver, each)))
        : await tryElsewhere(implementation, seeds, share, cut, progress);
    trials.push(...tried);
    wanted -= tried.filter(({ kind }) => kind !== "inexpressible").length;
    progress(`${implementation.id}: ${trials.length} worlds, ${countDiffering(trials)} differ`);
  }
  return { trials, cutBy: null };
}

const LOOK_MS = 100;

async function tryElsewhere(
  implementation: Implementation,
  seeds: readonly number[],
  share: ShareOut,
  cut: () => ProofCut | null,
  progress: ProofWork["progress"],
): Promise<readonly WorldTrial[]> {
  const { promise: stop, resolve } = Promise.withResolvers<"stop">();
  const timer = setInterval(() => {
    if (cut() !== null) resolve("stop");
  }, LOOK_MS);
  let done = 0;
  try {
    return await shareWorlds(implementation, seeds, share, stop, (trials) => {
      done += trials.length;
      progress(`${implementation.id}: ${done} of ${many(seeds.length, "world")}`);
    });
  } finally {
    clearInterval(timer);
  }
}

/** Returns a function for a worker's machine. Throws if the implementation is missing there, or has other files. */
export async function startTrials(
  settings: ProofSettings,
): Promise<(seeds: readonly number[]) => Promise<readonly WorldTrial[]>> {
  const implementation = requireValue(await requireSame(settings));
  const driver = createImplementationDriver(implementation, true);
  return async (seeds) => {
    const trials: WorldTrial[] = [];
    for (let at = 0; at < seeds.length; at += AT_A_TIME) {
      const some = seeds.slice(at, at + AT_A_TIME);
      const tried = some.map((seed) => tryWorld(implementation, driver, seed));
      trials.push(...(await Promise.all(tried)));
    }
    return trials;
  };
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
