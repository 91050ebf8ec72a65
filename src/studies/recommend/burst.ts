// Which burst clients need besides a rate. A bucket that is filled at the rate of a long time has to hold what clients send
// at once.
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
  readonly limit: LimitSize; // of a long time
  readonly burst: number;
}

const MINUTE = 60 * SECOND;
const HOUR = 60 * MINUTE;

/** An hour, or a shorter log in minutes. */
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

/** Null: no rate per long time meets the target. */
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
  return burst === null ? null : { limit, burst };
}
