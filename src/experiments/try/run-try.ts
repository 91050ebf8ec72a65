// Runs the scenario of a question, candidate after candidate.
import { playVirtual } from "../../drivers/virtual.ts";
import type { History } from "../../scenario/history.ts";
import { plan } from "../../scenario/plan/plan.ts";
import { decode } from "../../scenario/read/decode.ts";
import { formatTry, TRY_ID } from "./as-scenario.ts";
import { measureTry, type TryFigures } from "./measures.ts";
import { candidatesOf, type TryCandidate, type TryQuestion } from "./question.ts";

export interface TriedCandidate extends TryCandidate {
  readonly variant: string;
  readonly figures: TryFigures;
  readonly history: History;
}

/** A history is as long as its traffic: the caller takes what it needs before the next one. */
export function* runTry(question: TryQuestion, seed: number): Generator<TriedCandidate, void> {
  const { scenario, problems } = decode(`${TRY_ID}.yaml`, formatTry(question, null));
  if (scenario === null) throw new Error(problems.map(({ message }) => message).join("; "));
  for (const [at, candidate] of candidatesOf(question).entries()) {
    const variant = scenario.variants[at]!;
    const planned = plan(variant, scenario.id, seed);
    const history = playVirtual(variant, planned);
    yield {
      ...candidate,
      variant: variant.name,
      figures: measureTry(history, planned, {
        perUs: candidate.limit.perUs,
        forUs: question.forUs,
        isByAddress: question.perAddress !== null,
      }),
      history,
    };
  }
}
