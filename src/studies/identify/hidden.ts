// Hidden limits at random, for the check of identification itself.
import type { Rng } from "../../kit/chance/rng.ts";
import { ALGORITHMS } from "../../limiter/core/algorithms.ts";
import { SECOND } from "../../kit/units.ts";
import { PROFILE_NAMES, type ProfileName } from "../../limiter/spec/profiles.ts";
import { drawNumbers, drawOddCount, type NumberKind } from "./hidden-numbers.ts";
import { drawServer, type HiddenServer } from "./hidden-server.ts";
import { readLimitOptions } from "./gateway-options.ts";
import { PLAIN_LIMIT, type LimitConfiguration } from "./model.ts";
import type { CountedBy } from "./counted-by.ts";
import type { VirtualNetwork } from "./virtual-target.ts";

export interface HiddenLimit {
  /** The name of the server, profile or algorithm. */
  readonly name: string;
  readonly configuration: LimitConfiguration;
  /** A server that decides in place of the configuration; null: the configuration decides. */
  readonly server: HiddenServer | null;
  readonly countedBy: CountedBy;
  readonly network: VirtualNetwork;
}

const BURSTS = [1, 2, 3, 5, 10, 20, 50, "rate"] as const;
const QUEUES = [0, 1, 2, 5, 10, 20, "rate"] as const;

/** The profiles that refuse requests: a limiter that refuses nothing shows no limit. */
const REFUSING = PROFILE_NAMES.filter((name) => name !== "uber-ratelimit");

type LimitNumbers = Pick<LimitConfiguration, "rate" | "perUs" | "burst" | "queue">;

const BOUNDS = { rate: [1, 1_000], seconds: [0.2, 7_200] } as const;
/** One in this many hidden limits is a limiter that Weir does not have. */
const SERVERS = 8;

/** Draws a hidden limit: sometimes a server; otherwise an algorithm or a profile, each in half of the cases. */
export function drawHidden(random: Rng, kind: NumberKind): HiddenLimit {
  const pick = <T>(values: readonly T[]): T => values[random.int(values.length)]!;
  const server = random.int(SERVERS) === 0 ? drawServer(random, kind) : null;
  const profile = random.int(2) === 0 ? null : pick(REFUSING);
  const isWhole = profile !== null && needsWholeSeconds(profile);
  const isShare = random.int(2) === 0;
  const numbers: LimitNumbers = {
    ...drawNumbers(random, kind, { ...BOUNDS, isWhole }),
    burst: kind === "round" ? pick(BURSTS) : isShare ? drawOddCount(random, [1, 50]) : "rate",
    queue: kind === "round" ? pick(QUEUES) : isShare ? drawOddCount(random, [1, 20]) : "rate",
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
    name: server?.name ?? profile ?? algorithm,
    server,
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

const needsWholeSeconds = (profile: ProfileName): boolean =>
  (readLimitOptions(`profile: ${profile}`).imitation?.clockResolutionUs ?? 0) >= SECOND;

/** The configuration of a profile with these numbers. The rate is raised until it admits a request. */
function configurationOfProfile(
  profile: ProfileName,
  { rate, perUs, burst, queue }: LimitNumbers,
): LimitConfiguration {
  const options = readLimitOptions(`profile: ${profile}`);
  const least = (options.imitation?.lastOfWindow ?? null) === null ? 1 : 2;
  // In a profile with lifetimes in whole seconds, a burst below half of the rate does not limit requests.
  const atOnce = options.imitation?.lifetime === "whole_seconds" ? "rate" : burst;
  return { ...options, rate: Math.max(rate, least), perUs, burst: atOnce, queue };
}
