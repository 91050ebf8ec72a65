// Runs one scenario from its text to the part of a report, with the reader, simulator and checks of `weir run`, but
// without files and threads. A worker of the playground calls it. `last-run.ts` computes later what no chart needs.
import type { Driver } from "../../lab/drivers/driver.ts";
import { many } from "../../kit/reading/legible.ts";
import { formatWithoutPlace } from "../../kit/reading/problem-line.ts";
import { readSource, type PositionedProblem } from "../../kit/reading/source.ts";
import { scenarioPart } from "../../lab/report/build/report-of.ts";
import type { ScenarioReport } from "../../lab/report/model.ts";
import { resultWithoutHistory, runsOf } from "../../lab/run/pipeline.ts";
import { countPlannedRequests } from "../../lab/scenario/plan/size.ts";
import { decode, SCENARIO_FILE } from "../../lab/scenario/read/decode.ts";
import { TooManyAttempts } from "../../lab/sim/recorder.ts";
import type { Scenario, Variant } from "../../lab/scenario/types.ts";
import type { Result } from "../../lab/scenario/verdict.ts";
import { answerPart } from "../answers/run.ts";
import { changeableLimits, type ChangeableLimit } from "./change-limit.ts";
import type { FormState } from "./form.ts";
import { formStateOf } from "./form-of-text.ts";
import { lastRun, type LastRun } from "./last-run.ts";
import { playHere, whyNotHere } from "./play-here.ts";
import { timelineEvents, type TimelineEvent } from "./timeline/events.ts";
import { laneNames } from "./timeline/lanes.ts";

export interface ScenarioText {
  readonly file: string; // as named in results and problems
  readonly text: string;
  readonly seed: number;
}

/** A problem at its position in the text. Lines and columns count from 1. */
export interface PlacedProblem extends Pick<PositionedProblem, "line" | "column" | "severity"> {
  readonly sentence: string;
}

/** The messages of a run in sequence; the last is `done` or `stopped`. */
export type RunMessage =
  | {
      readonly kind: "read";
      readonly problems: readonly PlacedProblem[];
      readonly variants: number;
      readonly limits: readonly ChangeableLimit[];
      readonly lanes: readonly string[]; // short names of the variants
      readonly events: readonly TimelineEvent[];
      readonly form: FormState | null; // the position of the form with this text
    }
  | { readonly kind: "ran"; readonly variants: number }
  | { readonly kind: "done"; readonly report: ScenarioReport }
  | { readonly kind: "stopped"; readonly why: string | null }; // null if problems are the reason

/** The maximum number of requests in a run, because the memory of one tab has to hold histories and checks. */
const MOST_REQUESTS = 2_000_000;

/** A driver for this thread. All variants together send at most this number of requests, retries included. */
function inThisThread(mostRequests: number): Pick<Driver, "apply"> {
  let left = mostRequests;
  return {
    apply: (variant) =>
      Promise.resolve({
        play: async (plan) => {
          const history = await playHere(variant, { ...plan, mostAttempts: left });
          left -= history.requests.length;
          return history;
        },
        close: () => Promise.resolve(),
      }),
  };
}

/** Yields the messages of a run. Returns the run for later explanations and digests; null if nothing ran. */
export async function* runScenario(
  { file, text, seed }: ScenarioText,
  mostRequests = MOST_REQUESTS,
): AsyncGenerator<RunMessage, LastRun | null, undefined> {
  const { scenario, problems } = decode(file, text);
  const source = readSource(file, text, SCENARIO_FILE);
  yield {
    kind: "read",
    problems: problems.map((problem) => ({
      line: problem.line,
      column: problem.column,
      severity: problem.severity,
      sentence: formatWithoutPlace(problem),
    })),
    variants: scenario?.variants.length ?? 0,
    limits: scenario === null ? [] : changeableLimits(scenario),
    lanes: laneNames(scenario?.variants ?? []),
    events: timelineEvents(source),
    form: formStateOf(text, source),
  };
  const why = scenario === null ? null : tooLarge(scenario, mostRequests);
  if (scenario === null || why !== null) {
    yield { kind: "stopped", why };
    return null;
  }
  try {
    return yield* runVariants(scenario, text, seed, mostRequests);
  } catch (error) {
    if (!(error instanceof TooManyAttempts)) throw error;
    yield { kind: "stopped", why: tooManyRetries(scenario, mostRequests) };
    return null;
  }
}

async function* runVariants(
  scenario: Scenario,
  text: string,
  seed: number,
  mostRequests: number,
): AsyncGenerator<RunMessage, LastRun, undefined> {
  const part = scenarioPart(scenario, scenario.variants, text, { explainsRefusals: false });
  const last = lastRun(scenario, seed);
  const results: Result[] = [];
  // Variants that cannot run are also excluded from comparisons.
  const isPlayable = (variant: Variant): boolean => whyNotHere(variant) === null;
  const playable: Scenario = { ...scenario, variants: scenario.variants.filter(isPlayable) };
  const runs = runsOf(playable, playable.variants, seed, inThisThread(mostRequests));
  for (const variant of scenario.variants) {
    const whyNot = whyNotHere(variant);
    if (whyNot === null) {
      const { value: run } = await runs.next();
      if (run === undefined) throw new Error(`${scenario.id}: ${variant.name} was not run`);
      part.add(run);
      last.add(run);
      results.push(run.result);
    } else {
      const result = resultWithoutHistory({ driver: "virtual", seed }, scenario, variant);
      part.add({ variant, history: null, result: { ...result, unsupported: [whyNot] } });
      last.add({ variant, history: null, result });
      results.push(result);
    }
    yield { kind: "ran", variants: last.length() };
  }
  yield { kind: "done", report: answerPart(part.end(), results) };
  return last;
}

const number = (value: number): string => value.toLocaleString("en-US");

const countPlanned = ({ variants }: Scenario): number =>
  Math.round(variants.map(countPlannedRequests).reduce((sum, each) => sum + each, 0));

const inVariants = ({ variants: { length } }: Scenario): string =>
  length === 1 ? "" : ` in ${many(length, "variant")}`;

/** Why a page cannot run the scenario. Checked before the run, which would use up the page's memory. */
function tooLarge(scenario: Scenario, most: number): string | null {
  const planned = countPlanned(scenario);
  return planned <= most
    ? null
    : `This scenario sends ${number(planned)} requests${inVariants(scenario)}, and a page runs at most ${number(most)}. Send less (lower the burst or the rate, or shorten the flow), or run it with weir run.`;
}

const tooManyRetries = (scenario: Scenario, most: number): string =>
  `The run was stopped: the ${number(countPlanned(scenario))} requests${inVariants(scenario)} became more than ${number(most)} with their retries, and a page runs no more. Let refused clients wait longer or give up sooner (behaviour: a longer base, a smaller maxAttempts), send less, or run it with weir run.`;
