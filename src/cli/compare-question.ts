// Reads the question of a comparison from the flags: which change matters, and how often the result may be wrong.
import type { CompareQuestion } from "../studies/bench/compare/compare.ts";
import { Failure, isFailure } from "../kit/reading/failure.ts";
import type { Arguments } from "./arguments.ts";

const MIN_EFFECT = "3%";
const ALPHA = "0.05";

export function questionOf(values: Arguments["values"]): Omit<CompareQuestion, "seed"> | Failure {
  const minEffect = shareOf("min-effect", values.get("min-effect") ?? MIN_EFFECT, MIN_EFFECT);
  if (isFailure(minEffect)) return minEffect;
  const typedAlpha = values.get("alpha") ?? ALPHA;
  const alpha = Number(typedAlpha);
  if (!/^0?\.\d+$/.test(typedAlpha) || alpha < LEAST_ALPHA || alpha > 0.5)
    return new Failure(
      `--alpha must be a number from ${LEAST_ALPHA} to 0.5, such as ${ALPHA}; got "${typedAlpha}"`,
    );
  return { minEffect, alpha };
}

export function shareOf(name: string, typed: string, example: string): number | Failure {
  const share = /^\d+(\.\d+)?%$/.test(typed) ? Number(typed.slice(0, -1)) / 100 : 0;
  return share > 0 && share < 1
    ? share
    : new Failure(
        `--${name} must be a share between 0% and 100%, such as ${example}; got "${typed}"`,
      );
}

/** The lowest `--alpha`. With a lower one, 10,000 permutations are too few to find a difference in four gates. */
const LEAST_ALPHA = 0.001;
