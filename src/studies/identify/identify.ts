// Identifies the behaviour of a limit from outside: a first refusal and a first recovery, suspects with round numbers, and
// then one experiment after the other, each chosen by the suspects that are left.
import { rng, type Rng } from "../../kit/chance/rng.ts";
import { SECOND } from "../../kit/units.ts";
import {
  classOf,
  intervalUsOf,
  isSameBehaviour,
  restUsOf,
  type BehaviourName,
  type LimitBehaviour,
} from "./behaviour.ts";
import { isRound } from "./candidates.ts";
import {
  chooseExperiment,
  confirmation,
  durationUsOf,
  groupsOf,
  overlappingBurst,
  requestsOf,
  type Experiment,
} from "./experiment.ts";
import {
  NOTHING_COUNTED,
  planAspects,
  readAspects,
  type CountedBy,
  type CountedByFindings,
} from "./counted-by.ts";
import { aroundItsEnd, aroundItsRecovery, hasSharpEdge } from "./sharp-experiment.ts";
import { describeFindings, findLimit, searchSuspects } from "./first-findings.ts";
import { Prober, type IdentifyCaps, type IdentifyStep } from "./prober.ts";
import { isFailure } from "../../kit/reading/failure.ts";
import { NO_RESPONSE, STOPPED } from "./silence.ts";
import { type ProbeTiming } from "./evidence.ts";
import { needsOvershoot, slackUs, type Suspect } from "./suspect.ts";
import type { ProbeTarget } from "./target.ts";

export interface Identification {
  readonly behaviour: LimitBehaviour | null; // null: undecided
  /** Others that differ from it in a detail, which no experiment within the caps showed. */
  readonly alike: readonly LimitBehaviour[];
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

/** Bursts without an overshoot, after which a log counts as exact. */
const ENOUGH_BURSTS = 3;
const CONFIRMATIONS = 4;
const NOTHING_FITS = "no known behaviour with round numbers fits";
const TOO_SLOW = "requests wait in a queue for longer than responses are waited for";
const ATTEMPTS = 3;
/** A bucket that admits again soon may be full only much later. */
const LEAST_REST_US = 10 * SECOND;
const MOST_IDLE = 20;
/** What as many experiments in a row have not separated, the next one would separate by chance. */
const MOST_IN_VAIN = 20;
const MOST_SEARCHES = 3;
const MOST_VAGUE = 12;
const CAPACITY_DOUBT = 3;

export class Identifier {
  readonly #prober: Prober;
  readonly #random: Rng;
  #longestRestUs = 0;

  constructor(
    target: ProbeTarget,
    caps: IdentifyCaps,
    seed: number,
    report: (step: IdentifyStep) => void = () => undefined,
  ) {
    this.#random = rng(seed, "identify");
    this.#prober = new Prober(target, caps, this.#random, report);
  }

  /** `aspects`: those in which the target can send requests of a second kind. */
  async identify(aspects: readonly (keyof CountedBy)[]): Promise<Identification> {
    const found = await this.#identify();
    if (found.behaviour === null || aspects.length === 0) return found;
    const countedBy = await this.#findAspects(found.behaviour, aspects);
    return { ...found, ...this.#prober.spent, countedBy };
  }

  async #findAspects(
    behaviour: LimitBehaviour,
    aspects: readonly (keyof CountedBy)[],
  ): Promise<CountedByFindings> {
    const { target, timing, budget } = this.#prober;
    const plan = planAspects(behaviour, aspects, target.nowUs(), timing);
    if (plan === null) return NOTHING_COUNTED;
    const requests = plan.groups.reduce((sum, { count }) => sum + count, 0);
    if (requests > budget.requests || plan.restUs > budget.us) return NOTHING_COUNTED;
    const probed = await target.send(plan.groups);
    this.#prober.record("other senders after the limit is used up", probed, 1);
    return readAspects(aspects, plan, probed);
  }

  async #identify(): Promise<Identification> {
    const prober = this.#prober;
    let restUntilUs = 0;
    let seen = "";
    for (let attempt = 0; attempt < ATTEMPTS; attempt++) {
      const first = prober.steps.length;
      const findings = await findLimit(prober, restUntilUs);
      if (isFailure(findings)) return this.#conclude(findings.message);
      seen ||= describeFindings(findings);
      const search = searchSuspects(prober, findings, first);
      const isWide = attempt > 0;
      prober.suspects = search({ isWide });
      if (prober.suspects.length === 0) prober.suspects = search({ isWide, isThorough: true });
      const why = await this.#separate(() => search({ isWide: true }));
      if (why !== NOTHING_FITS) return this.#conclude(why);
      // The true one was excluded by mistake, or has times of its own. Another try needs a limit that is as at first.
      const restUs = Math.max(
        2.5 * Math.max(findings.recoveredUs, this.#longestRestUs),
        LEAST_REST_US * (attempt + 1),
      );
      if (restUs > prober.budget.us) break;
      restUntilUs = prober.target.nowUs() + restUs;
    }
    return this.#conclude(`${NOTHING_FITS}; ${seen}`);
  }

