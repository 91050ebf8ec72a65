// The instances that a configuration runs on: 10 per second on each of four that count apart is 40.
import type { ReadRule } from "../../lab/implementations/reading.ts";
import { usuallyShares } from "../../lab/implementations/shared-counters.ts";
import type { CandidateLimiter, RequestNames, RuleCount } from "./candidate-limiter.ts";
import { hashOf } from "./names.ts";

/** How a load balancer selects the instance of a request. `sticky`: all requests of a client go to one. */
export const FLEET_BALANCERS = ["round-robin", "sticky"] as const;

export const MOST_INSTANCES = 1000;

export interface Fleet {
  readonly instances: number;
  readonly sharesCounters: boolean | null; // null: as the program does
  readonly balancer: (typeof FLEET_BALANCERS)[number];
}

/** The candidate on a fleet. */
export const onFleet = <T extends object>(candidate: T, fleet: Fleet | undefined): T =>
  fleet === undefined ? candidate : { ...candidate, fleet };

/** A rule whose file may have whether instances share its counters; a flag of the fleet comes before it. */
export type SharingRule = Pick<ReadRule, "sharesCounters">;

/** `kind` is a program, `limit` or `world`. Without a rule: as it usually does. */
export const sharesCounters = (kind: string, fleet: Fleet, rule: SharingRule = {}): boolean =>
  fleet.sharesCounters ?? rule.sharesCounters ?? usuallyShares(kind);

/** How many instances count apart. */
export const countersOf = (kind: string, fleet: Fleet | undefined, rule?: SharingRule): number =>
  fleet === undefined || sharesCounters(kind, fleet, rule) ? 1 : fleet.instances;

/** How many of them one sender reaches: all by turns, and one if the balancer is sticky. */
export const instancesOfSender = (
  kind: string,
  fleet: Fleet | undefined,
  rule?: SharingRule,
): number => (fleet?.balancer === "sticky" ? 1 : countersOf(kind, fleet, rule));

/** One limiter of several instances, each with counters of its own. */
export function spreadOver(
  instances: readonly CandidateLimiter[],
  { balancer }: Fleet,
  { clients }: RequestNames,
): CandidateLimiter {
  const [first] = instances as readonly [CandidateLimiter];
  let last = first;
  let requests = 0;
  const homes: CandidateLimiter[] = []; // by the number of the client
  const homeOf = (client: number): CandidateLimiter =>
    (homes[client] ??= instances[hashOf(clients.names[client]!) % instances.length]!);
  const select = balancer === "sticky" ? homeOf : () => instances[requests++ % instances.length]!;
  return {
    decide: (client, target, atUs, charge) => {
      last = select(client);
      return last.decide(client, target, atUs, charge);
    },
    delayUs: first.delayUs === null ? null : () => last.delayUs!(),
    makeRoom: (room) => {
      for (const each of instances) each.makeRoom(room);
    },
    end: () => {
      for (const each of instances) each.end?.();
    },
    ...(first.ruleCounts === undefined
      ? {}
      : { ruleCounts: () => sumRows(instances.map((each) => each.ruleCounts!())) }),
    ...(first.targetCounts === undefined
      ? {}
      : { targetCounts: () => sumRows(instances.map((each) => each.targetCounts!())) }),
  };
}

/** Adds rows with equal numbers; one instance may have fewer rows than another. */
function sumRows(lists: readonly (readonly RuleCount[])[]): readonly RuleCount[] {
  const length = Math.max(...lists.map((list) => list.length));
  return Array.from({ length }, (_, row) => ({
    counted: lists.reduce((sum, list) => sum + (list[row]?.counted ?? 0), 0),
    refused: lists.reduce((sum, list) => sum + (list[row]?.refused ?? 0), 0),
  }));
}
