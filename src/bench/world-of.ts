// What the gateway of a cell is told to enforce. The load is the same whatever the demand is: the limit moves.
import { MILLISECOND, micros, SECOND, type Micros } from "../core/units.ts";
import type { Factors, Suite } from "./suite.ts";

/** Behind it stands the number of the key. */
export const KEY_PREFIX = "bench-";
export const PATH = "/orders/7";

/** A limit that is judged and counted, and never reached. */
const NEVER_RATE = 1_000_000_000;

export interface CellLimit {
  readonly rate: number; // of each key
  readonly perUs: Micros;
}

/**
 * Of the capacity, so that an open loop measures the gateway and not its queue: to send at a time of its own costs about as
 * much as to serve, and on two cores half of the capacity was nearly all that both could do.
 */
const OPEN_SHARE = 0.2;

/** Arrivals a second that limits are made from. Those of a closed loop are as many as are answered. */
export const offered = ({ load_model: loadModel }: Factors, capacity: number): number =>
  loadModel === "closed" ? capacity : OPEN_SHARE * capacity;

type Windows = Pick<Suite, "perUs" | "keyCount">;

/** With room for one alone, whoever asks a moment early is refused far below the limit. */
const LEAST_RATE = 2;

/** A window in which less than that fits is made longer. */
export function limitOf(
  factors: Factors,
  capacity: number,
  { perUs, keyCount }: Windows,
): CellLimit {
  const all = offered(factors, capacity) / factors.demand;
  const each = factors.keys === "one" ? all : all / keyCount; // a second
  const rate = (each * perUs) / SECOND;
  if (rate >= LEAST_RATE) return { rate: Math.round(rate), perUs };
  const longer = Math.ceil((LEAST_RATE * SECOND) / each / MILLISECOND) * MILLISECOND;
  return { rate: LEAST_RATE, perUs: micros(longer) };
}

/** `capacity` null: the limit is never reached. `factors` null: there is none. */
export function worldOf(
  factors: Factors | null,
  capacity: number | null,
  windows: Windows,
): unknown {
  const apis = { orders: { listen: "/orders" } };
  if (factors === null) return { apis, keys: keysOf(1, { apis: ["orders"] }) };
  const limit =
    capacity === null
      ? { rate: NEVER_RATE, perUs: windows.perUs }
      : limitOf(factors, capacity, windows);
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
