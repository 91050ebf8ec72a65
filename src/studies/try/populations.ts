// Populations by their names on the command line: how the requests of clients are spread over time, and over clients.
import type { GapFamily } from "../../kit/chance/gaps.ts";
import type { RateSpread } from "../../kit/chance/rates.ts";

export interface TriedPopulation {
  /** The distribution of gaps; null: requests are evenly spaced. */
  readonly gaps: { readonly family: GapFamily; readonly cv: number } | null;
  readonly rates: RateSpread | null; // null: all clients have one rate
  /** The multiple of its rate at which the first client also requests path after path, without retries; 0: none. */
  readonly scraper: number;
  readonly about: string; // continues the phrase "requests a second each"
}

const AT_RANDOM = { family: "gamma", cv: 1 } as const;
const IN_BURSTS = { family: "gamma", cv: 3 } as const;

const BY_RANK = { kind: "zipf", exponent: 1 } as const;

export const POPULATIONS = {
  even: { gaps: null, rates: null, scraper: 0, about: "evenly spaced" },
  random: { gaps: AT_RANDOM, rates: null, scraper: 0, about: "at random" },
  bursty: { gaps: IN_BURSTS, rates: null, scraper: 0, about: "in bursts of their own" },
  "heavy-tailed": {
    gaps: AT_RANDOM,
    rates: BY_RANK,
    scraper: 0,
    about: "on average, of which few clients send most",
  },
  pareto: {
    gaps: AT_RANDOM,
    rates: { kind: "pareto", index: 1.2 },
    scraper: 0,
    about: "on average, with rates drawn by a Pareto distribution",
  },
  lognormal: {
    gaps: AT_RANDOM,
    rates: { kind: "lognormal", sigma: 1.5 },
    scraper: 0,
    about: "on average, with rates drawn by a lognormal distribution",
  },
  fleet: {
    gaps: { family: "weibull", cv: 3 },
    rates: BY_RANK,
    scraper: 0,
    about: "on average, of which few clients send most, in bursts of their own",
  },
  scraper: {
    gaps: AT_RANDOM,
    rates: null,
    scraper: 20,
    about: "at random, the first client 20 times as many in addition, evenly",
  },
} as const satisfies Readonly<Record<string, TriedPopulation>>;

export type PopulationName = keyof typeof POPULATIONS;
export const POPULATION_NAMES = Object.keys(POPULATIONS) as readonly PopulationName[];
