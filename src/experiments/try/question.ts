// Traffic in words, and the limits that it is tried on.
import type { Micros } from "../../core/units.ts";
import type { LimitSize } from "../../replay/candidates.ts";
import type { Behaviour } from "../../scenario/types.ts";
import type { PopulationName } from "./populations.ts";

/** An algorithm, or a profile of a limiter of others. */
export interface TriedLimiter {
  readonly kind: "algorithm" | "profile";
  readonly name: string;
  readonly burst: number | "rate" | null; // null: what it has without the option
}

/** Requests at one instant, of each client, again and again from the start. */
export interface TriedBursts {
  readonly count: number;
  readonly everyUs: Micros;
}

export interface TryQuestion {
  readonly clients: number;
  readonly population: PopulationName;
  readonly rate: number | null; // requests per second of each client; null: only bursts
  readonly bursts: TriedBursts | null;
  readonly retry: string; // as it is named on the command line
  readonly behaviour: Behaviour;
  readonly forUs: Micros;
  readonly gateways: number;
  readonly limits: readonly LimitSize[];
  readonly limiters: readonly TriedLimiter[];
}

/** A limit by a limiter: a variant of the scenario. */
export interface TryCandidate {
  readonly limit: LimitSize;
  readonly limiter: TriedLimiter;
}

/** In the order of the variants of the scenario. */
export const candidatesOf = ({ limits, limiters }: TryQuestion): readonly TryCandidate[] =>
  limits.flatMap((limit) => limiters.map((limiter) => ({ limit, limiter })));
