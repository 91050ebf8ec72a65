// Sends experiments to a target within the caps. Collects their steps, the delays of the network and the remaining
// suspects.
import type { Rng } from "../../kit/chance/rng.ts";
import { Failure } from "../../kit/reading/failure.ts";
import type { LimitBehaviour } from "./behaviour.ts";
import type { ProbeBudget } from "./experiment.ts";
import { Silence } from "./silence.ts";
import { evidenceOf, quantile, type ProbeTiming } from "./evidence.ts";
import { isExclusion, withoutUnexplained, withResponses, type Suspect } from "./suspect.ts";
import type { ProbedGroup, ProbeGroup, ProbeResponse, ProbeTarget } from "./target.ts";

export interface IdentifyCaps {
  readonly requests: number;
  readonly durationUs: number;
}

export interface IdentifyStep {
  readonly title: string;
  readonly groups: readonly ProbedGroup[];
  readonly suspects: number; // suspects left after the step
}

export const responsesOf = (steps: readonly IdentifyStep[]): readonly ProbeResponse[] =>
  steps.flatMap(({ groups }) => groups).flatMap(({ responses }) => responses);

/** The admitted and the refused responses, sorted by the times at which their requests were sent. */
export const listDecided = (responses: readonly ProbeResponse[]): readonly ProbeResponse[] =>
  responses
    .filter(({ outcome }) => outcome === "admitted" || outcome === "refused")
    .toSorted((a, b) => a.sentUs - b.sentUs);

interface ExclusionOptions {
  readonly isThorough?: boolean; // tries more draws for each suspect
  readonly ruledOut?: Set<LimitBehaviour>; // receives the behaviours that are excluded for certain
}

export const NO_TIME = "no time is left";
export const INTERRUPTED = "it was interrupted";
export const NO_REQUESTS = "too few requests are left";

/** The clocks of client and server are assumed to agree within this. */
const CLOCK_US = 20_000;
const FEW_SUSPECTS = 24;
/** With fewer refusals than this, an assumed spread of trips is used. */
const ENOUGH_PROMPT = 20;
const FIRST_SPREAD_US = 20_000;
const FEW_TRIPS = 5;
/** From this many responses on, the slowest one sets how long to wait: a queue would already have delayed one. */
const FEW_KNOWN = 4;
const SHORTEST_PATIENCE_US = 100_000;
const LOST_TRIPS = 10;

/** A timer may fire early by this much. Together with `START_US`, the time is over 3 ms before the cap. */
const TIMER_US = 2_000;

/** An experiment starts this long after it is chosen. The times of its bursts count from there. */
const START_US = 1_000;

export class Prober {
  readonly steps: IdentifyStep[] = [];
  readonly target: ProbeTarget;
  readonly silence: Silence;
  suspects: readonly Suspect[] = [];
  timing: ProbeTiming = {
    tripUs: 0,
    workUs: 0,
    spreadUs: 0,
    lateUs: 0,
    clockUs: CLOCK_US,
    patienceUs: 0,
  };
  readonly #caps: IdentifyCaps;
  readonly #random: Rng;
  readonly #report: (step: IdentifyStep) => void;
  readonly #startUs: number;
  readonly #admitted: number[] = []; // response times of admitted requests
  readonly #prompt: number[] = []; // response times of refused requests, which no queue delays
  readonly #late: number[] = []; // how long after its planned time each group was sent
  #longestUs = 0;
  #requests = 0;

  constructor(
    target: ProbeTarget,
    caps: IdentifyCaps,
    random: Rng,
    report: (step: IdentifyStep) => void,
  ) {
    this.target = target;
    this.silence = new Silence(target.patienceUs);
    this.#caps = caps;
    this.#random = random;
    this.#report = report;
    this.#startUs = target.nowUs();
  }

