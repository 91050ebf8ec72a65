// What is asked: the most that any pattern of arrivals gets out of one limit, on one fleet.
import type { LimitFacts } from "../../spec/algorithm-spec.ts";
import type { Algorithm } from "../../core/algorithms.ts";
import type { Micros } from "../../core/units.ts";

export interface Question {
  readonly id: string; // of the scenario file that shows it
  readonly algorithm: Algorithm;
  readonly rate: number;
  readonly perUs: Micros;
  readonly burst: number | "rate"; // gcra
  readonly fixedWindowStart: "first_request" | "clock";
  /** Whose limit it is: one client's, or an API's, where every client may send. */
  readonly level: "key" | "api";
  readonly nodes: number;
  readonly balancer: string; // as a scenario file says it
  readonly weights: readonly number[];
  readonly skewUs: readonly Micros[];
  readonly storeUs: Micros; // from gateway to store, one way
  /** How many requests may be under way together; a bound only where the store takes time. */
  readonly inFlight: number;
}

/** Where the store answers in no time nothing overlaps. */
export const overlaps = ({ storeUs }: Question): boolean => storeUs > 0;

/** How far the clock of each gateway is ahead. */
export const clocksOf = ({ nodes, skewUs }: Question): readonly number[] =>
  Array.from({ length: nodes }, (_, node) => skewUs[node] ?? 0);

export const haveOneClock = (question: Question): boolean => new Set(clocksOf(question)).size === 1;

/** What one window admits (LIM-C2). */
export const wholeRate = ({ rate }: Question): number => Math.floor(rate);

export const factsOf = (question: Question): LimitFacts => {
  const { rate, perUs, nodes, burst, fixedWindowStart } = question;
  return { rate, perUs, gateways: nodes, burst, fixedWindowStart };
};
