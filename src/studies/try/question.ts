// A question: traffic in words, and the limits on which it is tried.
import type { Micros } from "../../kit/units.ts";
import type { LimitSize } from "../replay/candidates.ts";
import type { Behaviour } from "../../lab/scenario/types.ts";
import type { PopulationName } from "./populations.ts";
import type { TryRetry } from "./retries.ts";

/** An algorithm, or the profile of a foreign limiter. */
export interface TriedLimiter {
  readonly kind: "algorithm" | "profile";
  readonly name: string;
  readonly burst: number | "rate" | null; // null: the default of the limiter
}

/** Bursts: each client sends its requests at one instant, repeatedly. */
export interface TriedBursts {
  readonly count: number;
  readonly everyUs: Micros;
  readonly jitterUs: Micros; // each client is late by less than this
  readonly isTogether: boolean; // all clients at the same times; otherwise each at its own
}

/** What clients do with a refused request. */
export interface TriedRetry {
  readonly name: TryRetry;
  readonly behaviour: Behaviour;
}

export interface TryQuestion {
  readonly clients: number;
  readonly population: PopulationName;
  readonly rate: number | null; // requests per second of each client; null: only bursts
  readonly bursts: TriedBursts | null;
  readonly retries: readonly TriedRetry[];
  readonly isSequential: boolean; // each client waits for the end of a request before the next one
  readonly perAddress: number | null; // clients that share an address and its budget; null: each has a budget
  readonly forUs: Micros;
  readonly gateways: number;
  readonly limits: readonly LimitSize[];
  readonly limiters: readonly TriedLimiter[];
}

/** The requests of clients that are refused nothing. */
export type DescribedTraffic = Pick<
  TryQuestion,
  "clients" | "population" | "rate" | "bursts" | "perAddress" | "forUs"
>;

/** A candidate: a limit, a limiter and a way to retry. Each candidate is a variant of the scenario. */
export interface TryCandidate {
  readonly limit: LimitSize;
  readonly limiter: TriedLimiter;
  readonly retry: TriedRetry;
}

/** Lists the candidates in the order of the scenario's variants. */
export const candidatesOf = ({
  limits,
  limiters,
  retries,
}: Pick<TryQuestion, "limits" | "limiters" | "retries">): readonly TryCandidate[] =>
  limits.flatMap((limit) =>
    limiters.flatMap((limiter) => retries.map((retry) => ({ limit, limiter, retry }))),
  );
