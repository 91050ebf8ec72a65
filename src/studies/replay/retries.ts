// A log shows the requests that clients sent, not those that they would have sent after a refusal. Here the clients of
// a candidate retry as the clients of the simulator do.
import type { Rng } from "../../kit/chance/rng.ts";
import { rng } from "../../kit/chance/rng.ts";
import { micros, waitSeconds } from "../../kit/units.ts";
import type { Behaviour } from "../../lab/scenario/types.ts";
import { patienceUs } from "../../lab/sim/clients.ts";
import {
  eventQueue,
  happenNext,
  nextTimeUs,
  schedule,
  type EventQueue,
} from "../../lab/sim/event-queue.ts";
import { atbPacer, type Pacer } from "../../lab/sim/token-clients.ts";
import type { Arrivals } from "./arrivals.ts";
import { ONE_UNIT } from "./charges.ts";
import {
  REJECTED,
  type CandidateLimiter,
  type Charge,
  type RequestNames,
} from "./candidate-limiter.ts";
import { startCandidate, type Candidate } from "./candidates.ts";
import { RETRIES, type RetryName } from "./choices.ts";

/** A request that is still to be sent, for the first time or again after a refusal. */
interface Retry {
  readonly client: number;
  readonly target: number;
  readonly firstUs: number;
  readonly attempt: number;
  readonly charge: Charge;
}

/** A client that sends one request at a time and needs a token for each attempt. */
interface TokenClient {
  readonly pacer: Pacer;
  waiting: Retry[]; // requests that are due
  begun: number; // how many of these were sent
  isBusy: boolean;
}

export type RetryCounts = Pick<
  RetryTally,
  "attempts" | "refusedAttempts" | "admittedLater" | "gaveUp" | "longestWaitUs"
>;

/** Counts what retrying clients get from a candidate, with counters of its own. */
export class RetryTally {
  attempts = 0;
  refusedAttempts = 0;
  admittedLater = 0; // requests admitted at a retry
  gaveUp = 0;
  longestWaitUs = 0; // from a request's first attempt to its admission
  readonly behaviour: RetryName;
  readonly #limiter: CandidateLimiter;
  readonly #behaviour: Behaviour;
  readonly #chance: Rng;
  readonly #queue: EventQueue = eventQueue();
  readonly #sendAgain = (request: Retry): void => this.#send(request);
  readonly #tokenClients = new Map<number, TokenClient>();
  #nowUs = 0;

  constructor(candidate: Candidate, names: RequestNames, behaviour: RetryName, seed: number) {
    this.#limiter = startCandidate(candidate, names);
    this.behaviour = behaviour;
    this.#behaviour = RETRIES[behaviour];
    this.#chance = rng(seed, "replay/retries");
  }

  /** Sends the next requests of the log, and the retries that are due by then. */
  decide(
    { count, clients: ids, targets, charges }: Arrivals,
    times: Float64Array,
    clients: number,
  ): void {
    this.#limiter.makeRoom(clients);
    for (let i = 0; i < count; i++) {
      const atUs = times[i]!;
      this.#retryUntil(atUs);
      this.#nowUs = atUs;
      const charge =
        charges === undefined
          ? ONE_UNIT
          : { units: charges.units[i]!, lastsUs: charges.lastsUs[i]! };
      this.#arrive({ client: ids[i]!, target: targets[i]!, firstUs: atUs, attempt: 0, charge });
    }
  }

  /** Sends the remaining retries after the last request of the log. */
  end(): void {
    this.#retryUntil(Number.MAX_VALUE);
  }

  counts(): RetryCounts {
    const { attempts, refusedAttempts, admittedLater, gaveUp, longestWaitUs } = this;
    return { attempts, refusedAttempts, admittedLater, gaveUp, longestWaitUs };
  }

  #retryUntil(atUs: number): void {
    for (let nextUs = nextTimeUs(this.#queue); nextUs <= atUs; nextUs = nextTimeUs(this.#queue)) {
      this.#nowUs = nextUs;
      happenNext(this.#queue);
    }
  }

  #arrive(request: Retry): void {
    if (this.#behaviour.kind !== "atb") {
      this.#send(request);
      return;
    }
    const { client } = request;
    const known = this.#tokenClients.get(client);
    const pacer = known?.pacer ?? atbPacer(this.#behaviour, this.#nowUs);
    const state = known ?? { pacer, waiting: [], begun: 0, isBusy: false };
    this.#tokenClients.set(client, state);
    state.waiting.push(request);
    if (!state.isBusy) this.#beginNext(state);
  }

  #beginNext(client: TokenClient): void {
    const next = client.waiting[client.begun++];
    client.isBusy = next !== undefined;
    if (next === undefined) [client.waiting, client.begun] = [[], 0];
    else this.#sendLater(client.pacer.take(this.#nowUs), next);
  }

  #sendLater(atUs: number, request: Retry): void {
    schedule(this.#queue, micros(atUs), this.#sendAgain, request);
  }

  #send(request: Retry): void {
    const { client, target, firstUs, attempt, charge } = request;
    this.attempts++;
    const waitUs = this.#limiter.decide(client, target, this.#nowUs, charge);
    if (waitUs === 0 && attempt > 0) {
      this.admittedLater++;
      this.longestWaitUs = Math.max(this.longestWaitUs, this.#nowUs - firstUs);
    }
    const isRefused = waitUs !== 0 && waitUs !== REJECTED;
    const retry = { ...request, attempt: attempt + 1 };
    const patience = isRefused ? this.#patienceUs(attempt, waitUs) : null;
    const sender = this.#tokenClients.get(client);
    sender?.pacer.onResponse(this.#nowUs, isRefused);
    if (patience === null) {
      if (sender !== undefined) this.#beginNext(sender);
      return;
    }
    const earliestUs = this.#nowUs + Math.round(patience);
    this.#sendLater(sender?.pacer.take(earliestUs) ?? Math.max(this.#nowUs + 1, earliestUs), retry);
  }

  /** How long a client waits after a refused attempt; null: it gives up. */
  #patienceUs(attempt: number, waitUs: number): number | null {
    this.refusedAttempts++;
    const retryAfter = Number.isFinite(waitUs) ? waitSeconds(waitUs) : null;
    const patience = patienceUs(this.#behaviour, attempt, retryAfter, this.#chance);
    if (patience === null) this.gaveUp++;
    return patience;
  }
}