  get spent(): { readonly requests: number; readonly durationUs: number } {
    return { requests: this.#requests, durationUs: this.target.nowUs() - this.#startUs };
  }

  /** Whether the spread of network delays is known. Before, they cannot be distinguished from a queue's delays. */
  get knowsSpread(): boolean {
    return this.#prompt.length >= ENOUGH_PROMPT;
  }

  /** When an experiment that is chosen now starts. */
  get startUs(): number {
    return this.target.nowUs() + START_US;
  }

  /** What the caps leave for the next experiment, from its start on. */
  get budget(): ProbeBudget {
    const { requests, durationUs } = this.spent;
    return {
      requests: this.#caps.requests - requests,
      us: this.#caps.durationUs - durationUs - START_US,
    };
  }

  /** Whether the time is over. Searches read this too, because they take long on a busy machine. */
  isOver(): boolean {
    return this.budget.us <= 0;
  }

  /** Whether the caps allow all requests of these groups, until the time of the last one. */
  canSend(groups: readonly ProbeGroup[]): boolean {
    const { budget, startUs } = this;
    const requests = groups.reduce((sum, { count }) => sum + count, 0);
    const lastUs = Math.max(...groups.map((each) => each.atUs + (each.count - 1) * each.everyUs));
    return requests <= budget.requests && lastUs - startUs <= budget.us;
  }

  /** Sends an experiment and removes excluded suspects. Fails if the time ends, on a stop, or if the target dies. */
  async send(
    title: string,
    groups: readonly ProbeGroup[],
  ): Promise<readonly ProbedGroup[] | Failure> {
    const patienceUs = this.#patienceUs();
    const probed = await this.target.send(groups.map((each) => ({ ...each, patienceUs })));
    // When the time ends, the target cuts off responses, so missing responses were not lost by the network.
    const isOver = this.budget.us <= TIMER_US;
    if (isOver || probed.some(({ count, responses }) => responses.length < count)) {
      this.record(title, probed, this.suspects.length);
      return new Failure(isOver ? NO_TIME : INTERRUPTED);
    }
    this.timing = this.#measureTiming(probed);
    this.suspects = this.exclude(this.suspects, probed);
    this.record(title, probed, this.suspects.length);
    return this.silence.findFailure(probed.flatMap(({ responses }) => responses)) ?? probed;
  }

  /** How long to wait for a response. If all were fast, there is no queue, so a much later one is considered lost. */
  #patienceUs(): number {
    const known = this.#admitted.length + this.#prompt.length;
    const { patienceUs } = this.target;
    if (known < FEW_KNOWN) return patienceUs;
    const trips = known < ENOUGH_PROMPT ? 3 * LOST_TRIPS : LOST_TRIPS;
    return Math.min(patienceUs, SHORTEST_PATIENCE_US + trips * this.#longestUs);
  }

  /** Returns the suspects that these responses allow. */
  exclude(
    suspects: readonly Suspect[],
    probed: readonly ProbedGroup[],
    { isThorough = false, ruledOut }: ExclusionOptions = {},
  ): readonly Suspect[] {
    const evidence = evidenceOf(probed, this.timing, this.#random);
    const thoroughness = isThorough || suspects.length <= FEW_SUSPECTS ? "thorough" : "usual";
    const left = suspects.flatMap((suspect) => {
      const next = withResponses(suspect, evidence, this.timing, this.#random, thoroughness);
      if (isExclusion(next) && next.isCertain) ruledOut?.add(suspect.behaviour);
      return isExclusion(next) ? [] : next;
    });
    return withoutUnexplained(left);
  }

  record(title: string, groups: readonly ProbedGroup[], suspects: number): void {
    this.#requests += groups.reduce((sum, { responses }) => sum + responses.length, 0);
    const step = { title, groups, suspects };
    this.steps.push(step);
    this.#report(step);
  }

  /** Estimates the usual trip by the fastest tenth of responses, because others may be delayed. */
  #measureTiming(probed: readonly ProbedGroup[]): ProbeTiming {
    for (const { responses, atUs } of probed) {
      const sentUs = Math.min(...responses.map((each) => each.sentUs));
      this.#late.push(Math.max(0, sentUs - atUs));
      for (const { outcome, sentUs, receivedUs } of responses)
        if (outcome !== "lost") this.#longestUs = Math.max(this.#longestUs, receivedUs - sentUs);
      for (const { outcome, sentUs, receivedUs } of responses.slice(0, 40)) {
        if (outcome === "refused") this.#prompt.push(receivedUs - sentUs);
        if (outcome === "admitted") this.#admitted.push(receivedUs - sentUs);
      }
    }
    const [promptUs, admittedUs] = [quantile(this.#prompt, 0.1), quantile(this.#admitted, 0.1)];
    const isKnown = this.#prompt.length >= FEW_TRIPS && this.#admitted.length >= FEW_TRIPS;
    const tripUs = isKnown ? Math.min(promptUs, admittedUs) : promptUs || admittedUs;
    const spreadUs =
      this.#prompt.length < ENOUGH_PROMPT
        ? FIRST_SPREAD_US + 2 * tripUs
        : quantile(this.#prompt, 0.99) - tripUs;
    const workUs = isKnown ? Math.max(0, admittedUs - tripUs) : 0;
    const lateUs = quantile(this.#late, 0.9);
    const { patienceUs } = this.target;
    return { tripUs, workUs, spreadUs, lateUs, clockUs: CLOCK_US, patienceUs };
  }
}
