// Merges worlds into one scenario, because in real time a world mostly waits. Each world has an API, keys and times of
// its own; one server or program decides all requests.
import type { Manifest } from "../../lab/implementations/manifest.ts";
import type { Plan } from "../../lab/scenario/types.ts";
import { edgeWorldOf } from "../swarm/edge-seeds.ts";
import type { RawScenario } from "../swarm/as-scenario.ts";
import { edgePartsOf, requireProofWorld, type ProofWorld } from "./proof-world.ts";

export interface DrawnWorld {
  readonly seed: number;
  readonly raw: RawScenario;
  readonly mostKeys: number; // the most keys that a limit can remember
}

export interface MergedWorlds {
  readonly of: readonly [DrawnWorld, ...DrawnWorld[]];
  readonly world: ProofWorld;
}

/** The most worlds in one scenario, because a server compares each request with the limits of all worlds. */
export const MOST_MERGED = 100;

/** The worlds of a batch start one after the other within this time, because most worlds begin with a burst. */
const SPREAD_US = 4_000_000;

/**
 * Merges worlds with equal options, because options apply to the whole scenario. A world that changes a limit stays
 * alone, because a change replaces the whole configuration.
 */
export function mergeWorlds(
  drawn: readonly DrawnWorld[],
  manifest: Manifest,
): readonly MergedWorlds[] {
  const groups = Map.groupBy(drawn, ({ seed, raw }) =>
    raw.faults.length > 0 ? `${seed}` : JSON.stringify(raw.world.gateway),
  );
  return [...groups.values()].flatMap(split).map((some) => merge(some, manifest));
}

/** Splits worlds into scenarios with no more keys than a limit can remember: the limit would forget further keys. */
function split(worlds: readonly DrawnWorld[]): readonly [DrawnWorld, ...DrawnWorld[]][] {
  const batches: [DrawnWorld, ...DrawnWorld[]][] = [];
  let keys = 0;
  for (const each of worlds) {
    const own = Object.keys(each.raw.world.keys).length;
    const batch = batches.at(-1);
    if (batch === undefined || batch.length === MOST_MERGED || keys + own > each.mostKeys) {
      batches.push([each]);
      keys = own;
    } else {
      batch.push(each);
      keys += own;
    }
  }
  return batches;
}

function merge(of: MergedWorlds["of"], manifest: Manifest): MergedWorlds {
  const [first] = of;
  if (of.length === 1) return { of, world: requireProofWorld(first.raw, manifest, first.seed) };
  const parts = edgePartsOf(manifest);
  const raws = of.map(({ seed }, index) =>
    edgeWorldOf(parts, seed, {
      suffix: suffixOf(seed),
      fromUs: Math.round((SPREAD_US * index) / of.length),
    }),
  );
  return { of, world: requireProofWorld(join(raws), manifest, first.seed) };
}

const suffixOf = (seed: number): string => `-${seed}`;

const join = (raws: readonly RawScenario[]): RawScenario => ({
  world: {
    ...raws[0]!.world,
    apis: Object.assign({}, ...raws.map(({ world }) => world.apis)),
    keys: Object.assign({}, ...raws.map(({ world }) => world.keys)),
  },
  around: {},
  traffic: raws.flatMap(({ traffic }) => traffic),
  faults: [],
});

/** The index of the world to which each flow of a plan belongs. */
export function worldsOfFlows({ of }: MergedWorlds, { flows }: Plan): readonly number[] {
  if (of.length === 1) return flows.map(() => 0);
  const places = new Map(of.map(({ seed }, index) => [suffixOf(seed), index]));
  return flows.map(({ name }) => places.get(name.slice(name.lastIndexOf("-")))!);
}
