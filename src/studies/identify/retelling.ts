// The requests of an experiment once more, decided by the limiter of one behaviour after one past.
import { classOf, type LimitBehaviour } from "./behaviour.ts";
import type { Draw, Planned, ProbeTiming } from "./evidence.ts";
import type { LimitModel, LimitState, RunningLimit } from "./model.ts";

/** One possible past: what the counters are if each request was decided at a time that its span allows. */
export interface LimitPast {
  readonly clockUs: number; // the server's clock is ahead by this
  readonly state: LimitState | null; // after its last request
}

/** What a limiter did with one group. */
export interface GroupTally {
  readonly admitted: number;
  readonly late: number; // admitted, and delayed beyond the patience of the client
  readonly lostAdmitted: number; // of the admitted: the client got no response
  readonly delaysUs: readonly number[]; // of the admitted, if they can be delayed
}

interface OpenTally extends GroupTally {
  admitted: number;
  late: number;
  lostAdmitted: number;
  readonly delaysUs: number[];
  open: number; // not decided yet
}

const NO_DELAYS: number[] = [];

interface Retold {
  readonly behaviour: LimitBehaviour;
  readonly model: LimitModel;
}

/** The requests of one draw after one past, decided no further than a count of theirs is needed. */
export class Retelling {
  readonly clockUs: number;
  readonly #limit: RunningLimit;
  readonly #isQueue: boolean;
  readonly #planned: readonly Planned[];
  readonly #patienceUs: readonly number[];
  readonly #tripUs: number;
  readonly #counts: readonly number[];
  readonly #tallies: OpenTally[] = []; // of the groups that were reached
  readonly #isSkipping: boolean;
  #next = 0;
  #refusedUntilUs = 0;

  constructor(
    { model, behaviour }: Retold,
    { clockUs, state }: LimitPast,
    { planned, counts, patienceUs }: Draw,
    { tripUs }: ProbeTiming,
  ) {
    this.clockUs = clockUs;
    this.#limit = model.begin(state);
    this.#isQueue = behaviour.name === "queue";
    // A refusal changes nothing, and the next requests are refused too until a known time.
    this.#isSkipping = classOf(behaviour).counts !== "refusals too";
    this.#planned = planned;
    this.#patienceUs = patienceUs;
    this.#tripUs = tripUs;
    this.#counts = counts;
  }

  #tally(group: number): OpenTally {
    return (this.#tallies[group] ??= {
      admitted: 0,
      late: 0,
      lostAdmitted: 0,
      delaysUs: this.#isQueue ? [] : NO_DELAYS,
      open: this.#counts[group]!,
    });
  }

  #decideNext(): void {
    const { atUs, group, isLost } = this.#planned[this.#next++]!;
    const tally = this.#tally(group);
    tally.open--;
    if (this.#isSkipping && atUs < this.#refusedUntilUs) return;
    const { refused, delayUs, retryAfterUs } = this.#limit.decide(atUs + this.clockUs);
    if (refused !== null) {
      this.#refusedUntilUs = atUs + retryAfterUs - 1;
      return;
    }
    if (delayUs > this.#patienceUs[group]! - this.#tripUs) tally.late++;
    else {
      tally.admitted++;
      if (isLost) tally.lostAdmitted++;
      if (this.#isQueue) tally.delaysUs.push(delayUs);
    }
  }

  tallyOf(group: number): GroupTally {
    const tally = this.#tally(group);
    while (tally.open > 0) this.#decideNext();
    return tally;
  }

  tallies(): readonly GroupTally[] {
    return this.#counts.map((_, group) => this.tallyOf(group));
  }

  /** Of the group, without those that were lost. */
  admitsMoreThan(group: number, count: number): boolean {
    const tally = this.#tally(group);
    const countAdmitted = (): number => tally.admitted - tally.lostAdmitted;
    while (countAdmitted() <= count && countAdmitted() + tally.open > count) this.#decideNext();
    return countAdmitted() > count;
  }

  /** Of the group, with those that were lost. */
  admitsAtLeast(group: number, count: number): boolean {
    const tally = this.#tally(group);
    while (tally.admitted < count && tally.admitted + tally.open >= count) this.#decideNext();
    return tally.admitted >= count;
  }

  past(): LimitPast {
    this.#decideAll();
    return { clockUs: this.clockUs, state: this.#limit.end() };
  }

  #decideAll(): void {
    while (this.#next < this.#planned.length) this.#decideNext();
  }
}
