// How unevenly clients send: a relative rate for each client, which the caller scales to the total rate.
import type { Rng } from "./rng.ts";

export type RateSpread =
  | { readonly kind: "zipf"; readonly exponent: number } // determined by the rank, without randomness
  | { readonly kind: "pareto"; readonly index: number } // index of the tail: P(rate > x) = x^-index, x >= 1
  | { readonly kind: "lognormal"; readonly sigma: number }; // standard deviation of the logarithm

export function drawRate(spread: RateSpread, client: number, random: Rng): number {
  switch (spread.kind) {
    case "zipf":
      return (client + 1) ** -spread.exponent;
    case "pareto":
      // The exponential variable is the logarithm of a Pareto variable with index 1.
      return Math.exp(random.exponential() / spread.index);
    case "lognormal":
      return Math.exp(spread.sigma * random.normal());
  }
}
