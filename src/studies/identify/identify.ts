// Identifies the behaviour of a limit from outside: measures a refusal and a recovery, lists suspects for every shape,
// then sends experiments, each chosen to separate the remaining suspects.
import { rng, type Rng } from "../../kit/chance/rng.ts";
import { SECOND } from "../../kit/units.ts";
import { isPaced, restUsOf, type LimitBehaviour } from "./behaviour.ts";
import { groupsOf } from "./experiment.ts";
import { nextExperiment } from "./next-experiment.ts";
import {
  NOTHING_COUNTED,
  planAspects,
  readAspects,
  type CountedBy,
  type CountedByFindings,
} from "./counted-by.ts";
import { hasSharpEdge, isBeforeEnd, isEndUnseen } from "./sharp-experiment.ts";
import {
  COUNT_OPEN,
  countRangeOf,
  freeShapeOf,
  isCountOpen,
  isFlexible,
  isNeverUsedUp,
  isTooFast,
  isTooSlow,
  isVague,
  listAlike,
  MAY_BE_AT_RANDOM,
  MAY_BE_IN_FLIGHT,
  measureSpan,
  MOST_RANGE,
  NEVER_USED_UP,
  NOT_CONFIRMED,
  NUMBERS_OPEN,
  pickRoundest,
  settle,
  TOO_FAST,
  TOO_SLOW,
  widenSpan,
  withoutLoose,
  withoutVague,
} from "./naming.ts";
import { findSpecial, mayBeAtRandom, mayBeInFlight, type SpecialBehaviour } from "./special.ts";
import { describeFindings, describeRefusal, findLimit, isQueueTooLong } from "./first-findings.ts";
import { findClosest, type ClosestBehaviour } from "./closest.ts";
import { draftComposites } from "./composites.ts";
import { freeSpanOf } from "./fit.ts";
import { listRound } from "./round-numbers.ts";
import type { FirstFindings } from "./shapes.ts";
import { shapeOf, SuspectSearch } from "./suspect-search.ts";
import { NO_TIME, Prober, type IdentifyCaps, type IdentifyStep } from "./prober.ts";
import { isFailure } from "../../kit/reading/failure.ts";
import { NO_RESPONSE, STOPPED } from "./silence.ts";
import { doubtUs, type ProbeTiming } from "./evidence.ts";
import { needsOvershoot, withoutUnexplained, type Suspect } from "./suspect.ts";
import type { ProbeTarget } from "./target.ts";

export interface Identification {
  readonly behaviour: LimitBehaviour | null; // null: undecided, or `special` is set
  readonly special: SpecialBehaviour | null;
  /** Behaviours that differ from `behaviour` in a detail that no experiment within the caps showed. */
  readonly alike: readonly LimitBehaviour[];
  /** The remaining behaviours that the responses allow, at most 12. */
  readonly left: readonly LimitBehaviour[];
  /** If no known behaviour fits: those that differ least from the responses. */
  readonly closest: readonly ClosestBehaviour[];
  readonly why: string;
  readonly seen: string; // what the first requests showed; empty: no request was refused
  readonly steps: readonly IdentifyStep[];
  readonly requests: number;
  readonly durationUs: number;
  readonly timing: ProbeTiming;
  readonly exactBursts: number;
  readonly countedBy: CountedByFindings;
  /** The identification ended because the target does not respond, or stopped responding. */
  readonly isSilent: boolean;
}

