// Hidden limits at random, for the check of identification itself.
import type { Rng } from "../../kit/chance/rng.ts";
import { ALGORITHMS } from "../../limiter/core/algorithms.ts";
import { SECOND } from "../../kit/units.ts";
import { PROFILE_NAMES, type ProfileName } from "../../limiter/spec/profiles.ts";
import { behaviourOf } from "./behaviour-of.ts";
import { hasRoundSpan, isRoundRate, isRoundWindow } from "./candidates.ts";
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

/** `round`: numbers that identification begins with. `odd`: neither the rate nor the window is one of them. */
export type NumberKind = "round" | "odd";

type LimitNumbers = Pick<LimitConfiguration, "rate" | "perUs" | "burst" | "queue">;

/** One in two decides as a profile does. */
export function drawHidden(random: Rng, kind: NumberKind): HiddenLimit {
  for (;;) {
    const hidden = drawLimit(random, kind);
    // Steps of a clock may make a round window of another one, and so may the quotient of two odd numbers.
    if (kind === "round" || !hasRoundSpan(behaviourOf(hidden.configuration))) return hidden;
  }
}

function drawLimit(random: Rng, kind: NumberKind): HiddenLimit {
  const pick = <T>(values: readonly T[]): T => values[random.int(values.length)]!;
  const profile = random.int(2) === 0 ? null : pick(REFUSING);
  const numbers: LimitNumbers =
    kind === "round"
      ? {
          rate: pick(RATES),
          perUs: pick(SPANS_S) * SECOND,
          burst: pick(BURSTS),
          queue: pick(QUEUES),
        }
      : drawOddNumbers(random, profile !== null);
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

const MOST_ODD = 500;
const LONGEST_ODD_S = 3_600;
/** Shorter windows may have a fraction: 3.3 s. */
const WHOLE_FROM_S = 10;

/** As many small ones as large ones. Limiters of others may have no windows but of whole seconds. */
function drawOddNumbers(random: Rng, isWhole: boolean): LimitNumbers {
  const draw = (most: number): number => most ** random.next();
  const drawRate = (most: number): number => {
    for (;;) {
      const rate = Math.round(draw(most));
      if (!isRoundRate(rate)) return rate;
    }
  };
  const rate = drawRate(MOST_ODD);
  const isShare = random.int(2) === 0;
  for (;;) {
    const seconds = draw(LONGEST_ODD_S);
    const parts = isWhole || seconds >= WHOLE_FROM_S ? 1 : 10;
    const perUs = (Math.round(seconds * parts) / parts) * SECOND;
    if (!isRoundWindow(perUs))
      return {
        rate,
        perUs,
        burst: isShare ? drawRate(50) : "rate",
        queue: isShare ? drawRate(20) : "rate",
      };
  }
}

/** One that admits less than it is given admits something. Whole bursts are those of a profile that has its own. */
function configurationOfProfile(
  profile: ProfileName,
  { rate, perUs, burst, queue }: LimitNumbers,
): LimitConfiguration {
  const options = readLimitOptions(`profile: ${profile}`);
  const least = (options.imitation?.lastOfWindow ?? null) === null ? 1 : 2;
  // A burst below half of the rate is no limit there.
  const atOnce = options.imitation?.lifetime === "whole_seconds" ? "rate" : burst;
  return { ...options, rate: Math.max(rate, least), perUs, burst: atOnce, queue };
}
