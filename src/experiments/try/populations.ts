// Populations by their names on the command line: how the requests of clients are spread over time, and over clients.
import type { GapFamily } from "../../chance/gaps.ts";

export interface TriedPopulation {
  /** Null: evenly spaced. */
  readonly gaps: { readonly family: GapFamily; readonly cv: number } | null;
  readonly skew: number; // of the rates of clients, as in a scenario
  /** How many times the rate of a client the first one sends in addition, without a retry. */
  readonly scraper: number;
  readonly about: string; // after "requests a second each"
}

const AT_RANDOM = { family: "gamma", cv: 1 } as const;
const IN_BURSTS = { family: "gamma", cv: 3 } as const;

export const POPULATIONS = {
  even: { gaps: null, skew: 0, scraper: 0, about: "evenly spaced" },
  random: { gaps: AT_RANDOM, skew: 0, scraper: 0, about: "at random" },
  bursty: { gaps: IN_BURSTS, skew: 0, scraper: 0, about: "in bursts of their own" },
  "heavy-tailed": {
    gaps: AT_RANDOM,
    skew: 1,
    scraper: 0,
    about: "on average, of which few clients send most",
  },
  fleet: {
    gaps: { family: "weibull", cv: 3 },
    skew: 1,
    scraper: 0,
    about: "on average, of which few clients send most, in bursts of their own",
  },
  scraper: {
    gaps: AT_RANDOM,
    skew: 0,
    scraper: 20,
    about: "at random, and the first one 20 times as many more",
  },
} as const satisfies Readonly<Record<string, TriedPopulation>>;

export type PopulationName = keyof typeof POPULATIONS;
export const POPULATION_NAMES = Object.keys(POPULATIONS) as readonly PopulationName[];
