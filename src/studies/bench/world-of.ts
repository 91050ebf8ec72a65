// The configuration of a cell's gateway. The factor `demand` changes the limit, not the load.
import { MILLISECOND, micros, SECOND, type Micros } from "../../kit/units.ts";
import type { Limit } from "../../limiter/core/limit.ts";
import type { JsonMap } from "../../kit/reading/shape.ts";
import type { Factors, Suite } from "./suite.ts";

/** A key is this prefix and a number. */
export const KEY_PREFIX = "bench-";
export const PATH = "/orders/7";

/** The rate of a limit that is evaluated and counted, and never reached by a load generator. */
const NEVER_PER_SECOND = 1_000_000;

/** A limit that no load generator reaches. Some gateways of others cannot express a larger one. */
export const OTHERS_LIMIT: Limit = { rate: 100_000, perUs: SECOND, smoothing: null };

export const othersWorld = (isByAddress: boolean): JsonMap => ({
  apis: { orders: { listen: "/orders" } },
  keys: {
    [`${KEY_PREFIX}0`]: {
      apis: ["orders"],
      rate: OTHERS_LIMIT.rate,
      per: OTHERS_LIMIT.perUs / SECOND,
    },
  },
  ...(isByAddress ? { gateway: { key_by: "ip" } } : {}),
});

interface CellLimit {
  readonly rate: number; // rate of each key
  readonly perUs: Micros;
}

/**
 * The part of the capacity that an open loop sends. Sending at planned times costs about as much as serving: on two
 * cores, half of the capacity nearly saturated both, so a cell would measure the gateway's queue.
 */
const OPEN_SHARE = 0.2;

/** The arrivals per second from which limits are derived. In a closed loop, they equal the capacity. */
export const arrivalsPerSecond = ({ load_model: loadModel }: Factors, capacity: number): number =>
  loadModel === "closed" ? capacity : OPEN_SHARE * capacity;

/**
 * Whether a limit, or the load, depends on the measured capacity. A closed loop with a demand below 1 does not: its
 * limit is never reached, even if the machine gets faster. With Zipf the busiest keys reach a limit at any demand.
 */
export const dependsOnCapacity = (factors: Factors): boolean =>
  factors.load_model !== "closed" || !isNeverRefused(factors);

const isNeverRefused = ({ demand, keys }: Factors): boolean => demand < 1 && keys !== "zipf";

type Windows = Pick<Suite, "perUs" | "keyCount">;

/** The smallest limit, in requests per window. With a limit of 1, a request sent a moment early would be refused. */
const LEAST_RATE = 2;

/** The limit of each key. If a window would have less than LEAST_RATE requests, the window is extended. */
export function limitOf(
  factors: Factors,
  capacity: number,
  { perUs, keyCount }: Windows,
): CellLimit {
  if (isNeverRefused(factors)) return neverReached(factors.keys === "one" ? perUs : MANY_PER_US);
  const all = arrivalsPerSecond(factors, capacity) / factors.demand;
  const each = factors.keys === "one" ? all : all / keyCount; // requests per second and key
  const rate = (each * perUs) / SECOND;
  if (rate >= LEAST_RATE) return { rate: Math.round(rate), perUs };
  const longer = Math.ceil((LEAST_RATE * SECOND) / each / MILLISECOND) * MILLISECOND;
  return { rate: LEAST_RATE, perUs: micros(longer) };
}

/** The window if there are many keys: in a shorter window, most keys would have no counter at their next request. */
const MANY_PER_US = SECOND;

const neverReached = (perUs: Micros): CellLimit => ({
  rate: Math.round((NEVER_PER_SECOND * perUs) / SECOND),
  perUs,
});

/** A gateway's world. If `capacity` is null, the limit is never reached; if `factors` is null, there is no limit. */
export function worldOf(
  factors: Factors | null,
  capacity: number | null,
  windows: Windows,
): unknown {
  const apis = { orders: { listen: "/orders" } };
  if (factors === null) return { apis, keys: keysOf(1, { apis: ["orders"] }) };
  const limit =
    capacity === null ? neverReached(windows.perUs) : limitOf(factors, capacity, windows);
  const rights = { rate: limit.rate, per: limit.perUs / SECOND, apis: ["orders"] };
  const count = factors.keys === "one" ? 1 : windows.keyCount;
  return {
    apis,
    policies: { load: rights },
    keys: keysOf(count, { apply_policies: ["load"] }),
    // Arrivals are bursty at any rate: the default burst of 1 would refuse most of them.
    gateway: { algorithm: factors.algorithm, burst: "rate" },
  };
}

const keysOf = (count: number, rights: object): Readonly<Record<string, object>> =>
  Object.fromEntries(
    Array.from({ length: count }, (_, at) => [
      `${KEY_PREFIX}${at}`,
      { key_id: `client-${at}`, ...rights },
    ]),
  );
