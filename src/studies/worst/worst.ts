// Answers a question with a scenario file.
import { checkVariant } from "../../lab/check/run.ts";
import { playVirtual } from "../../lab/drivers/virtual.ts";
import { formatDuration } from "../../kit/units.ts";
import { type Failure, isFailure, requireValue } from "../../kit/reading/failure.ts";
import { many } from "../../kit/reading/legible.ts";
import { decode } from "../../lab/scenario/read/decode.ts";
import { plan } from "../../lab/scenario/plan/plan.ts";
import { formatScenario } from "./as-scenario.ts";
import { boundOf, type WorstCaseBound } from "./bound.ts";
import { flowsOf, requestsIn } from "./pattern.ts";
import { SEED, createRunner, type AdmittedBurst } from "./run-pattern.ts";
import type { WorstCaseQuestion } from "./question.ts";
import {
  computePiece,
  search,
  type PieceResult,
  type SearchEffort,
  type SearchPiece,
  type SearchResult,
} from "./search.ts";

/** The result, compared with the bound of LIM-C11. */
export type BoundComparison = "reached" | "not reached" | "passed" | "nothing stated";

export interface WorstCase {
  readonly result: SearchResult;
  readonly clients: readonly string[];
  readonly window: readonly AdmittedBurst[]; // the fullest one
  readonly bound: WorstCaseBound;
  readonly comparison: BoundComparison;
  readonly text: string; // text of the scenario file
}

/** Finds the worst case; a failure is an error in the question. */
export async function findWorstCase(
  question: WorstCaseQuestion,
  effort: SearchEffort,
): Promise<WorstCase | Failure | "stopped"> {
  const runner = createRunner(question);
  if (isFailure(runner)) return runner;
  const result = await search(question, runner, effort);
  if (result === null) return "stopped";
  const bound = boundOf(question);
  const comparison = compareWithBound(result.most, bound);
  const { clients } = runner;
  const flows = flowsOf(result.pattern, clients).length;
  const sentences = sentencesOf(question, result, flows, bound);
  const { pattern, most } = result;
  const about = [
    `Found by weir worst with seed ${effort.seed}.`,
    ...sentences,
    ...chanceNotes(question),
  ];
  const text = formatScenario(question, { pattern, clients, most, about });
  requirePass(question, text);
  const window = runner.listFullest(pattern);
  return { result, clients, window, bound, comparison, text };
}

/** Returns a function that computes pieces, in a thread or elsewhere. `createRunner` must accept the question. */
export function createComputer({
  question,
  ...effort
}: Pick<SearchEffort, "seed" | "units"> & {
  readonly question: WorstCaseQuestion;
}): (piece: SearchPiece) => PieceResult {
  const runner = requireValue(createRunner(question));
  return (piece) => computePiece(question, runner, effort, piece);
}

/** Notes about chance: the seed of a run decides what a balancer chooses at random. */
const chanceNotes = ({ balancer }: WorstCaseQuestion): readonly string[] =>
  balancer === "random" || balancer === "weighted"
    ? [
        `The balancer is random: a seed other than ${SEED}, the default of weir run, selects other gateways.`,
      ]
    : [];

export function compareWithBound(most: number, bound: WorstCaseBound): BoundComparison {
  if (bound.most === null) return "nothing stated";
  if (most > bound.most) return "passed";
  return most === bound.most ? "reached" : "not reached";
}

function sentencesOf(
  { algorithm, rate, perUs }: WorstCaseQuestion,
  { most, pattern, patterns }: SearchResult,
  flows: number,
  bound: WorstCaseBound,
): readonly string[] {
  const allowed = `LIM-C11 allows ${bound.most} (${bound.because})`;
  const byComparison: Record<BoundComparison, string> = {
    reached: `${allowed}, and that is reached.`,
    "not reached": `${allowed}, and no pattern that was tried admits as many.`,
    passed: `${allowed}, and this is more.`,
    "nothing stated": `No bound is stated: ${bound.because}.`,
  };
  return [
    `${algorithm} admits ${most} in some window of ${formatDuration(perUs)} where the limit is ${rate}.`,
    `It takes ${many(requestsIn(pattern), "request")} in ${many(flows, "flow")}; ${patterns} patterns were tried.`,
    byComparison[compareWithBound(most, bound)],
  ];
}

/** Throws if the file does not pass: the search and the file disagree then, which is a bug. */
function requirePass({ id }: WorstCaseQuestion, text: string): void {
  const { scenario, problems } = decode(`scenarios/${id}.yaml`, text);
  const variant = scenario?.variants[0];
  if (variant === undefined)
    throw new Error(`the worst case is no valid scenario: ${problems[0]?.message}\n${text}`);
  const verdicts = checkVariant(variant, playVirtual(variant, plan(variant, id, SEED)));
  const failed = verdicts.find(({ outcome }) => outcome !== "pass");
  if (failed !== undefined)
    throw new Error(`the file gives ${failed.observed}, which differs from the search`);
}
