// Random worlds in which an implementation is compared with its profile: scenarios of everything that it can express.
import { isQuota } from "../../limiter/core/budget.ts";
import { applyClaims, applyProfile } from "../../lab/implementations/claimed.ts";
import { playVirtual } from "../../lab/drivers/virtual.ts";
import type { Manifest } from "../../lab/implementations/manifest.ts";
import { formatProblem } from "../../kit/reading/source.ts";
import { plan } from "../../lab/scenario/plan/plan.ts";
import { decode } from "../../lab/scenario/read/decode.ts";
import type { Scenario } from "../../lab/scenario/types.ts";
import type { EdgeWorldParts } from "../swarm/arbitrary/edges.ts";
import type { RawObject } from "../swarm/arbitrary/worlds.ts";
import { formatScenario, type RawScenario } from "../swarm/as-scenario.ts";

const DAY_US = 86_400_000_000;

const SECOND_US = 1_000_000;

/** Windows in seconds: in virtual time up to a day, in real time those that a world can wait for. */
const VIRTUAL_WINDOWS = [1, 0.01, 0.05, 0.1, 0.25, 0.5, 1.5, 2, 7, 10, 60, 3_600, 86_400] as const;
const REAL_WINDOWS = [1, 0.5, 1.5, 2, 3] as const;

const inMicros = ([first, ...rest]: readonly [number, ...number[]]): [number, ...number[]] => [
  first * SECOND_US,
  ...rest.map((seconds) => seconds * SECOND_US),
];

/** The least distance to an edge in real time, where timers are late by some milliseconds. */
const REAL_OFFSET_US = 25_000;

export function edgePartsOf({ kind, clock, resolution, capabilities }: Manifest): EdgeWorldParts {
  const isReal = clock === "real";
  const resolutionUs = resolution ?? 0;
  const able = {
    scopes: capabilities.scopes.filter((scope) => !isQuota(scope)),
    hasTwoLevels: capabilities.levels > 1,
    hasBurst: capabilities.burst,
    hasCost: capabilities.cost,
    // A restarted limiter has lost its counters, and the time at which a server reloads is unknown.
    hasChange: capabilities.change === "reload" && !(isReal && kind === "http"),
  };
  return isReal
    ? {
        ...able,
        mostRate: 20, // the time between tokens must far exceed the span of a decision
        windowsUs: inMicros(REAL_WINDOWS),
        leastGapUs: kind === "http" ? 4_000 : 200,
        offsetUs: Math.max(REAL_OFFSET_US, 3 * resolutionUs),
        mostRequests: 60,
        mostUs: 6 * SECOND_US,
      }
    : {
        ...able,
        mostRate: 1_000,
        windowsUs: inMicros(VIRTUAL_WINDOWS),
        leastGapUs: 1,
        offsetUs: Math.max(1, resolutionUs),
        mostRequests: 1_500,
        mostUs: 200 * DAY_US,
      };
}

export interface ProofWorld {
  readonly raw: RawScenario;
  readonly text: string; // a file without the model, which expects the decisions of the oracle
  readonly scenario: Scenario; // with the claims of the implementation
  readonly profile: Scenario; // with the implementation's whole model
}

const frameOf = ({ name }: Pick<Manifest, "name">, id: string, expected: RawObject) => ({
  id,
  title: `${name} decides as its profile`,
  about: null,
  proves: ["LIM-1"],
  expect: [{ id: "agrees with the profile", ...expected }],
});

/** Reads a world; null: the world is invalid, as a reduced world may be. */
export function readProofWorld(
  raw: RawScenario,
  manifest: Pick<Manifest, "name" | "model">,
  seed: number,
): ProofWorld | null {
  const id = `proofs/seed-${seed}`;
  const text = formatScenario(raw, frameOf(manifest, id, { decisions: {}, agreeWith: "oracle" }));
  const { scenario } = decode(`scenarios/${id}.yaml`, text);
  if (scenario === null) return null;
  const { model } = manifest;
  return {
    raw,
    text,
    scenario: applyClaims(scenario, model),
    profile: applyProfile(scenario, model),
  };
}

/** Reads a world of the generator, which is always valid. */
export function requireProofWorld(
  raw: RawScenario,
  manifest: Pick<Manifest, "name" | "model">,
  seed: number,
): ProofWorld {
  const world = readProofWorld(raw, manifest, seed);
  if (world !== null) return world;
  const text = formatScenario(raw);
  const { problems } = decode("scenarios/regressions/found.yaml", text);
  throw new Error(`${problems.map(formatProblem).join("\n")}\n\n${text}`);
}

/** Formats a world as a file. With an imitation, which no oracle computes, the file expects the profile's decisions. */
export function formatProofWorld(
  { raw, text, profile }: ProofWorld,
  manifest: Pick<Manifest, "name" | "clock">,
): string {
  const variant = profile.variants[0]!;
  const imitates = (variant.world.configuration?.options.imitation ?? null) !== null;
  if (manifest.clock === "real" || !imitates) return text;
  const { requests } = playVirtual(variant, plan(variant, profile.id, 1));
  const expected = { sequence: {}, equals: [...requests.status].join(" ") };
  return formatScenario(raw, frameOf(manifest, profile.id, expected));
}
