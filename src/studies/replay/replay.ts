// All candidates decide all requests of a log, in one pass and in virtual time.
import { enlargeColumn, type Arrivals } from "./arrivals.ts";
import type { Candidate } from "./candidates.ts";
import type { LogFormat } from "./columns.ts";
import { RequestGroups } from "./groups.ts";
import { OverTime } from "./over-time.ts";
import { AS_LOGGED, placementsFrom, type Placement } from "./placements.ts";
import type { RequestQuestion } from "./requests.ts";
import { RetryTally, type RetryCounts } from "./retries.ts";
import type { RetryName } from "./choices.ts";
import { OwnRows, partOf, type DecidedPart, type ReplayShare } from "./share.ts";
import { Tally, type TallyCounts } from "./tally.ts";

export interface ReplayQuestion extends RequestQuestion {
  readonly candidates: readonly Candidate[];
  readonly format: LogFormat | null; // null: found for each log
  readonly seed: number;
  readonly retries: RetryName | null; // how refused clients retry in additional tallies; null: no such tallies
  /** Which requests are decided; left out: all. */
  readonly share?: ReplayShare | "none";
}

/** What one share decided, as plain data. */
export type DecidedShare = readonly {
  readonly number: number; // number of the candidate
  readonly tallies: readonly TallyCounts[];
  readonly retries: RetryCounts | null;
  readonly refusedIn: readonly number[]; // refusals in each step of `overTime`
}[];

/** A candidate, and what it did under each placement. */
export interface CandidateRun {
  readonly candidate: Candidate;
  readonly tallies: readonly Tally[];
  /** Counts with retries, under the first placement; null: refused clients do not retry. */
  readonly retries: RetryTally | null;
}

export class Replay {
  requests = 0;
  firstUs = 0;
  lastUs = 0;
  requestsOf = new Int32Array(1024); // requests of each client
  readonly runs: readonly CandidateRun[];
  readonly placements: readonly Placement[];
  readonly overTime: OverTime; // all requests, then those that each candidate refuses under the first placement
  readonly #names: RequestQuestion;
  readonly #parts: readonly DecidedPart[]; // which clients each candidate decides
  readonly #own: OwnRows | null; // null: requests of all clients are decided
  readonly #needsGroups: boolean;
  readonly #groups: RequestGroups;
  readonly #steps: number[][] = [];
  #stepOf = new Int32Array(0);
  #times = new Float64Array(0);
  #refused = new Int32Array(0); // rows that are refused

