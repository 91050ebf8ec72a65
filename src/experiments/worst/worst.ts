// From a question to the file that answers it.
import { checkVariant } from "../../check/run.ts";
import { playVirtual } from "../../drivers/virtual.ts";
import { formatDuration } from "../../core/units.ts";
import { many } from "../../reading/legible.ts";
import { decode } from "../../scenario/read/decode.ts";
import { plan } from "../../scenario/plan/plan.ts";
import { asScenario } from "./as-scenario.ts";
import { boundOf, type Bound } from "./bound.ts";
import { flowsOf, requestsIn } from "./pattern.ts";
import { SEED, stageFor } from "./play.ts";
import type { Question } from "./question.ts";
import { search, type Effort, type Found } from "./search.ts";

/** What was found, beside what LIM-C11 states. */
export type Standing = "reached" | "not reached" | "passed" | "nothing stated";

export interface Worst {
  readonly found: Found;
  readonly clients: readonly string[];
  readonly bound: Bound;
  readonly standing: Standing;
  readonly sentences: readonly string[];
  readonly text: string; // of the scenario file
}

/** A text says what is wrong with the question. */
export function worst(question: Question, effort: Effort): Worst | string {
  const stage = stageFor(question);
  if (typeof stage === "string") return stage;
  const found = search(question, stage, effort);
  const bound = boundOf(question);
  const standing = standingOf(found.most, bound);
  const { clients } = stage;
  const flows = flowsOf(found.pattern, clients).length;
  const sentences = sentencesOf(question, found, flows, bound);
  const { pattern, most } = found;
  const about = [
    `Found by weir worst with seed ${effort.seed}.`,
    ...sentences,
    ...ofChance(question),
  ];
  const text = asScenario(question, { pattern, clients, most, about });
  confirm(question, text);
  return { found, clients, bound, standing, sentences, text };
}

/** What a balancer draws follows from the seed of the run. */
const ofChance = ({ balancer }: Question): readonly string[] =>
  balancer === "random" || balancer === "weighted"
    ? [
        `The balancer draws: with another seed than ${SEED}, which weir run takes, it is other gateways.`,
      ]
    : [];

export function standingOf(most: number, bound: Bound): Standing {
  if (bound.most === null) return "nothing stated";
  if (most > bound.most) return "passed";
  return most === bound.most ? "reached" : "not reached";
}

function sentencesOf(
  { algorithm, rate, perUs }: Question,
  { most, pattern, patterns }: Found,
  flows: number,
  bound: Bound,
): readonly string[] {
  const allowed = `LIM-C11 allows ${bound.most} (${bound.because})`;
  const said: Record<Standing, string> = {
    reached: `${allowed}, and that is reached.`,
    "not reached": `${allowed}, and nothing that was tried came that far.`,
    passed: `${allowed}, and this is more.`,
    "nothing stated": `No bound is stated: ${bound.because}.`,
  };
  return [
    `${algorithm} admits ${most} in some window of ${formatDuration(perUs)} where the limit is ${rate}.`,
    `It takes ${many(requestsIn(pattern), "request")} in ${many(flows, "flow")}; ${patterns} patterns were tried.`,
    said[standingOf(most, bound)],
  ];
}

/** The file says what was found, or something between the search and the file is wrong. */
function confirm({ id }: Question, text: string): void {
  const { scenario, problems } = decode(`scenarios/${id}.yaml`, text);
  const variant = scenario?.variants[0];
  if (variant === undefined)
    throw new Error(`what was found is no scenario: ${problems[0]?.message}\n${text}`);
  const verdicts = checkVariant(variant, playVirtual(variant, plan(variant, id, SEED)));
  const bad = verdicts.find(({ outcome }) => outcome !== "pass");
  if (bad !== undefined) throw new Error(`the file shows ${bad.observed}, not what was found`);
}
