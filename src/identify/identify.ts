// Identifies the behaviour of a limit from outside: a first refusal and a first recovery, suspects with round numbers, and
// then one experiment after the other, each chosen by the suspects that are left.
import { rng, type Rng } from "../chance/rng.ts";
import { isSameBehaviour, restUsOf, type LimitBehaviour } from "./behaviour.ts";
import { candidatesOf, isRound, type FirstFindings } from "./candidates.ts";
import {
  chooseExperiment,
  confirmation,
  durationUsOf,
  groupsOf,
  overlappingBurst,
  requestsOf,
  type Experiment,
  type ProbeBudget,
} from "./experiment.ts";
import {
  NOTHING_COUNTED,
  planAspects,
  readAspects,
  type CountedBy,
  type CountedByFindings,
} from "./counted-by.ts";
import { Failure, isFailure } from "../reading/failure.ts";
import { NO_RESPONSE, Silence, STOPPED } from "./silence.ts";
import {
  createSuspect,
  evidenceOf,
  needsOvershoot,
  quantile,
  withResponses,
  type ProbeTiming,
  type Suspect,
} from "./suspect.ts";
import {
  countOf,
  FIRST_SENDER,
  type ProbedGroup,
  type ProbeGroup,
  type ProbeTarget,
} from "./target.ts";

export interface IdentifyCaps {
  readonly requests: number;
  readonly durationUs: number;
}

export interface IdentifyStep {
  readonly title: string;
  readonly groups: readonly ProbedGroup[];
  readonly suspects: number; // left after it
}

export interface Identification {
  readonly behaviour: LimitBehaviour | null; // null: undecided
  /** Those that the responses allow, at most a few. */
  readonly left: readonly LimitBehaviour[];
  readonly why: string;
  readonly steps: readonly IdentifyStep[];
  readonly requests: number;
  readonly durationUs: number;
  readonly timing: ProbeTiming;
  readonly exactBursts: number;
  readonly countedBy: CountedByFindings;
  /** It ended because the target does not respond, or no longer. */
  readonly isSilent: boolean;
}

/** Within this the clocks of client and server agree. */
const CLOCK_US = 20_000;
const GROWTH = 3;
const FIRST_WAIT_US = 20_000;
const WAIT_GROWTH = 1.5;
/** Bursts without an overshoot, after which a log counts as exact. */
const ENOUGH_BURSTS = 3;
const CONFIRMATIONS = 2;
const NOTHING_FITS = "no known behaviour fits";
const TOO_SLOW = "requests wait in a queue for longer than responses are waited for";
const ATTEMPTS = 3;
const FEW_SUSPECTS = 24;
const MOST_IDLE = 8;
const CAPACITY_DOUBT = 3;
/** Before as many refusals, the spread of the trips is assumed. */
const ENOUGH_PROMPT = 20;
const FIRST_SPREAD_US = 20_000;

export class Identifier {
  readonly steps: IdentifyStep[] = [];
  readonly #startUs: number;
  #requests = 0;
  #suspects: readonly Suspect[] = [];
  readonly #target: ProbeTarget;
  readonly #caps: IdentifyCaps;
  readonly #random: Rng;
  readonly #silence: Silence;
  readonly #report: (step: IdentifyStep) => void;

  constructor(
    target: ProbeTarget,
    caps: IdentifyCaps,
    seed: number,
    report: (step: IdentifyStep) => void = () => undefined,
  ) {
    this.#target = target;
    this.#silence = new Silence(target.patienceUs);
    this.#caps = caps;
    this.#random = rng(seed, "identify");
    this.#report = report;
    this.#startUs = target.nowUs();
  }

  get budget(): ProbeBudget {
    return {
      requests: this.#caps.requests - this.#requests,
      us: this.#caps.durationUs - (this.#target.nowUs() - this.#startUs),
    };
  }

