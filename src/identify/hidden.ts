// Hidden limits at random, for the check of identification itself.
import type { Rng } from "../chance/rng.ts";
import { ALGORITHMS } from "../core/algorithms.ts";
import { SECOND } from "../core/units.ts";
import { PROFILE_NAMES, type ProfileName } from "../spec/profiles.ts";
import { readLimitOptions } from "./gateway-options.ts";
import { PLAIN_LIMIT, type LimitConfiguration } from "./model.ts";
import type { CountedBy } from "./counted-by.ts";
import type { VirtualNetwork } from "./virtual-target.ts";

export interface HiddenLimit {
  /** What it is called: an algorithm, or a profile. */
  readonly name: string;
  readonly configuration: LimitConfiguration;
  readonly countedBy: CountedBy;
  readonly network: VirtualNetwork;
}

const RATES = [1, 2, 3, 5, 8, 10, 15, 20, 25, 30, 40, 50, 60, 100, 120, 200, 300, 500] as const;
const SPANS_S = [1, 2, 5, 10, 15, 30, 60, 300, 3_600] as const;
const BURSTS = [1, 2, 3, 5, 10, 20, 50, "rate"] as const;
const QUEUES = [0, 1, 2, 5, 10, 20, "rate"] as const;

/** A limiter that refuses nothing shows no limit. */
const REFUSING = PROFILE_NAMES.filter((name) => name !== "uber-ratelimit");

/** One in two decides as a profile does. */
export function drawHidden(random: Rng): HiddenLimit {
  const pick = <T>(values: readonly T[]): T => values[random.int(values.length)]!;
  const profile = random.int(2) === 0 ? null : pick(REFUSING);
  const numbers = {
    rate: pick(RATES),
    perUs: pick(SPANS_S) * SECOND,
    burst: pick(BURSTS),
    queue: pick(QUEUES),
  };
  const algorithm = pick(ALGORITHMS);
  const own: LimitConfiguration = {
    ...PLAIN_LIMIT,
    ...numbers,
    algorithm,
    fixedWindowStart: pick(["first_request", "clock"]),
    sentinelMark: pick(["sliding", "fixed"]),
  };
  return {
    name: profile ?? algorithm,
    configuration: profile === null ? own : configurationOfProfile(profile, numbers),
    countedBy: pick([
      { credential: true, address: false, path: false },
      { credential: false, address: true, path: false },
      { credential: false, address: false, path: false },
      { credential: true, address: false, path: true },
      { credential: false, address: true, path: true },
    ]),
    network: {
      oneWayUs: 1_000 + Math.round(19_000 * random.next() ** 2),
      jitterUs: 100 + Math.round(2_900 * random.next() ** 2),
      loss: random.int(2) * 0.01 * random.next(),
      storeUs: 100 + Math.round(900 * random.next()),
      clockUs: Math.round(10_000 * (2 * random.next() - 1)),
    },
  };
}

/** One that admits less than it is given admits something. Whole bursts are those of a profile that has its own. */
function configurationOfProfile(
  profile: ProfileName,
  { rate, perUs, burst, queue }: Pick<LimitConfiguration, "rate" | "perUs" | "burst" | "queue">,
): LimitConfiguration {
  const options = readLimitOptions(`profile: ${profile}`);
  const least = (options.imitation?.lastOfWindow ?? null) === null ? 1 : 2;
  // A burst below half of the rate is no limit there.
  const atOnce = options.imitation?.lifetime === "whole_seconds" ? "rate" : burst;
  return { ...options, rate: Math.max(rate, least), perUs, burst: atOnce, queue };
}
