// Runs candidates of a question: each is a variant of its scenario.
import { playAttempts, playVirtual } from "../../lab/drivers/virtual.ts";
import type { History } from "../../lab/scenario/history.ts";
import { plan } from "../../lab/scenario/plan/plan.ts";
import { decode } from "../../lab/scenario/read/decode.ts";
import { formatTry, TRY_ID } from "./as-scenario.ts";
import { measureTry } from "./measures.ts";
import type { TryFigures } from "./result.ts";
import { candidatesOf, type TryQuestion } from "./question.ts";

export interface TriedCandidate {
  readonly variant: string;
  readonly figures: TryFigures;
  readonly history: History | null; // null: it was not requested
}

/** Runs the candidate at an index of `candidatesOf`. A history has a row for each attempt, and slows the run down. */
export type TryRunner = (place: number, wantsHistory: boolean) => TriedCandidate;

export function tryRunner(question: TryQuestion, seed: number): TryRunner {
  const { scenario, problems } = decode(`${TRY_ID}.yaml`, formatTry(question, null));
  if (scenario === null) throw new Error(problems.map(({ message }) => message).join("; "));
  const { forUs, perAddress } = question;
  const candidates = candidatesOf(question);
  return (place, wantsHistory) => {
    const variant = scenario.variants[place]!;
    const planned = plan(variant, scenario.id, seed);
    const history = wantsHistory ? playVirtual(variant, planned) : null;
    const attempts = history?.requests ?? playAttempts(variant, planned);
    const isByAddress = perAddress !== null;
    const figures = measureTry(attempts, planned, {
      ...candidates[place]!.limit,
      forUs,
      isByAddress,
    });
    return { variant: variant.name, figures, history };
  };
}
