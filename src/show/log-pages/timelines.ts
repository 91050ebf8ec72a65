// Decides the requests of a few clients once more, and records when each was admitted and refused.
import type { Arrivals } from "../../studies/replay/arrivals.ts";
import {
  REJECTED,
  type Charge,
  type CandidateLimiter,
  type RequestNames,
} from "../../studies/replay/candidate-limiter.ts";
import { startCandidate, type Candidate } from "../../studies/replay/candidates.ts";
import type { NameTable } from "../../studies/replay/names.ts";
import type { Placement } from "../../studies/replay/placements.ts";
import type { TimelineRow } from "../../lab/report/measured-figures.ts";
import { binOf, binsOf, type LogBins } from "./bins.ts";

/** A client with at most this number of requests is shown as single marks; with more, in bins. */
const MOST_MARKS = 80;
const MOST_BINS = 120;

export interface WantedTimelines {
  readonly candidate: Candidate;
  /** Numbers of clients, in the order of the chart. */
  readonly clients: readonly number[];
}

export interface LogSpan {
  readonly firstUs: number;
  readonly lastUs: number;
}

/** A row without its texts. */
export type ClientTimeline = DistributiveOmit<TimelineRow, "name" | "what">;
type DistributiveOmit<T, K extends PropertyKey> = T extends unknown ? Omit<T, K> : never;

/** Builds the row of one client: marks, or bins if there are too many requests. */
export class TimelineBuilder {
  readonly #bins: LogBins;
  readonly #atUs: number[] = [];
  readonly #isRefused: (0 | 1)[] = [];
  readonly #admitted: number[];
  readonly #refused: number[];

  constructor({ firstUs, lastUs }: LogSpan) {
    this.#bins = binsOf(firstUs, lastUs, MOST_BINS, null);
    this.#admitted = Array.from({ length: this.#bins.count }, () => 0);
    this.#refused = [...this.#admitted];
  }

  note(atUs: number, isRefused: boolean): void {
    (isRefused ? this.#refused : this.#admitted)[binOf(this.#bins, atUs)]!++;
    if (this.#atUs.length > MOST_MARKS) return;
    this.#atUs.push(atUs);
    this.#isRefused.push(isRefused ? 1 : 0);
  }

  build(): ClientTimeline {
    const { binS, startS } = this.#bins;
    return this.#atUs.length > MOST_MARKS
      ? { kind: "bins", binS, admitted: this.#admitted, refused: this.#refused }
      : {
          kind: "marks",
          atS: this.#atUs.map((us) => (us - startS * 1_000_000) / 1_000_000),
          isRefused: this.#isRefused,
        };
  }
}

/** The start and the length of the charts of timelines. */
export function timelineSpan({ firstUs, lastUs }: LogSpan): { startS: number; untilS: number } {
  const { binS, startS, count } = binsOf(firstUs, lastUs, MOST_BINS, null);
  return { startS, untilS: count * binS };
}

/** `clients` is a table, so that only the names of wanted clients become strings: all names would be large. */
type TimelineNames = RequestNames & { readonly clients: NameTable };

/** Whether each client has its own budget, so that other clients do not change its decisions. */
const areClientsApart = (candidate: Candidate): boolean =>
  candidate.kind === "limit" && candidate.options.imitation?.keys == null;

class CandidateTimelines {
  readonly #limiter: CandidateLimiter;
  readonly #isApart: boolean;
  readonly #builders: ReadonlyMap<number, TimelineBuilder>;
  readonly #numbers: ReadonlyMap<number, number>; // the limiter's number for a client, by client id

  constructor({ candidate, clients }: WantedTimelines, names: TimelineNames, span: LogSpan) {
    this.#isApart = areClientsApart(candidate);
    const own = { names: clients.map((id) => names.clients.nameOf(id)) };
    this.#limiter = startCandidate(candidate, this.#isApart ? { ...names, clients: own } : names);
    if (this.#isApart) this.#limiter.makeRoom(clients.length);
    this.#numbers = new Map(clients.map((id, number) => [id, number]));
    this.#builders = new Map(clients.map((id) => [id, new TimelineBuilder(span)]));
  }

  makeRoom(clients: number): void {
    if (!this.#isApart) this.#limiter.makeRoom(clients);
  }

  decide(client: number, target: number, atUs: number, charge: Charge | undefined): void {
    const builder = this.#builders.get(client);
    if (builder === undefined && this.#isApart) return;
    const number = this.#isApart ? this.#numbers.get(client)! : client;
    const waitUs = this.#limiter.decide(number, target, atUs, charge);
    if (waitUs !== REJECTED) builder?.note(atUs, waitUs > 0);
  }

  end(): void {
    this.#limiter.end?.();
  }

  timelines(): readonly ClientTimeline[] {
    return [...this.#builders.values()].map((builder) => builder.build());
  }
}

/** Receives the requests of logs that have been replayed before, under the first placement. */
export class Timelines {
  readonly #candidates: readonly CandidateTimelines[];
  readonly #placement: Placement;
  readonly #clientCount: () => number;
  readonly #isWanted: Uint8Array; // indexed by client
  readonly #needsAll: boolean;
  #times = new Float64Array(0);

  constructor(
    wanted: readonly WantedTimelines[],
    names: TimelineNames,
    placement: Placement,
    span: LogSpan,
    clientCount: () => number,
  ) {
    this.#candidates = wanted.map((each) => new CandidateTimelines(each, names, span));
    this.#placement = placement;
    this.#clientCount = clientCount;
    this.#isWanted = new Uint8Array(clientCount());
    for (const { clients } of wanted) for (const id of clients) this.#isWanted[id] = 1;
    this.#needsAll = wanted.some(({ candidate }) => !areClientsApart(candidate));
  }

  decide(arrivals: Arrivals): void {
    const { count, clients, targets, charges } = arrivals;
    if (this.#times.length < count) this.#times = new Float64Array(count);
    this.#placement.place(arrivals, this.#times);
    for (const candidate of this.#candidates) candidate.makeRoom(this.#clientCount());
    for (let i = 0; i < count; i++) {
      if (!this.#needsAll && this.#isWanted[clients[i]!] !== 1) continue;
      const charge =
        charges === undefined
          ? undefined
          : { units: charges.units[i]!, lastsUs: charges.lastsUs[i]! };
      for (const candidate of this.#candidates)
        candidate.decide(clients[i]!, targets[i]!, this.#times[i]!, charge);
    }
  }

  end(): void {
    for (const candidate of this.#candidates) candidate.end();
  }

  /** For each candidate, one timeline for each wanted client, in the wanted order. */
  timelines(): readonly (readonly ClientTimeline[])[] {
    return this.#candidates.map((candidate) => candidate.timelines());
  }
}