  constructor(question: ReplayQuestion, isWholeSeconds: boolean) {
    const { candidates, retries, seed, share } = question;
    this.#names = question;
    this.#parts = candidates.map((candidate, number) =>
      partOf(candidate, number, share, retries !== null),
    );
    this.#own =
      typeof share === "object" && this.#parts.includes("own clients")
        ? new OwnRows(share, question.clients)
        : null;
    this.placements = isWholeSeconds ? placementsFrom(seed) : [AS_LOGGED];
    this.runs = candidates.map((candidate) => ({
      candidate,
      tallies: this.placements.map(() => new Tally(candidate, question)),
      retries: retries === null ? null : new RetryTally(candidate, question, retries, seed),
    }));
    this.#needsGroups = this.runs.some(({ tallies }) => tallies[0]!.needsGroups);
    this.#groups = new RequestGroups(this.placements.length);
    this.overTime = new OverTime(1 + candidates.length);
  }

  /** Decides the next requests, in the order of arrival. */
  decide(arrivals: Arrivals): void {
    const clients = this.#names.clients.count;
    const { count, atUs } = arrivals;
    if (count === 0) return;
    if (this.requests === 0) this.firstUs = atUs[0]!;
    this.lastUs = atUs[count - 1]!;
    this.requests += count;
    this.#countRequests(arrivals, clients);
    if (this.#times.length < count) {
      this.#times = new Float64Array(count);
      this.#refused = new Int32Array(count);
    }
    const own = this.#own;
    own?.select(arrivals, this.#stepOf);
    const hasGroups = arrivals.charges === undefined && this.#needsGroups;
    const groups = hasGroups ? this.#groups : null;
    const grouped = own?.arrivals ?? arrivals;
    groups?.group(grouped, own?.steps ?? this.#stepOf, clients);
    const block = {
      arrivals,
      times: this.#times,
      steps: this.#stepOf,
      groups: own === null ? groups : null,
      clientCount: clients,
    };
    const ownBlock =
      own === null
        ? block
        : { ...block, arrivals: grouped, times: own.times, steps: own.steps, groups };
    const refusedIn = new Int32Array(this.#steps.length);
    for (const [index, { place }] of this.placements.entries()) {
      place(arrivals, this.#times);
      own?.place(this.#times);
      groups?.place(index, grouped, own?.times ?? this.#times);
      for (const [number, { tallies, retries }] of this.runs.entries()) {
        const part = this.#parts[number]!;
        if (part === "none") continue;
        if (index === 0) retries?.decide(arrivals, this.#times, this.requestsOf.length);
        refusedIn.fill(0);
        tallies[index]!.decide(part === "all clients" ? block : ownBlock, this.#refused, refusedIn);
        if (index === 0) this.#countRefused(refusedIn, 1 + number);
      }
    }
  }

  /** Ends the replay after the last request, and sends the remaining retries. */
  end(): void {
    for (const { tallies, retries } of this.runs) {
      for (const tally of tallies) tally.end();
      retries?.end();
    }
  }

  takeShare(): DecidedShare {
    const steps = this.overTime.steps();
    return this.runs.flatMap(({ tallies, retries }, number) =>
      this.#parts[number] === "none"
        ? []
        : {
            number,
            tallies: tallies.map((tally) => tally.counts()),
            retries: retries?.counts() ?? null,
            refusedIn: steps.map(({ counts }) => counts[1 + number]!),
          },
    );
  }

  /** Adds the decisions of another share of the same logs, which has the same requests and steps. */
  add(decided: DecidedShare): void {
    const steps = this.overTime.steps();
    for (const { number, tallies, retries, refusedIn } of decided) {
      const run = this.runs[number]!;
      for (const [index, tally] of run.tallies.entries()) tally.add(tallies[index]!);
      if (run.retries !== null) Object.assign(run.retries, retries);
      for (const [index, { counts }] of steps.entries())
        (counts as number[])[1 + number]! += refusedIn[index]!;
    }
  }

  #countRequests({ count, atUs, clients: ids }: Arrivals, clients: number): void {
    const room = this.requestsOf.length;
    if (clients > room)
      this.requestsOf = enlargeColumn(
        this.requestsOf,
        new Int32Array(Math.max(clients, Math.ceil(1.5 * room))),
      );
    for (let i = 0; i < count; i++) this.requestsOf[ids[i]!]!++;
    for (let i = 0; i < count;) {
      const counts = this.overTime.at(atUs[i]!);
      const first = i;
      i = this.#endOfStep(i, count, atUs);
      counts[0]! += i - first;
    }
    this.#findSteps(count, atUs);
  }

  /** Finds the steps of these requests, which are in the order of time, and numbers them from 0. */
  #findSteps(count: number, atUs: Float64Array): void {
    if (this.#stepOf.length < count) this.#stepOf = new Int32Array(count);
    this.#steps.length = 0;
    // The step length is final here: all these requests are counted.
    for (let i = 0; i < count;) {
      this.#steps.push(this.overTime.at(atUs[i]!));
      const first = i;
      i = this.#endOfStep(i, count, atUs);
      this.#stepOf.fill(this.#steps.length - 1, first, i);
    }
  }

  /** The first row after the step that `overTime` found last. */
  #endOfStep(from: number, count: number, atUs: Float64Array): number {
    const { endUs } = this.overTime;
    let at = from;
    while (at < count && atUs[at]! < endUs) at++;
    return at;
  }

  #countRefused(refusedIn: Int32Array, series: number): void {
    for (const [step, own] of this.#steps.entries()) own[series]! += refusedIn[step]!;
  }
}
