// Runs candidates of a question: each is a variant of its scenario.
import { playAttempts, playVirtual } from "../../lab/drivers/virtual.ts";
import type { History } from "../../lab/scenario/history.ts";
import { plan } from "../../lab/scenario/plan/plan.ts";
import { measureTry } from "./measures.ts";
import { scenarioOf } from "./planned.ts";
import type { TryFigures } from "./result.ts";
import { candidatesOf, questionOf, type TryQuestion } from "./question.ts";

export interface TriedCandidate {
  readonly variant: string;
  readonly figures: TryFigures;
  readonly history: History | null; // null: it was not requested
}

/** One draw of the candidate at an index of `candidatesOf`. */
export interface TryPiece {
  readonly place: number;
  readonly seed: number;
  /** A history has a row for each attempt, and slows the run down. */
  readonly wantsHistory: boolean;
}

export type TryRunner = (piece: TryPiece) => TriedCandidate;

export function tryRunner(question: TryQuestion): TryRunner {
  const { forUs, perAddress, file } = question;
  const candidates = candidatesOf(question);
  const ofFile = candidates.findIndex(({ limiter }) => limiter.kind === "file");
  const scenarios = new Map<string, ReturnType<typeof scenarioOf>>();
  return ({ place, seed, wantsHistory }) => {
    const { limit, limiter } = candidates[place]!;
    const isOfFile = limiter.kind === "file";
    const name = `${seed} ${isOfFile}`;
    const scenario = scenarios.get(name) ?? scenarioOf(questionOf(question, limiter), seed);
    scenarios.set(name, scenario);
    const variant = scenario.variants[isOfFile ? place - ofFile : place]!;
    const planned = plan(variant, scenario.id, seed);
    const history = wantsHistory ? playVirtual(variant, planned) : null;
    const attempts = history?.requests ?? playAttempts(variant, planned);
    const ownerOfLimit = perAddress === null ? "client" : "address";
    const owner = isOfFile ? file!.owner : ownerOfLimit;
    const figures = measureTry(attempts, planned, { ...limit, forUs, owner });
    return { variant: variant.name, figures, history };
  };
}
