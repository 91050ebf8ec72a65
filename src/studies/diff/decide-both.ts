// Decides each request of logs by an old and by a new configuration, and counts where the two differ.
import type { Arrivals } from "../replay/arrivals.ts";
import type { CandidateLimiter, RequestNames, RuleCount } from "../replay/candidate-limiter.ts";
import { startCandidate } from "../replay/candidates.ts";
import type { Placement } from "../replay/placements.ts";
import { OverTime } from "../replay/over-time.ts";
import { noteAdmitted, startWindows, type WindowMeters } from "./windows.ts";
import type { DiffPair } from "./pair.ts";
import { DecisionColumns } from "./decision-columns.ts";

export class DecideBoth {
  requests = 0;
  firstUs = 0;
  lastUs = 0;
  readonly totals = new DecisionColumns(); // one row
  readonly ofClients = new DecisionColumns(); // by the number of the client
  readonly ofTargets = new DecisionColumns(); // by the number of the target
  readonly windows: readonly WindowMeters[];
  readonly overTime = new OverTime(3); // all requests, those refused before, those refused after
  readonly #before: CandidateLimiter;
  readonly #after: CandidateLimiter;
  readonly #placement: Placement;
  #times = new Float64Array(0);

  constructor(pair: DiffPair, names: RequestNames, placement: Placement) {
    const { before, after } = pair;
    this.windows = startWindows(pair);
    this.#before = startCandidate(before, names);
    this.#after = startCandidate(after, names);
    this.#placement = placement;
  }

  decide(arrivals: Arrivals): void {
    const { count, atUs, clients, targets } = arrivals;
    if (count === 0) return;
    if (this.requests === 0) this.firstUs = atUs[0]!;
    this.lastUs = atUs[count - 1]!;
    this.requests += count;
    if (this.#times.length < count) this.#times = new Float64Array(count);
    this.#placement.place(arrivals, this.#times);
    const room = clients.subarray(0, count).reduce((most, each) => Math.max(most, each + 1), 0);
    this.#before.makeRoom(room);
    this.#after.makeRoom(room);
    for (let row = 0; row < count; row++) {
      const [client, target, time] = [clients[row]!, targets[row]!, this.#times[row]!];
      const isRefusedBefore = this.#before.decide(client, target, time) !== 0;
      const isRefusedAfter = this.#after.decide(client, target, time) !== 0;
      if (!isRefusedBefore) noteAdmitted(this.windows, "before", client, time);
      if (!isRefusedAfter) noteAdmitted(this.windows, "after", client, time);
      const counts = this.overTime.at(atUs[row]!);
      counts[0]!++;
      if (isRefusedBefore) counts[1]!++;
      if (isRefusedAfter) counts[2]!++;
      this.totals.add(0, isRefusedBefore, isRefusedAfter);
      this.ofClients.add(client, isRefusedBefore, isRefusedAfter);
      this.ofTargets.add(target, isRefusedBefore, isRefusedAfter);
    }
  }

  /** How many requests each rule has counted; empty for a configuration without rules. */
  get ruleCounts(): Readonly<Record<"before" | "after", readonly RuleCount[]>> {
    return {
      before: this.#before.ruleCounts?.() ?? [],
      after: this.#after.ruleCounts?.() ?? [],
    };
  }

  end(): void {
    this.#before.end?.();
    this.#after.end?.();
  }
}
