// Runs random worlds in real time: several batches at once, compared only after all of them have run. A comparison
// keeps the thread busy, which would lengthen the spans of requests in flight.
import type { Driver } from "../../lab/drivers/driver.ts";
import type { Implementation } from "../../lab/implementations/catalogue.node.ts";
import type { RawScenario } from "../swarm/as-scenario.ts";
import { edgeWorldOf } from "../swarm/edge-seeds.ts";
import { compareMerged } from "./compare-decisions.ts";
import {
  confirm,
  isExpressible,
  playWorld,
  timingOf,
  type PlayedHistory,
} from "./compare-world.node.ts";
import {
  mergeWorlds,
  MOST_MERGED,
  worldsOfFlows,
  type DrawnWorld,
  type MergedWorlds,
} from "./merged-worlds.ts";
import { createCut } from "./cut.node.ts";
import type { ProofCut } from "./proof.ts";
import { edgePartsOf, requireProofWorld } from "./proof-world.ts";
import {
  countDiffering,
  failureTrial,
  MOST_TRIED,
  type ProofWork,
  type WorldTrial,
  type WorldTrials,
} from "./trial.ts";

/** The most batches that run at the same time; each has a server or a program of its own. */
const MOST_BATCHES = 16;

export async function tryBatches(
  implementation: Implementation,
  driver: Driver,
  work: ProofWork,
): Promise<WorldTrials> {
  const cut = createCut(work);
  let cutBy: ProofCut | null = null;
  const isOver = (): boolean => (cutBy = cut()) !== null;
  const trials: WorldTrial[] = [];
  const waiting = [
    ...mergeWorlds(drawWorlds(implementation, driver, work, trials), implementation.manifest),
  ];
  while (waiting.length > 0 && !isOver()) {
    const runs = await Promise.all(
      takeSome(waiting).map((batch) => runBatch(implementation, driver, batch, isOver)),
    );
    for (const run of runs.flat()) trials.push(...(await compareBatch(implementation, run)));
    work.progress(
      `${implementation.id}: ${trials.length} worlds, ${countDiffering(trials)} differ`,
    );
  }
  return { trials, cutBy };
}

/** Draws `worlds` worlds that the implementation can express. Records all other drawn worlds as trials. */
function drawWorlds(
  { manifest }: Implementation,
  driver: Driver,
  { seed: first, worlds }: ProofWork,
  trials: WorldTrial[],
): readonly DrawnWorld[] {
  const parts = edgePartsOf(manifest);
  const drawn: DrawnWorld[] = [];
  for (let seed = first; drawn.length < worlds && seed < first + MOST_TRIED * worlds; seed++) {
    const raw = edgeWorldOf(parts, seed);
    const brief = requireProofWorld(shorten(raw), manifest, seed);
    const { configuration } = brief.profile.variants[0]!.world;
    const mostKeys = configuration?.options.imitation?.keys ?? Infinity;
    if (isExpressible(driver, brief)) drawn.push({ seed, raw, mostKeys });
    else trials.push({ kind: "inexpressible", seed });
  }
  return drawn;
}

/** Keeps one request of each flow: enough to decide whether a world is expressible, and decoded ten times as fast. */
const shorten = (raw: RawScenario): RawScenario => ({
  ...raw,
  traffic: raw.traffic.map((flow) => {
    const { times } = flow["trace"] as { readonly times: readonly string[] };
    return { ...flow, trace: { times: times.slice(0, 1) } };
  }),
});

/** Removes the next batches from `waiting` and returns them; together they have at most `MOST_MERGED` worlds. */
function takeSome(waiting: MergedWorlds[]): readonly MergedWorlds[] {
  const taken: MergedWorlds[] = [];
  let worlds = 0;
  while (waiting.length > 0 && taken.length < MOST_BATCHES) {
    worlds += waiting[0]!.of.length;
    if (taken.length > 0 && worlds > MOST_MERGED) break;
    taken.push(waiting.shift()!);
  }
  return taken;
}

interface BatchRun {
  readonly batch: MergedWorlds;
  readonly played: PlayedHistory | null | Error; // null: the implementation cannot express the batch
}

/** Runs a batch, or each world of the batch alone if a program rejects the merged limits. */
async function runBatch(
  { manifest }: Implementation,
  driver: Driver,
  batch: MergedWorlds,
  isOver: () => boolean,
): Promise<readonly BatchRun[]> {
  const played = await play(driver, batch);
  if (played !== null || batch.of.length === 1) return [{ batch, played }];
  const runs: BatchRun[] = [];
  for (const each of batch.of) {
    if (isOver()) break;
    const alone = {
      of: [each] as const,
      world: requireProofWorld(each.raw, manifest, each.seed),
    };
    runs.push({ batch: alone, played: await play(driver, alone) });
  }
  return runs;
}

/** Runs a batch, and again if the first run fails, because a busy machine may lose a connection. */
async function play(driver: Driver, { world }: MergedWorlds): Promise<BatchRun["played"]> {
  try {
    return await playWorld(driver, world).catch(() => playWorld(driver, world));
  } catch (error) {
    return error instanceof Error ? error : new Error(String(error));
  }
}

async function compareBatch(
  implementation: Implementation,
  { batch, played }: BatchRun,
): Promise<readonly WorldTrial[]> {
  const { of, world } = batch;
  if (played === null) return of.map(({ seed }) => ({ kind: "inexpressible", seed }));
  if (played instanceof Error) return of.map(({ seed }) => failureTrial(seed, played));
  const { history, planned } = played;
  const worlds = worldsOfFlows(batch, planned);
  const { manifest } = implementation;
  try {
    const compared = compareMerged(
      history,
      world.profile.variants[0]!,
      planned,
      timingOf(manifest),
      of.length,
      (row) => worlds[history.requests.flow[row]!]!,
    );
    const trials: WorldTrial[] = [];
    for (const [index, { seed, raw }] of of.entries()) {
      const one = compared[index]!;
      trials.push(
        one.difference === null
          ? { kind: "compared", seed, compared: one }
          : await confirm(implementation, seed, requireProofWorld(raw, manifest, seed), one),
      );
    }
    return trials;
  } catch (error) {
    return of.map(({ seed }) => failureTrial(seed, error));
  }
}
