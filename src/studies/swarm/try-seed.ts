// Tries the world of a seed. A world that fails is reduced to a small counterexample.
import * as fc from "fast-check";
import { type RawScenario, formatScenario, EXPECTED, type ScenarioFrame } from "./as-scenario.ts";
import { KINDS } from "./kinds.ts";
import type { RawObject } from "./arbitrary/worlds.ts";
import { requestsOf, withoutNeedless, withTimes } from "./shrink.ts";
import {
  DIFFERS,
  buildVariant,
  failureIfValid,
  tryScenario,
  type Digest,
  type SwarmFailure,
  type SwarmTrial,
  THROWS,
} from "./trial.ts";
import { HOLDS } from "../../lab/check/invariant.ts";
import type { Invariant } from "../../lab/scenario/types.ts";
import { REQUIREMENTS } from "../../limiter/spec/requirements.ts";

export interface Counterexample {
  readonly seed: number; // seed of the world
  readonly kind: string;
  readonly failure: SwarmFailure;
  readonly requests: number; // planned requests before the world was reduced
  readonly requestsLeft: number;
  readonly world: RawScenario; // the reduced world
  /** The name of the scenario file, and the seed to run it with: 1 if the failure also appears with seed 1. */
  readonly name: string;
  readonly runSeed: number;
}

export interface SeedTrial extends SwarmTrial {
  readonly seed: number;
  readonly counterexample: Counterexample | null;
}

/** The most runs for a reduction, which take some seconds. */
const MOST_RUNS = 500;

const BEFORE: Omit<ScenarioFrame, "id"> = {
  title: "a world of the swarm",
  about: null,
  proves: ["LIM-1"],
  expect: EXPECTED,
};

const seedFrame = (seed: number): ScenarioFrame => ({ id: `regressions/seed-${seed}`, ...BEFORE });

/** The expectations up to a failed one. The failure of a world is its first failed expectation. */
function upTo(what: string): readonly RawObject[] {
  const place = EXPECTED.findIndex(({ id }) => id === what);
  return place === -1 ? EXPECTED : EXPECTED.slice(0, place + 1);
}

export function trySeed(seed: number, digest: Digest): SeedTrial {
  const { name: kind, worlds } = KINDS[seed % KINDS.length]!;
  const setting = { seed, numRuns: 1, endOnFailure: true, unbiased: seed % 2 === 0 };
  const [world] = fc.sample(worlds, setting);
  const trial = tryScenario(world!, seedFrame(seed), seed, digest);
  const { failure } = trial;
  if (failure === null) return { ...trial, seed, counterexample: null };

  let runs = 0;
  const expect = upTo(failure.what);
  const failsAs = (
    raw: RawScenario,
    frame: ScenarioFrame,
    runSeed: number,
  ): SwarmFailure | null => {
    if (runs++ > MOST_RUNS) return null;
    const next = failureIfValid(raw, { ...frame, expect }, runSeed, failure.what, digest);
    return next?.what === failure.what ? next : null;
  };
  // First fast-check makes numbers small and lists short.
  const shrunk = fc.check(
    fc.property(worlds, (raw) => failsAs(raw, seedFrame(seed), seed) === null),
    { ...setting, endOnFailure: false },
  );
  const small = shrunk.counterexample?.[0] ?? world!;

  // From here on the scenario has the file's name and, if it still fails, the default seed: both change random draws.
  const name = nameOf(failure, seed);
  const final: ScenarioFrame = { ...seedFrame(seed), id: `regressions/${name}` };
  runs = 0;
  const withTimesOnly = withTimes(small, buildVariant(small, seedFrame(seed)), seed);
  const candidates = [withTimesOnly, small].flatMap((raw) =>
    [1, seed].map((runSeed) => ({ raw, runSeed, frame: final })),
  );
  const chosen = candidates.find(
    ({ raw, runSeed, frame }) => failsAs(raw, frame, runSeed) !== null,
  );
  const { raw, runSeed, frame } = chosen ?? { raw: small, runSeed: seed, frame: seedFrame(seed) };
  const least = withoutNeedless(raw, (less) => failsAs(less, frame, runSeed) !== null);
  runs = 0;
  return {
    ...trial,
    seed,
    counterexample: {
      seed,
      kind,
      failure: failsAs(least, frame, runSeed) ?? failure,
      requests: requestsOf(buildVariant(world!, seedFrame(seed)), seed),
      requestsLeft: requestsOf(buildVariant(least, frame), runSeed),
      world: least,
      name: frame.id.slice("regressions/".length),
      runSeed,
    },
  };
}

/** The file of a counterexample. The suite runs each file twice, which shows runs that differ. */
export function textOf({
  world,
  failure,
  seed,
  kind,
  requestsLeft,
  requests,
  name,
}: Counterexample): string {
  const expectations = EXPECTED.filter(({ id }) => id === failure.what);
  const expect = expectations.length > 0 && failure.what !== DIFFERS ? expectations : EXPECTED;
  return formatScenario(world, {
    ...frameOf(
      failure,
      `Seed ${seed} of the swarm (${kind}): ${requestsLeft} of ${requests} requests are left.`,
    ),
    id: `regressions/${name}`,
    expect,
  });
}

/** The requirements of each invariant. A failed decision has the requirements of its budget instead. */
const PROVES: Readonly<Record<Invariant, readonly string[]>> = {
  requests: ["LIM-C18"],
  responses: ["LIM-C18"],
  bounds: ["LIM-C11"],
  refusals: ["LIM-1"],
  allowance: ["SMO-2"],
  changes: ["EVT-1"],
  "retry-after": ["HDR-C1"],
};

const invariantOf = ({ what }: SwarmFailure): Invariant | null =>
  (Object.keys(HOLDS) as Invariant[]).find((rule) => HOLDS[rule] === what) ?? null;

function nameOf(failure: SwarmFailure, seed: number): string {
  const what =
    failure.what === THROWS
      ? "throws"
      : failure.what === DIFFERS
        ? "differs"
        : (invariantOf(failure) ?? "decisions");
  return `${what}-${seed}`;
}

function frameOf(failure: SwarmFailure, about: string): Omit<ScenarioFrame, "id" | "expect"> {
  const rule = invariantOf(failure);
  const built = new Set(REQUIREMENTS.flatMap(({ id, state }) => (state === "built" ? id : [])));
  const ids = rule === null ? failure.because : PROVES[rule];
  const proves = ids.filter((id) => built.has(id));
  return {
    title: failure.what,
    about: `${about} Before it was repaired: ${failure.observed}`,
    proves: proves.length > 0 ? proves : ["LIM-1"],
  };
}
