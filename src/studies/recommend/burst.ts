// Finds the burst that clients need in addition to a rate per hour: the number of requests that a limit has to admit at
// one instant.
import { micros, SECOND, type Micros } from "../../kit/units.ts";
import type { ReplayLimit, LimitSize } from "../replay/candidates.ts";
import { DEFAULT_OPTIONS } from "../../limiter/world/options.ts";
import { RefusalCurve, type DecidedClients } from "./refusals.ts";
import {
  findSmallestRate,
  isTargetMet,
  tryRates,
  type RefusalTarget,
  type RefusalTotals,
} from "./search.ts";

export interface NeededBurst {
  readonly limit: LimitSize; // over an hour, or the length of a shorter log
  readonly burst: number;
  readonly client: number | null; // a client that a smaller burst refuses; null: one request at once is enough
}

const MINUTE = 60 * SECOND;
const HOUR = 60 * MINUTE;

/** The window for the rate: an hour, or the minutes of a shorter log. */
export const longTimeOf = (lengthUs: number): Micros =>
  micros(Math.min(HOUR, Math.max(MINUTE, Math.ceil(lengthUs / MINUTE) * MINUTE)));

const candidateOf = (
  name: "sliding_log" | "gcra",
  limit: LimitSize,
  burst: number,
): ReplayLimit => ({
  kind: "limit",
  limit,
  by: { kind: "algorithm", name },
  options: { ...DEFAULT_OPTIONS, algorithm: name, burst },
});

/** The smallest burst that meets the target; null: no rate over the window `perUs` meets it. */
export function findNeededBurst(
  perUs: Micros,
  target: RefusalTarget,
  totals: RefusalTotals,
  decided: DecidedClients,
  all: Int32Array,
  most: number,
): NeededBurst | null {
  const isMet = (refused: { readonly goodRequests: number; readonly goodClients: number }) =>
    isTargetMet(refused, target, totals);
  const rates = new RefusalCurve(
    (rate) => candidateOf("sliding_log", { rate, perUs }, 1),
    decided,
    all,
    most,
  );
  tryRates(rates);
  const rate = findSmallestRate(rates, isMet);
  if (rate === null) return null;
  const limit = { rate, perUs };
  const bursts = new RefusalCurve((burst) => candidateOf("gcra", limit, burst), decided, all, rate);
  tryRates(bursts);
  const burst = findSmallestRate(bursts, isMet);
  if (burst === null) return null;
  const still = new Set(bursts.at(burst).ids);
  const client = burst === 1 ? undefined : bursts.at(burst - 1).ids.find((id) => !still.has(id));
  return { limit, burst, client: client ?? null };
}
