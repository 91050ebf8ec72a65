import type { Rng } from "./rng.ts";
import { micros, type Micros } from "../units.ts";

/** A duration that may vary. */
export type Distribution =
  | { readonly kind: "constant"; readonly us: Micros }
  | { readonly kind: "uniform"; readonly fromUs: Micros; readonly toUs: Micros }
  | { readonly kind: "exponential"; readonly meanUs: Micros }
  | { readonly kind: "lognormal"; readonly medianUs: Micros; readonly p99Us: Micros };

export const NO_TIME: Distribution = { kind: "constant", us: micros(0) };

/** The 99th percentile of a normal variable is this many standard deviations above its mean. */
const P99_DEVIATIONS = 2.3263478740408408;

/** A constant draws no random number, so that adding a constant does not change other draws. */
export function sample(distribution: Distribution, rng: Rng): Micros {
  switch (distribution.kind) {
    case "constant":
      return distribution.us;
    case "uniform":
      return micros(distribution.fromUs + rng.int(distribution.toUs - distribution.fromUs + 1));
    case "exponential":
      return micros(Math.round(rng.exponential() * distribution.meanUs));
    case "lognormal": {
      const deviation = Math.log(distribution.p99Us / distribution.medianUs) / P99_DEVIATIONS;
      return micros(Math.round(distribution.medianUs * Math.exp(deviation * rng.normal())));
    }
  }
}
