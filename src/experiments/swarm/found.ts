// A seed's world, and what is left of it where it fails.
import * as fc from "fast-check";
import { type RawScenario, asScenario, EXPECTED, type Frame } from "./as-scenario.ts";
import { KINDS } from "./kinds.ts";
import { frameOf, nameOf } from "./regression.ts";
import { requestsOf, withoutNeedless, withTimes } from "./shrink.ts";
import { DIFFERS, tried, triedIfPlayable, type Digest, type Failure, type Trial } from "./trial.ts";

export interface Found {
  readonly seed: number; // of the world
  readonly kind: string;
  readonly failure: Failure;
  readonly requests: number; // planned, before and after
  readonly left: number;
  readonly world: RawScenario; // what is left
  /** Name of the file, and the seed that it has to be run with: 1 wherever that is enough. */
  readonly name: string;
  readonly runSeed: number;
}

export interface SeedTrial extends Trial {
  readonly seed: number;
  readonly found: Found | null;
}

/** Each look is a world played twice; a failure is worth some seconds. */
const MOST_LOOKS = 500;

const BEFORE: Omit<Frame, "id"> = {
  title: "a world of the swarm",
  about: null,
  proves: ["LIM-1"],
  expect: EXPECTED,
};

const frame = (seed: number): Frame => ({ id: `regressions/seed-${seed}`, ...BEFORE });

export function trySeed(seed: number, digest: Digest): SeedTrial {
  const { name: kind, worlds } = KINDS[seed % KINDS.length]!;
  const setting = { seed, numRuns: 1, endOnFailure: true, unbiased: seed % 2 === 0 };
  const [world] = fc.sample(worlds, setting);
  const trial = tried(asScenario(world!, frame(seed)), seed, digest);
  const { failure } = trial;
  if (failure === null) return { ...trial, seed, found: null };

  let looks = 0;
  const failsAs = (raw: RawScenario, as: Frame, runSeed: number): Failure | null => {
    if (looks++ > MOST_LOOKS) return null;
    const now = triedIfPlayable(asScenario(raw, as), runSeed, digest)?.failure;
    return now?.what === failure.what ? now : null;
  };
  // fast-check knows how its numbers came about; it makes them small, and lists short.
  const shrunk = fc.check(
    fc.property(worlds, (raw) => failsAs(raw, frame(seed), seed) === null),
    { ...setting, endOnFailure: false },
  );
  const small = shrunk.counterexample?.[0] ?? world!;

  // From here on the file's own name and, if that will do, the usual seed: chance goes by both.
  const name = nameOf(failure, seed);
  const final: Frame = { ...frame(seed), id: `regressions/${name}` };
  looks = 0;
  const timed = withTimes(small, asScenario(small, frame(seed)), seed);
  const ways = [timed, small].flatMap((raw) =>
    [1, seed].map((runSeed) => ({ raw, runSeed, as: final })),
  );
  const way = ways.find(({ raw, runSeed, as }) => failsAs(raw, as, runSeed) !== null);
  const { raw, runSeed, as } = way ?? { raw: small, runSeed: seed, as: frame(seed) };
  const least = withoutNeedless(raw, (less) => failsAs(less, as, runSeed) !== null);
  looks = 0;
  return {
    ...trial,
    seed,
    found: {
      seed,
      kind,
      failure: failsAs(least, as, runSeed) ?? failure,
      requests: requestsOf(asScenario(world!, frame(seed)), seed),
      left: requestsOf(asScenario(least, as), runSeed),
      world: least,
      name: as.id.slice("regressions/".length),
      runSeed,
    },
  };
}

/** The file that keeps it. What differs from itself no expectation can say; the suite plays every file twice. */
export function textOf({ world, failure, seed, kind, left, requests, name }: Found): string {
  const own = EXPECTED.filter(({ id }) => id === failure.what);
  const expect = own.length > 0 && failure.what !== DIFFERS ? own : EXPECTED;
  return asScenario(world, {
    ...frameOf(
      failure,
      `Seed ${seed} of the swarm (${kind}): ${left} of ${requests} requests are left.`,
    ),
    id: `regressions/${name}`,
    expect,
  });
}
