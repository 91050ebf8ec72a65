// The configuration of a cell's gateway. The load does not depend on the demand: the limit does.
import { MILLISECOND, micros, SECOND, type Micros } from "../../kit/units.ts";
import type { Limit } from "../../limiter/core/limit.ts";
import type { JsonMap } from "../../kit/reading/shape.ts";
import type { Factors, Suite } from "./suite.ts";

/** A key is this prefix and a number. */
export const KEY_PREFIX = "bench-";
export const PATH = "/orders/7";

/** Of a limit that is evaluated and counted, and never reached: each load generator here sends fewer requests. */
const NEVER_PER_SECOND = 1_000_000;

/** Of each key at a gateway of others, which may be unable to express a larger one: no load generator here reaches it. */
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
  readonly rate: number; // of each key
  readonly perUs: Micros;
}

/**
 * The part of the capacity that an open loop sends, so that it measures the gateway and not its queue. Sending at
 * planned times costs about as much as serving: on two cores half of the capacity was nearly all that both could do.
 */
const OPEN_SHARE = 0.2;

/** The arrival rate that limits are derived from. A closed loop sends as many requests as get a response. */
export const arrivalsPerSecond = ({ load_model: loadModel }: Factors, capacity: number): number =>
  loadModel === "closed" ? capacity : OPEN_SHARE * capacity;

/**
 * Whether the rate of a limit, or of the load, follows from the capacity. Below a demand of 1 a closed loop has a limit that
 * is never reached, however much faster the machine gets after the capacity was measured. With Zipf the busiest keys
 * reach a limit at any demand.
 */
export const dependsOnCapacity = (factors: Factors): boolean =>
  factors.load_model !== "closed" || !isNeverRefused(factors);

const isNeverRefused = ({ demand, keys }: Factors): boolean => demand < 1 && keys !== "zipf";

type Windows = Pick<Suite, "perUs" | "keyCount">;

/** With a limit of 1, a client that sends a moment too early is refused far below the limit. */
const LEAST_RATE = 2;

/** A window for fewer requests than LEAST_RATE is extended. */
export function limitOf(
  factors: Factors,
  capacity: number,
  { perUs, keyCount }: Windows,
): CellLimit {
  if (isNeverRefused(factors)) return neverReached(factors.keys === "one" ? perUs : MANY_PER_US);
  const all = arrivalsPerSecond(factors, capacity) / factors.demand;
  const each = factors.keys === "one" ? all : all / keyCount; // a second
  const rate = (each * perUs) / SECOND;
  if (rate >= LEAST_RATE) return { rate: Math.round(rate), perUs };
  const longer = Math.ceil((LEAST_RATE * SECOND) / each / MILLISECOND) * MILLISECOND;
  return { rate: LEAST_RATE, perUs: micros(longer) };
}

/** Many keys in turn: with a shorter window most of them would have no counter when their next request arrives. */
const MANY_PER_US = SECOND;

const neverReached = (perUs: Micros): CellLimit => ({
  rate: Math.round((NEVER_PER_SECOND * perUs) / SECOND),
  perUs,
});

/** `capacity` null: the limit is never reached. `factors` null: there is no limit. */
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
    // Arrivals come in bursts, whatever their rate: the default of one at a time would refuse most of them.
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