const CONFIRMATIONS = 4;
const NOT_SEPARATED = "no experiment within the caps separates the remaining behaviours";
export const NOTHING_FITS = "no known behaviour fits the responses, with any numbers";
const WORTH_ANOTHER: ReadonlySet<string> = new Set([
  NOTHING_FITS,
  NOT_SEPARATED,
  NUMBERS_OPEN,
  MAY_BE_AT_RANDOM,
]);
const ATTEMPTS = 5;
const MOST_COMPOSED = 2;
/** The shortest rest before another attempt: a bucket that admits again soon may be full much later. */
const LEAST_REST_US = 10 * SECOND;
const MOST_IDLE = 20;
/** After this many experiments in a row without effect, the next one would separate suspects only by chance. */
const MOST_IN_VAIN = 20;
/** After this many experiments in a row without effect, some with overlapping requests are tried. */
const MANY_IN_VAIN = 4;
const MOST_SEARCHES = 3;
const MOST_VAGUE = 16;
const SHARPENED_EVERY = 4;
const MOST_UNSEEN = 3;
/** If the ratio of the bounds of a span is smaller, the span is known exactly enough. */
const SHARP = 1.008;
/** Like `SHARP`, for intervals between requests. Intervals are quotients, many of them are almost round. */
const SHARP_PACE = 1.003;
/** Spans that differ by less than this multiple of the uncertainty of times count as one number. */
const FINEST = 1.5;
/** The largest share of a window by which its predicted start may be wrong. */
const SINCE_FIRST = 0.2;

export class Identifier {
  readonly #prober: Prober;
  readonly #random: Rng;
  readonly #seed: number;
  #findings: FirstFindings | null = null;
  #longestRestUs = 0;
  #seen = "";
  #search: SuspectSearch | null = null;

  constructor(
    target: ProbeTarget,
    caps: IdentifyCaps,
    seed: number,
    report: (step: IdentifyStep) => void = () => undefined,
  ) {
    this.#seed = seed;
    this.#random = rng(seed, "identify");
    this.#prober = new Prober(target, caps, this.#random, report);
  }

