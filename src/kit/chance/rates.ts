// How unevenly clients send: the rate of each, before it is scaled to the rate of all.
import type { Rng } from "./rng.ts";

export type RateSpread =
  | { readonly kind: "zipf"; readonly exponent: number } // by rank, nothing is drawn
  | { readonly kind: "pareto"; readonly index: number } // of the tail: P(rate > x) = x^-index from 1 on
  | { readonly kind: "lognormal"; readonly sigma: number }; // the deviation of the logarithm

export function drawRate(spread: RateSpread, client: number, random: Rng): number {
  switch (spread.kind) {
    case "zipf":
      return (client + 1) ** -spread.exponent;
    case "pareto":
      // An exponential variable is the logarithm of a Pareto variable with index 1.
      return Math.exp(random.exponential() / spread.index);
    case "lognormal":
      return Math.exp(spread.sigma * random.normal());
  }
}
