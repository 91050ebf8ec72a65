// The question of a search: how many requests can any pattern of arrivals get through one limit, on one fleet?
import type { LimitFacts } from "../../limiter/spec/algorithm-spec.ts";
import type { Algorithm } from "../../limiter/core/algorithms.ts";
import type { Micros } from "../../kit/units.ts";

export interface WorstCaseQuestion {
  readonly id: string; // id of the scenario file with the answer
  readonly algorithm: Algorithm;
  readonly rate: number;
  readonly perUs: Micros;
  readonly burst: number | "rate"; // used by gcra
  readonly queue: number | "rate"; // used by leaky_bucket
  readonly fixedWindowStart: "first_request" | "clock";
  /** The level of the limit: the key of one client, or an API to which every client may send. */
  readonly level: "key" | "api";
  readonly nodes: number;
  readonly balancer: string; // as in a scenario file
  readonly weights: readonly number[];
  readonly skewUs: readonly Micros[];
  readonly storeUs: Micros; // from gateway to store, one way
  /** How many requests may be in flight together. It matters only if the store takes time. */
  readonly inFlight: number;
}

/** Whether requests can overlap: not if the store replies in no time. */
export const canOverlap = ({ storeUs }: WorstCaseQuestion): boolean => storeUs > 0;

/** How far the clock of each gateway is ahead. */
export const clocksOf = ({ nodes, skewUs }: WorstCaseQuestion): readonly number[] =>
  Array.from({ length: nodes }, (_, node) => skewUs[node] ?? 0);

export const hasOneClock = (question: WorstCaseQuestion): boolean =>
  new Set(clocksOf(question)).size === 1;

/** The requests that one window admits (LIM-C2). */
export const wholeRate = ({ rate }: WorstCaseQuestion): number => Math.floor(rate);

export const factsOf = (question: WorstCaseQuestion): LimitFacts => {
  const { rate, perUs, nodes, burst, queue, fixedWindowStart } = question;
  return { rate, perUs, gateways: nodes, burst, queue, fixedWindowStart };
};