  /** Empty: one is named. `searchAgain`: all that the responses allow, also what was excluded by mistake. */
  async #separate(searchAgain: () => readonly Suspect[]): Promise<string> {
    const prober = this.#prober;
    let confirmed = 0;
    let idle = 0;
    let inVain = 0;
    let searches = 0;
    let vague = 0;
    for (;;) {
      prober.suspects = withoutLoose(prober.suspects);
      const suspects = withoutVague(prober.suspects);
      const [first] = suspects;
      if (suspects.length > 0)
        this.#longestRestUs = Math.max(...suspects.map(({ behaviour }) => restUsOf(behaviour)));
      if (first === undefined) return NOTHING_FITS;
      const isAlone = suspects.every(({ behaviour }) =>
        isSameBehaviour(behaviour, first.behaviour),
      );
      if (isAlone && confirmed >= CONFIRMATIONS && !needsOvershoot(first)) {
        const known = prober.suspects;
        const others =
          ++searches > MOST_SEARCHES
            ? []
            : searchAgain().filter((each) => !isAnyOf(known, each) && !needsOvershoot(each));
        if (others.length === 0) return this.#whyUnnamed(first);
        prober.suspects = [...known, ...others];
        continue;
      }
      const isStuck = !isAlone && inVain >= MOST_IN_VAIN;
      const experiment = isStuck ? null : this.#nextExperiment(suspects, isAlone, confirmed);
      if (experiment === null) {
        if (!isStuck && ++idle <= MOST_IDLE) continue;
        if (isAlone) return NOT_CONFIRMED;
        return this.#chooseRoundest() || differInDetail(suspects)
          ? this.#whyUnnamed(first)
          : "no experiment within the caps separates the rest";
      }
      const startUs = prober.target.nowUs() + 1_000;
      const probed = await prober.send(experiment.title, groupsOf(experiment, startUs));
      if (isFailure(probed)) return probed.message;
      inVain = withoutVague(prober.suspects).length < suspects.length ? 0 : inVain + 1;
      if (!isAlone) confirmed = 0;
      else if (!prober.suspects.every((each) => hasSharpEdge(each, prober.timing))) {
        if (++vague > MOST_VAGUE) return NOT_CONFIRMED;
      } else if (!prober.silence.isNow) confirmed++;
    }
  }