  /** Identifies the behaviour. `aspects`: those with a second value to send, such as a second credential. */
  async identify(aspects: readonly (keyof CountedBy)[]): Promise<Identification> {
    const found = await this.#identify();
    if (found.why === NOTHING_FITS && this.#findings !== null) {
      const { steps, timing } = this.#prober;
      const random = rng(this.#seed, "identify/closest");
      const isOver = (): boolean => this.#prober.isOver();
      const closest = findClosest(steps, this.#findings, timing, random, isOver);
      return { ...found, ...this.#prober.spent, closest };
    }
    if (found.behaviour === null || aspects.length === 0) return found;
    const countedBy = await this.#findAspects(found.behaviour, aspects);
    return { ...found, ...this.#prober.spent, countedBy };
  }

  async #findAspects(
    behaviour: LimitBehaviour,
    aspects: readonly (keyof CountedBy)[],
  ): Promise<CountedByFindings> {
    const { target, timing } = this.#prober;
    const plan = planAspects(behaviour, aspects, target.nowUs(), timing);
    if (plan === null || !this.#prober.canSend(plan.groups)) return NOTHING_COUNTED;
    const probed = await target.send(plan.groups);
    this.#prober.record("other senders after the limit is used up", probed, 1);
    return readAspects(aspects, plan, probed);
  }

  async #identify(): Promise<Identification> {
    const prober = this.#prober;
    let restUntilUs = 0;
    let last: Identification | null = null;
    for (let attempt = 0; attempt < ATTEMPTS; attempt++) {
      const first = prober.steps.length;
      const findings = await findLimit(prober, restUntilUs);
      if (isFailure(findings)) return this.#conclude(findings.message);
      this.#findings ??= findings;
      this.#seen ||= describeFindings(findings);
      if (isQueueTooLong(prober.steps, prober.target.patienceUs)) return this.#conclude(TOO_SLOW);
      const special = await findSpecial(prober, findings, attempt === 0);
      if (isFailure(special)) return this.#conclude(special.message);
      if (special !== null) {
        prober.suspects = [];
        return { ...this.#conclude(""), special };
      }
      this.#search = new SuspectSearch(prober, findings, first, this.#random);
      prober.suspects = this.#search.searchAll();
      if (prober.isOver()) return this.#conclude(NO_TIME);
      let why = await this.#separate(this.#search);
      if (why === NOTHING_FITS && attempt < MOST_COMPOSED) {
        const drafts = await draftComposites(prober, findings, first);
        if (isFailure(drafts)) return this.#conclude(drafts.message);
        prober.suspects = this.#search.addComposites(drafts);
        if (prober.isOver()) return this.#conclude(NO_TIME);
        why = await this.#separate(this.#search);
      }
      if (!WORTH_ANOTHER.has(why)) return this.#conclude(why);
      last = this.#conclude(why);
      // The true suspect may have been excluded by mistake. Another attempt needs a rested limit.
      const restUs = Math.max(
        2.5 * Math.max(findings.recoveredUs, this.#longestRestUs),
        LEAST_REST_US * (attempt + 1),
      );
      if (restUs > prober.budget.us) break;
      restUntilUs = prober.target.nowUs() + restUs;
    }
    return { ...(last ?? this.#conclude(NOTHING_FITS)), ...prober.spent };
  }

  /** Separates suspects by experiments. Returns why no behaviour is named, or an empty string if one is. */
  async #separate(search: SuspectSearch): Promise<string> {
    const prober = this.#prober;
    let confirmed = 0;
    let idle = 0;
    let inVain = 0;
    let searches = 0;
    let vague = 0;
    let sent = 0;
    let unseen = 0;
    for (;;) {
      prober.suspects = withoutLoose(prober.suspects);
      const suspects = withoutVague(prober.suspects);
      const [first] = suspects;
      if (suspects.length > 0)
        this.#longestRestUs = Math.max(...suspects.map(({ behaviour }) => restUsOf(behaviour)));
      if (first === undefined) return NOTHING_FITS;
      const isAlone = suspects.every((each) => shapeOf(each) === shapeOf(first));
      const isSharp = isAlone && (vague >= MOST_VAGUE || this.#isSharp(first, search));
      if (isSharp && confirmed >= CONFIRMATIONS && !needsOvershoot(first)) {
        const known = new Set(prober.suspects.map(shapeOf));
        const found = ++searches > MOST_SEARCHES ? [] : search.searchAll("usual", known);
        if (prober.isOver()) return NO_TIME;
        const others = withoutUnexplained([...prober.suspects, ...found]).filter(
          (each) => !known.has(shapeOf(each)) && !needsOvershoot(each),
        );
        if (others.length === 0)
          return search.isExplained(suspects)
            ? this.#whyUnnamed(first)
            : prober.isOver()
              ? NO_TIME
              : NOTHING_FITS;
        prober.suspects = [...prober.suspects, ...others];
        continue;
      }
      const isStuck = !isAlone && inVain >= MOST_IN_VAIN;
      const experiment = isStuck
        ? null
        : nextExperiment(
            { prober, random: this.#random },
            suspects,
            isAlone ? (isSharp ? "confirm" : "sharpen") : "separate",
            {
              confirmed,
              isInVain: inVain >= MANY_IN_VAIN && inVain % 2 === 0,
            },
          );
      if (experiment === null) {
        if (!isStuck && ++idle <= MOST_IDLE) continue;
        if (isAlone) return NOT_CONFIRMED;
        const settled = sent < CONFIRMATIONS ? null : settle(suspects);
        if (settled !== null) prober.suspects = settled;
        return settled !== null ? this.#whyUnnamed(settled[0]!) : NOT_SEPARATED;
      }
      const { startUs } = prober;
      const before = prober.suspects;
      const probed = await prober.send(experiment.title, groupsOf(experiment, startUs));
      if (isFailure(probed)) return probed.message;
      sent++;
      prober.suspects = search.renew(before, prober.suspects);
      inVain = withoutVague(prober.suspects).length < suspects.length ? 0 : inVain + 1;
      if (!isAlone) confirmed = 0;
      else if (!isSharp) {
        if (++vague % SHARPENED_EVERY === 0)
          prober.suspects = search.sharpen(prober.suspects, shapeOf(first));
      }
      // No new window began at the predicted time. After several such experiments, the suspect is excluded.
      else if (isEndUnseen(first, confirmed, probed)) {
        if (isBeforeEnd(probed, prober.timing) && ++unseen % MOST_UNSEEN === 0)
          prober.suspects = prober.suspects.filter((each) => shapeOf(each) !== shapeOf(first));
      } else if (!prober.silence.isNow) confirmed++;
    }
  }

  /** Whether the span is known as exactly as times are measured, or well enough that at most one round span fits. */
  #isSharp(suspect: Suspect, search: SuspectSearch): boolean {
    const { timing } = this.#prober;
    if (!hasSharpEdge(suspect, timing)) return false;
    const [fromUs, toUs] = search.boundsOf(suspect);
    const [least, most] = this.#spansOf(suspect);
    const widthUs = Math.max(toUs - fromUs, most - least);
    // In windows counted from the first request, an error of the length adds up with each window until now.
    const { durationUs } = this.#prober.spent;
    if (suspect.behaviour.name === "key_window" && widthUs * durationUs > SINCE_FIRST * least ** 2)
      return false;
    // Many intervals of a pace are measured at once, so a pace has to be known more closely.
    if (!isPaced(suspect.behaviour) && widthUs <= FINEST * doubtUs(timing)) return true;
    return (
      toUs / fromUs < (isPaced(suspect.behaviour) ? SHARP_PACE : SHARP) &&
      listRound(freeShapeOf(suspect.behaviour), fromUs, toUs).length <= 1
    );
  }

  #spansOf(suspect: Suspect): readonly [leastUs: number, mostUs: number] {
    const spans = this.#prober.suspects
      .filter((each) => shapeOf(each) === shapeOf(suspect))
      .map(({ behaviour }) => freeSpanOf(behaviour));
    return [Math.min(...spans), Math.max(...spans)];
  }

  #whyUnnamed(suspect: Suspect): string {
    if (isTooSlow(suspect, this.#prober.target.patienceUs)) return TOO_SLOW;
    if (isTooFast(suspect, this.#prober.timing)) return TOO_FAST;
    if (this.#prober.silence.isNow) return STOPPED;
    const { timing, steps } = this.#prober;
    if (suspect.behaviour.name !== "queue" && mayBeInFlight(suspect.behaviour.spanUs, timing))
      return MAY_BE_IN_FLIGHT;
    if (isFlexible(suspect, timing) && mayBeAtRandom(steps)) return MAY_BE_AT_RANDOM;
    const [fromUs, toUs] = this.#search!.boundsOf(suspect);
    if (isNeverUsedUp(suspect, timing)) return NEVER_USED_UP;
    if (toUs > MOST_RANGE * fromUs || isVague(suspect, [fromUs, toUs])) return NUMBERS_OPEN;
    return isCountOpen(this.#prober.suspects, suspect.behaviour, steps) ? COUNT_OPEN : "";
  }

  #conclude(reason: string): Identification {
    const { steps, timing, spent } = this.#prober;
    const isSilent = reason === NO_RESPONSE || reason === STOPPED;
    const areFlexible = this.#prober.suspects.every((each) => isFlexible(each, timing));
    const isAtRandom = reason !== "" && !isSilent && areFlexible && mayBeAtRandom(steps);
    const why = isAtRandom ? MAY_BE_AT_RANDOM : reason;
    // The remaining suspects explain random refusals only by chance.
    const suspects = isAtRandom ? [] : withoutVague(this.#prober.suspects);
    const shapes = [...Map.groupBy(suspects, shapeOf).values()].map(pickRoundest);
    const measured = shapes.map((each) => {
      const found = measureSpan(each, this.#search!.boundsOf(each), timing);
      return why === "" ? found : widenSpan(found, timing);
    });
    const countRange = countRangeOf(suspects, timing);
    const [own] = measured;
    const first = own === undefined || countRange === undefined ? own : { ...own, countRange };
    const isNamed = why === "" && first !== undefined;
    return {
      behaviour: isNamed ? first : null,
      special: null,
      alike: isNamed ? listAlike(first, measured, this.#prober) : [],
      left: measured.slice(0, 12),
      closest: [],
      why,
      seen: this.#seen || describeRefusal(steps),
      steps,
      ...spent,
      countedBy: NOTHING_COUNTED,
      isSilent,
      timing,
      exactBursts: suspects[0]?.exactBursts ?? 0,
    };
  }
}