  /** `aspects`: those in which the target can send requests of a second kind. */
  async identify(aspects: readonly (keyof CountedBy)[]): Promise<Identification> {
    const found = await this.#identify();
    if (found.behaviour === null || aspects.length === 0) return found;
    const countedBy = await this.#findAspects(found.behaviour, aspects);
    return { ...found, ...this.#spent, countedBy };
  }

  async #findAspects(
    behaviour: LimitBehaviour,
    aspects: readonly (keyof CountedBy)[],
  ): Promise<CountedByFindings> {
    const plan = planAspects(behaviour, aspects, this.#target.nowUs(), this.#timing);
    if (plan === null) return NOTHING_COUNTED;
    const requests = plan.groups.reduce((sum, { count }) => sum + count, 0);
    if (requests > this.budget.requests || plan.restUs > this.budget.us) return NOTHING_COUNTED;
    const probed = await this.#target.send(plan.groups);
    this.#record("other senders after the limit is used up", probed, 1);
    return readAspects(aspects, plan, probed);
  }

  get #spent(): Pick<Identification, "requests" | "durationUs"> {
    return { requests: this.#requests, durationUs: this.#target.nowUs() - this.#startUs };
  }

  async #identify(): Promise<Identification> {
    for (let attempt = 0; attempt < ATTEMPTS; attempt++) {
      const findings = await this.#findLimit();
      if (isFailure(findings)) return this.#conclude(findings.message);
      const why = await this.#separate();
      if (why !== NOTHING_FITS) return this.#conclude(why);
      // The true one was excluded by mistake. Another try needs a limit that is as at first.
      const restUs = 2.5 * Math.max(findings.recoveredUs, this.#longestRestUs);
      if (restUs > this.budget.us) break;
      this.#restUntilUs = this.#target.nowUs() + restUs;
    }
    return this.#conclude(NOTHING_FITS);
  }

  /** Sends, and drops the suspects that the responses exclude. A failure: the target decides nothing more. */
  async #send(
    title: string,
    groups: readonly ProbeGroup[],
  ): Promise<readonly ProbedGroup[] | Failure> {
    const probed = await this.#target.send(groups);
    if (probed.some(({ count, responses }) => responses.length < count)) {
      this.#record(title, probed, this.#suspects.length);
      return new Failure("interrupted");
    }
    const timing = (this.#timing = this.measureTiming(probed));
    const evidence = evidenceOf(probed, timing, this.#random);
    const isOfFew = this.#suspects.length <= FEW_SUSPECTS;
    this.#suspects = this.#suspects.flatMap(
      (suspect) => withResponses(suspect, evidence, timing, this.#random, isOfFew) ?? [],
    );
    this.#record(title, probed, this.#suspects.length);
    return this.#silence.findFailure(probed.flatMap(({ responses }) => responses)) ?? probed;
  }

  #record(title: string, groups: readonly ProbedGroup[], suspects: number): void {
    this.#requests += groups.reduce((sum, { responses }) => sum + responses.length, 0);
    const step = { title, groups, suspects };
    this.steps.push(step);
    this.#report(step);
  }

  #restUntilUs = 0;
  #longestRestUs = 0;
  #timing: ProbeTiming = { tripUs: 0, spreadUs: 0, clockUs: CLOCK_US, patienceUs: 0 };
  readonly #trips: number[] = [];
  readonly #prompt: number[] = []; // of refused requests, which nothing delays

  /** A tenth of the responses is faster, and delayed ones are slower. */
  measureTiming(probed: readonly ProbedGroup[]): ProbeTiming {
    for (const { responses } of probed)
      for (const { outcome, sentUs, receivedUs } of responses.slice(0, 40)) {
        if (outcome === "refused") this.#prompt.push(receivedUs - sentUs);
        if (outcome === "admitted" || outcome === "refused") this.#trips.push(receivedUs - sentUs);
      }
    const tripUs = quantile(this.#trips, 0.1);
    const spreadUs =
      this.#prompt.length < ENOUGH_PROMPT
        ? FIRST_SPREAD_US + 2 * tripUs
        : quantile(this.#prompt, 0.99) - tripUs;
    return { tripUs, spreadUs, clockUs: CLOCK_US, patienceUs: this.#target.patienceUs };
  }

  /** Ever larger bursts until one is refused, ever longer waits until one is admitted. */
  async #findLimit(): Promise<FirstFindings | Failure> {
    const first = this.steps.length;
    let [admitted, unknown, size] = [0, 0, 1];
    const startUs = Math.max(this.#target.nowUs(), this.#restUntilUs);
    let blockedAtUs: number;
    for (;;) {
      if (size > this.budget.requests || this.budget.us <= 0)
        return new Failure(`no limit within ${admitted} requests`);
      const atUs = Math.max(this.#target.nowUs(), this.#restUntilUs);
      const probed = await this.#send("more at once", [
        { atUs, count: size, everyUs: 0, sender: FIRST_SENDER },
      ]);
      if (isFailure(probed)) return probed;
      const [group] = probed;
      unknown += countOf(group!, "lost");
      admitted += countOf(group!, "admitted");
      blockedAtUs = Math.min(...group!.responses.map(({ sentUs }) => sentUs));
      if (countOf(group!, "refused") > 0) break;
      if (countOf(group!, "lost") < group!.count) size *= GROWTH;
    }
    const growingUs = this.#target.nowUs() - startUs;
    let [waitUs, blockedUs] = [FIRST_WAIT_US, 0];
    for (;;) {
      const atUs = Math.max(this.#target.nowUs(), blockedAtUs + waitUs);
      if (atUs - this.#target.nowUs() > this.budget.us || this.budget.requests < 2)
        return new Failure(
          `refused, and not admitted again within ${Math.round(blockedUs / 1e6)} s`,
        );
      const probed = await this.#send("a longer wait", [
        { atUs, count: 1, everyUs: 0, sender: FIRST_SENDER },
      ]);
      if (isFailure(probed)) return probed;
      const [response] = probed[0]!.responses;
      if (response!.outcome === "admitted") break;
      if (response!.outcome === "refused") blockedUs = response!.sentUs - blockedAtUs;
      waitUs = Math.max(waitUs, this.#target.nowUs() - blockedAtUs) * WAIT_GROWTH;
    }
    const recoveredUs = this.#target.nowUs() - blockedAtUs;
    const mostAdmitted = admitted + unknown;
    const findings = { leastAdmitted: admitted, mostAdmitted, growingUs, blockedUs, recoveredUs };
    let suspects: readonly Suspect[] = candidatesOf(findings).map(createSuspect);
    for (const { groups } of this.steps.slice(first)) {
      const evidence = evidenceOf(groups, this.#timing, this.#random);
      suspects = suspects.flatMap(
        (suspect) => withResponses(suspect, evidence, this.#timing, this.#random) ?? [],
      );
    }
    this.#suspects = suspects;
    return findings;
  }

  async #separate(): Promise<string> {
    let confirmed = 0;
    let idle = 0;
    for (;;) {
      this.#suspects = withoutLoose(this.#suspects);
      const suspects = this.#suspects;
      const [first] = suspects;
      if (suspects.length > 0)
        this.#longestRestUs = Math.max(...suspects.map(({ behaviour }) => restUsOf(behaviour)));
      if (first === undefined) return NOTHING_FITS;
      const isAlone = suspects.every(({ behaviour }) =>
        isSameBehaviour(behaviour, first.behaviour),
      );
      if (isAlone && confirmed >= CONFIRMATIONS && !needsOvershoot(first))
        return this.#whyUnnamed(first);
      const experiment = this.#nextExperiment(suspects, isAlone);
      if (experiment === null) {
        if (++idle <= MOST_IDLE) continue;
        return this.#chooseRoundest()
          ? this.#whyUnnamed(first)
          : "no experiment within the caps separates the rest";
      }
      const startUs = this.#target.nowUs() + 1_000;
      const probed = await this.#send(experiment.title, groupsOf(experiment, startUs));
      if (isFailure(probed)) return probed.message;
      if (!isAlone) confirmed = 0;
      else if (!this.#silence.isNow) confirmed++;
    }
  }

  #whyUnnamed(suspect: Suspect): string {
    if (isTooSlow(suspect, this.#target.patienceUs)) return TOO_SLOW;
    return this.#silence.isNow ? STOPPED : "";
  }

  /** Where counts are only known to one or two, and all else is the same, a limit is the round number. */
  #chooseRoundest(): boolean {
    const [first] = this.#suspects;
    const { name, spanUs } = first!.behaviour;
    const isSameButForCapacity = this.#suspects.every(
      ({ behaviour }) =>
        isSameBehaviour({ ...behaviour, capacity: 1 }, { name, capacity: 1, spanUs }) &&
        Math.abs(behaviour.capacity - first!.behaviour.capacity) <= CAPACITY_DOUBT,
    );
    const round = this.#suspects.filter(({ behaviour }) => isRound(behaviour));
    if (!isSameButForCapacity || round.length !== 1) return false;
    this.#suspects = round;
    return true;
  }

  #nextExperiment(suspects: readonly Suspect[], isAlone: boolean): Experiment | null {
    const { budget } = this;
    const nowUs = this.#target.nowUs() + 1_000;
    const timing = this.#timing;
    const isAffordable = (experiment: Experiment): boolean =>
      requestsOf(experiment) <= budget.requests && durationUsOf(experiment) <= budget.us;
    if (isAlone) {
      const [suspect] = suspects;
      const experiment = needsOvershoot(suspect!)
        ? overlappingBurst(suspect!)
        : confirmation(suspect!, timing, this.#random);
      return isAffordable(experiment) ? experiment : null;
    }
    const chosen = chooseExperiment(suspects, { nowUs, budget, timing }, this.#random);
    if (chosen !== null) return chosen;
    const loose = suspects.find(needsOvershoot);
    const burst = loose === undefined ? null : overlappingBurst(loose);
    return burst !== null && isAffordable(burst) ? burst : null;
  }

  #conclude(why: string): Identification {
    const [first] = this.#suspects;
    const isNamed = why === "" && first !== undefined;
    return {
      behaviour: isNamed ? first.behaviour : null,
      left: this.#suspects.slice(0, 12).map(({ behaviour }) => behaviour),
      why,
      steps: this.steps,
      ...this.#spent,
      countedBy: NOTHING_COUNTED,
      isSilent: why === NO_RESPONSE || why === STOPPED,
      timing: this.#timing,
      exactBursts: first?.exactBursts ?? 0,
    };
  }
}

/** Nothing is seen of a queue in which even the next request waits for longer than the client. */
const isTooSlow = ({ behaviour: { name, spanUs } }: Suspect, patienceUs: number): boolean =>
  name === "queue" && spanUs > 0.9 * patienceUs;

/** A loose log that had its chances to admit too many, and never did, is an exact one. */
const withoutLoose = (suspects: readonly Suspect[]): readonly Suspect[] =>
  suspects.filter((suspect) => !needsOvershoot(suspect) || suspect.exactBursts < ENOUGH_BURSTS);