  #whyUnnamed(suspect: Suspect): string {
    if (isTooSlow(suspect, this.#prober.target.patienceUs)) return TOO_SLOW;
    if (isTooFast(suspect, this.#prober.timing)) return TOO_FAST;
    return this.#prober.silence.isNow ? STOPPED : "";
  }

  /** Where counts are only known to one or two, and all else is the same, a limit is the round number. */
  #chooseRoundest(): boolean {
    const suspects = withoutVague(this.#prober.suspects);
    const [first] = suspects;
    const { name, spanUs } = first!.behaviour;
    const isSameButForCapacity = suspects.every(
      ({ behaviour }) =>
        isSameBehaviour({ ...behaviour, capacity: 1 }, { name, capacity: 1, spanUs }) &&
        Math.abs(behaviour.capacity - first!.behaviour.capacity) <= CAPACITY_DOUBT,
    );
    const round = suspects.filter(({ behaviour }) => isRound(behaviour));
    if (!isSameButForCapacity || round.length !== 1) return false;
    this.#prober.suspects = round;
    return true;
  }

  #nextExperiment(
    suspects: readonly Suspect[],
    isAlone: boolean,
    confirmed: number,
  ): Experiment | null {
    const { budget, timing, target } = this.#prober;
    const nowUs = target.nowUs() + 1_000;
    const isAffordable = (experiment: Experiment): boolean =>
      requestsOf(experiment) <= budget.requests && durationUsOf(experiment) <= budget.us;
    if (isAlone) {
      const suspect = suspects[0]!;
      // Windows with times of their own may explain the same so far: only at its end do they differ.
      const isAtItsEnd = PRECISE.has(suspect.behaviour.name) && confirmed === 0;
      const experiment = needsOvershoot(suspect)
        ? overlappingBurst(suspect)
        : isAtItsEnd
          ? aroundItsEnd(suspect, { nowUs, timing })
          : confirmed % 2 === 0
            ? aroundItsRecovery(suspect, { nowUs, timing }, this.#random)
            : confirmation(suspect, { nowUs, timing }, this.#random);
      return isAffordable(experiment) ? experiment : null;
    }
    const chosen = chooseExperiment(suspects, { nowUs, budget, timing }, this.#random);
    if (chosen !== null) return chosen;
    // Refusals show how long the network takes.
    const loose =
      suspects.find(needsOvershoot) ?? (this.#prober.knowsSpread ? undefined : suspects[0]);
    const burst = loose === undefined ? null : overlappingBurst(loose);
    return burst !== null && isAffordable(burst) ? burst : null;
  }

  #conclude(why: string): Identification {
    const { steps, timing, spent } = this.#prober;
    const suspects = withoutVague(this.#prober.suspects);
    const [first] = suspects;
    const isNamed = why === "" && first !== undefined;
    const left = distinct(suspects.map(({ behaviour }) => behaviour));
    return {
      behaviour: isNamed ? first.behaviour : null,
      alike: isNamed ? distinct([...left, ...indistinctOf(first.behaviour, timing)]).slice(1) : [],
      left: left.slice(0, 12),
      why,
      steps,
      ...spent,
      countedBy: NOTHING_COUNTED,
      isSilent: why === NO_RESPONSE || why === STOPPED,
      timing,
      exactBursts: first?.exactBursts ?? 0,
    };
  }
}

/** Of a queue that empties sooner than the network delays, nothing shows that requests wait. */
const isTooFast = ({ behaviour }: Suspect, timing: ProbeTiming): boolean =>
  behaviour.name === "queue" && (behaviour.capacity - 1) * behaviour.spanUs < 2 * slackUs(timing);

const TOO_FAST = "requests wait in a queue, or the network is as slow";

const NOT_CONFIRMED = "one behaviour is left, and the caps leave no room to confirm it";

/** Others whose difference is shorter than what times are known to, whichever of them the responses left. */
function indistinctOf(
  behaviour: LimitBehaviour,
  { tripUs }: ProbeTiming,
): readonly LimitBehaviour[] {
  const intervalUs = intervalUsOf(behaviour);
  const { name } = behaviour;
  const others = (names: readonly BehaviourName[]): readonly LimitBehaviour[] =>
    names.includes(name) ? names.map((each) => ({ ...behaviour, name: each })) : [];
  return [
    ...(intervalUs < 2 * tripUs ? others(["two_windows", "rounded_windows"]) : []),
    ...(intervalUs < 2 * tripUs ? others(["bucket", "whole_bucket"]) : []),
  ];
}

const distinct = (behaviours: readonly LimitBehaviour[]): readonly LimitBehaviour[] =>
  behaviours.filter(
    (each, index) => behaviours.findIndex((other) => isSameBehaviour(other, each)) === index,
  );

/** Nothing is seen of a queue in which even the next request waits for longer than the client. */
const isTooSlow = ({ behaviour: { name, spanUs } }: Suspect, patienceUs: number): boolean =>
  name === "queue" && spanUs > 0.9 * patienceUs;

/** A loose log that had its chances to admit too many, and never did, is an exact one. */
const withoutLoose = (suspects: readonly Suspect[]): readonly Suspect[] =>
  suspects.filter((suspect) => !needsOvershoot(suspect) || suspect.exactBursts < ENOUGH_BURSTS);

/** Windows with times of their own explain whatever windows with known times do: those are left. */
const withoutVague = (suspects: readonly Suspect[]): readonly Suspect[] =>
  suspects.filter(
    ({ behaviour }) =>
      behaviour.name !== "shifted_window" ||
      !suspects.some(
        (other) =>
          PRECISE.has(other.behaviour.name) &&
          isSameBehaviour({ ...other.behaviour, name: behaviour.name }, behaviour),
      ),
  );

const isAnyOf = (suspects: readonly Suspect[], { behaviour }: Suspect): boolean =>
  suspects.some((each) => isSameBehaviour(each.behaviour, behaviour));

const PRECISE: ReadonlySet<string> = new Set(["clock_window", "key_window"]);

/** The same algorithm, numbers and windows, so that a detail is left open. */
const differInDetail = (suspects: readonly Suspect[]): boolean => {
  const first = suspects[0]!.behaviour;
  const kind = classOf(first);
  return suspects.every(({ behaviour }) => {
    const { algorithms, windows } = classOf(behaviour);
    return (
      algorithms[0] === kind.algorithms[0] &&
      windows === kind.windows &&
      isSameBehaviour({ ...behaviour, name: first.name }, first)
    );
  });
};
