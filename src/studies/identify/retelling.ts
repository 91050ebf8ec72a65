// Decides the requests of an experiment again, with a simulated limiter that has one behaviour and one past.
import { classOf, type LimitBehaviour } from "./behaviour.ts";
import type { Draw, ProbeTiming } from "./evidence.ts";
import type { LimitModel, LimitState, RunningLimit } from "./model.ts";

/** A past: the state of a limiter that decided each earlier request at one of the times that its response allows. */
export interface LimitPast {
  readonly clockUs: number; // the server's clock is ahead by this
  readonly state: LimitState | null; // counters after the last request
}

/** How a limiter decided one group. */
export interface GroupTally {
  readonly admitted: number;
  readonly late: number; // admitted, but delayed longer than the client waits
  readonly lostAdmitted: number; // admitted, but the client got no response
  readonly delaysUs: readonly number[]; // delays of admitted requests, if a queue delays them
}

interface OpenTally extends GroupTally {
  admitted: number;
  late: number;
  lostAdmitted: number;
  readonly delaysUs: number[];
  open: number; // requests not decided yet
}

const NO_DELAYS: number[] = [];

interface Retold {
  readonly behaviour: LimitBehaviour;
  readonly model: LimitModel;
}

/** Decides the requests of one draw, beginning with one past. Stops as soon as a requested count is certain. */
export class Retelling {
  readonly clockUs: number;
  readonly #limit: RunningLimit;
  readonly #isQueue: boolean;
  readonly #draw: Draw;
  readonly #tripUs: number;
  readonly #tallies: OpenTally[] = []; // of the groups decided so far
  readonly #isSkipping: boolean;
  #next = 0;
  #refusedUntilUs = 0;

  constructor(
    { model, behaviour }: Retold,
    { clockUs, state }: LimitPast,
    draw: Draw,
    { tripUs }: ProbeTiming,
  ) {
    this.clockUs = clockUs;
    this.#limit = model.begin(state);
    this.#isQueue = behaviour.name === "queue";
    // If the limit does not count refusals, it refuses all requests until the retry time; their decisions are skipped.
    this.#isSkipping = classOf(behaviour).counts !== "refusals too";
    this.#draw = draw;
    this.#tripUs = tripUs;
  }

  #tally(group: number): OpenTally {
    return (this.#tallies[group] ??= {
      admitted: 0,
      late: 0,
      lostAdmitted: 0,
      delaysUs: this.#isQueue ? [] : NO_DELAYS,
      open: this.#draw.counts[group]!,
    });
  }

  #decideNext(): void {
    const draw = this.#draw;
    const next = this.#next++;
    const atUs = draw.atUs[next]!;
    const group = draw.group[next]!;
    const tally = this.#tally(group);
    tally.open--;
    if (this.#isSkipping && atUs < this.#refusedUntilUs) return;
    const { refused, delayUs, retryAfterUs } = this.#limit.decide(atUs + this.clockUs);
    if (refused !== null) {
      this.#refusedUntilUs = atUs + retryAfterUs - 1;
      return;
    }
    if (delayUs > draw.patienceUs[group]! - this.#tripUs) tally.late++;
    else {
      tally.admitted++;
      if (draw.isLost[next] === 1) tally.lostAdmitted++;
      if (this.#isQueue) tally.delaysUs.push(delayUs);
    }
  }

  tallyOf(group: number): GroupTally {
    const tally = this.#tally(group);
    while (tally.open > 0) this.#decideNext();
    return tally;
  }

  tallies(): readonly GroupTally[] {
    return this.#draw.counts.map((_, group) => this.tallyOf(group));
  }

  /** Whether more than `count` requests of a group are admitted, lost ones excluded. */
  admitsMoreThan(group: number, count: number): boolean {
    const tally = this.#tally(group);
    const countAdmitted = (): number => tally.admitted - tally.lostAdmitted;
    while (countAdmitted() <= count && countAdmitted() + tally.open > count) this.#decideNext();
    return countAdmitted() > count;
  }

  /** Whether at least `count` requests of a group are admitted, lost ones included. */
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
    while (this.#next < this.#draw.atUs.length) this.#decideNext();
  }
}
