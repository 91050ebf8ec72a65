// The part of a budget's past that affects a request: attempts decided before it, and not lost since.
import type { LedgerAttempt, Ledger, Loss, Moment, Past } from "./ledger.ts";
import type { OracleWorld } from "./world.ts";
import { SPECS } from "../../limiter/spec/by-algorithm.ts";

interface Reach {
  /** Attempts with timestamps before this time do not affect the answer. */
  readonly sinceUs: number;
  /** A request takes several operations, so requests in flight see part of each other's effects. */
  readonly inSteps: boolean;
  readonly settled?: number; // number of first attempts that are omitted
}

/** Whether the order in which the store counts simultaneous requests is uncertain. */
export const isRaced = (world: OracleWorld, inSteps: boolean): boolean =>
  inSteps && world.storeFlightUs > 0;

/** Whether the past of a request consists of exactly the rows before it. */
export const isPlainPast = (ledger: Ledger, world: OracleWorld, inSteps: boolean): boolean =>
  ledger.isPlain && !isRaced(world, inSteps);

export function pastOf(
  ledger: Ledger,
  now: Moment,
  world: OracleWorld,
  { sinceUs, inSteps, settled: leftOut = 0 }: Reach,
): Past[] {
  const { past, disorderUs, longestUs } = ledger;
  const here = rowsAbove(ledger, now.row);
  let first = here;
  while (first > leftOut && past[first - 1]!.attempt.hiUs >= sinceUs - disorderUs) first--;
  if (isPlainPast(ledger, world, inSteps)) return past.slice(first, here);

  // Later rows may have been decided before the request if they overlap with it.
  let end = here;
  const untilUs = Math.max(now.toUs, now.flightToUs) + longestUs;
  while (end < past.length && past[end]!.attempt.fromUs <= untilUs) end++;
  return pastAmong(past.slice(first, end), ledger, now, world, inSteps);
}

/** The attempts that affect the request, each with its certainty. */
export const pastAmong = (
  some: readonly Past[],
  { resets }: Ledger,
  now: Moment,
  world: OracleWorld,
  inSteps: boolean,
): Past[] => some.flatMap(({ attempt }) => pastFor(attempt, resets, now, world, inSteps));

/** Properties of the first n attempts, by n. */
interface Ends {
  readonly settled: Uint32Array; // how many of the first n are settled (see `countSettled`)
  readonly stampUs: Float64Array; // latest timestamp of the first n
  readonly sentUs: Float64Array; // earliest sending time of all others
}

const knownEnds = new WeakMap<Ledger, Ends>();

/**
 * How many attempts at the start of the ledger are settled. Settled attempts ended before all others and this request
 * began, and none has a later timestamp than those. So they affect all later requests equally. 0: counts may be lost.
 */
export function countSettled(ledger: Ledger, { row }: Moment, world: OracleWorld): number {
  const { storeRestartsUs, gatewayRestarts } = world;
  const losses = storeRestartsUs.length + gatewayRestarts.length + ledger.resets.length;
  return losses > 0 ? 0 : endsOf(ledger).settled[rowsAbove(ledger, row)]!;
}

/** A range of the ledger that includes every attempt timestamped after `sinceUs` and sent until `untilUs`. */
export function rowsWithin(
  ledger: Ledger,
  sinceUs: number,
  untilUs: number,
): { readonly first: number; readonly end: number } {
  const { stampUs, sentUs } = endsOf(ledger);
  return {
    first: Math.max(0, firstIndex(stampUs, (us) => us > sinceUs) - 1),
    end: Math.min(
      ledger.past.length,
      firstIndex(sentUs, (us) => us > untilUs),
    ),
  };
}

function endsOf(ledger: Ledger): Ends {
  let ends = knownEnds.get(ledger);
  if (ends === undefined) knownEnds.set(ledger, (ends = endsIn(ledger)));
  return ends;
}

function endsIn({ past }: Ledger): Ends {
  const settled = new Uint32Array(past.length + 1);
  const endUs = new Float64Array(past.length + 1).fill(Number.NEGATIVE_INFINITY);
  const stampUs = endUs.slice();
  const sentUs = new Float64Array(past.length + 1).fill(Number.POSITIVE_INFINITY);
  for (const [index, { attempt }] of past.entries()) {
    endUs[index + 1] = Math.max(endUs[index]!, attempt.toUs, attempt.flightToUs);
    stampUs[index + 1] = Math.max(stampUs[index]!, attempt.hiUs);
  }
  let beganUs = Number.POSITIVE_INFINITY;
  let earliestUs = Number.POSITIVE_INFINITY; // earliest timestamp
  for (let count = past.length; count > 0; count--) {
    if (endUs[count]! < beganUs && stampUs[count]! <= earliestUs) settled[count] = count;
    const { fromUs, flightFromUs, loUs } = past[count - 1]!.attempt;
    beganUs = Math.min(beganUs, fromUs, flightFromUs);
    earliestUs = Math.min(earliestUs, loUs);
    sentUs[count - 1] = Math.min(sentUs[count]!, flightFromUs);
  }
  for (let count = 1; count <= past.length; count++)
    if (settled[count] === 0) settled[count] = settled[count - 1]!;
  return { settled, stampUs, sentUs };
}

/** How many attempts of the ledger have a row smaller than `row`. */
export const rowsAbove = ({ past }: Ledger, row: number): number =>
  firstIndex(past, ({ attempt }) => attempt.row >= row);

/** The index of the first item for which `holds` is true; it must be true for every later item too. */
export function firstIndex<Item>(list: ArrayLike<Item>, holds: (one: Item) => boolean): number {
  let [low, high] = [0, list.length];
  while (low < high) {
    const middle = (low + high) >> 1;
    if (holds(list[middle]!)) high = middle;
    else low = middle + 1;
  }
  return low;
}

/** Whether the past is exactly the rows before the request, in order of timestamps, none later than the request's. */
export function isInOrder(
  ledger: Ledger,
  { row, loUs }: Moment,
  world: OracleWorld,
  inSteps: boolean,
): boolean {
  if (!isPlainPast(ledger, world, inSteps) || ledger.disorderUs > 0) return false;
  const last = ledger.past[rowsAbove(ledger, row) - 1];
  return last === undefined || last.attempt.hiUs <= loUs;
}

/**
 * The time from which a log matters: `perUs` before the earliest of now, the last certainly written attempt and any
 * uncertain attempt after that one. The reason is that a smoothed allowance also falls in times without requests.
 */
export function logSinceUs(ledger: Ledger, now: Moment, perUs: number): number {
  let sinceUs = now.loUs;
  for (let index = rowsAbove(ledger, now.row) - 1; index >= 0; index--) {
    const { attempt } = ledger.past[index]!;
    if (!attempt.certain || isSurelyWritten(attempt)) sinceUs = Math.min(sinceUs, attempt.loUs);
    if (isSurelyWritten(attempt)) break;
  }
  return sinceUs - perUs;
}

const isSurelyWritten = ({ trace, certain }: LedgerAttempt): boolean =>
  certain && (trace === "admitted" || trace === "refused");

type Certainty = "yes" | "maybe" | "no";

function pastFor(
  attempt: LedgerAttempt,
  resets: readonly Loss[],
  now: Moment,
  world: OracleWorld,
  inSteps: boolean,
): Past[] {
  if (attempt.row === now.row) return [];
  // If a decision takes several operations, its refund is a background write (LIM-C1), so its time is uncertain. A
  // request without a response may have been written at any time in flight.
  const isOpen = inSteps || attempt.trace === "passing" || !attempt.certain;
  const before = isOpen && overlaps(attempt, now, world) ? "maybe" : order(attempt, now);
  const survival = both(survives(attempt, now, world), outlives(attempt, resets, now));
  if (before === "no" || survival === "no") return [];
  const isSure = before === "yes" && survival === "yes" && attempt.certain;
  const counts = isSure ? "yes" : "maybe";
  // After its refund, an attempt has only side effects: it may have removed old log entries and begun a window.
  if (attempt.trace === "passing" && before === "yes")
    return [{ attempt: { ...attempt, trace: "refunded" }, counts }];
  return [{ attempt, counts }];
}

const isInstant = (moment: Moment): boolean => moment.fromUs === moment.toUs;

/** Whether `a` was decided before `b`. Instants are ordered by time and then row (architecture.md 5). */
function order(a: Moment, b: Moment): Certainty {
  if (isInstant(a) && isInstant(b)) return a.row < b.row ? "yes" : "no";
  if (a.toUs < b.fromUs) return "yes";
  return a.fromUs > b.toUs ? "no" : "maybe";
}

const overlaps = (a: Moment, b: Moment, world: OracleWorld): boolean =>
  (world.storeFlightUs > 0 || !isInstant(a) || !isInstant(b)) &&
  a.flightFromUs <= b.flightToUs &&
  a.flightToUs >= b.flightFromUs;

/** The attempt; null if its effect was certainly lost in a restart of the store. */
export function survivorOf(
  attempt: LedgerAttempt | null,
  now: Moment,
  world: OracleWorld,
): Past | null {
  const survival = attempt === null ? "no" : survives(attempt, now, world);
  return attempt === null || survival === "no" ? null : { attempt, counts: survival };
}

/** Whether a count survives all restarts. A restarted store is empty; a restarted gateway may have lost its counts. */
function survives(attempt: LedgerAttempt, now: Moment, world: OracleWorld): Certainty {
  // A sentinel writes its mark after the response (ALG-C5), so the mark may reach the restarted store.
  const isMark = SPECS[attempt.algorithm].overshootsBy === "mark";
  const writtenUs = isMark ? attempt.flightToUs : attempt.toUs;
  const isLostAt = (atUs: number): Certainty => {
    // A loss affects requests at the same instant too.
    if (writtenUs < atUs && now.fromUs >= atUs) return "yes";
    return attempt.fromUs < atUs && now.toUs >= atUs ? "maybe" : "no";
  };
  if (attempt.isCountedHere) {
    const restarts = world.gatewayRestarts.filter(({ gateway }) => gateway === attempt.gateway);
    return restarts.some(({ atUs }) => isLostAt(atUs) !== "no") ? "maybe" : "yes";
  }
  const losses = world.storeRestartsUs.map(isLostAt);
  if (losses.includes("yes")) return "no";
  return losses.includes("maybe") ? "maybe" : "yes";
}

const both = (a: Certainty, b: Certainty): Certainty => {
  if (a === "no" || b === "no") return "no";
  return a === "yes" ? b : a;
};

/** Whether the attempt is still counted despite resets before the request (MGT-C11). */
function outlives(attempt: LedgerAttempt, resets: readonly Loss[], now: Moment): Certainty {
  const between = resets.filter(({ fromUs, toUs }) => attempt.fromUs < toUs && now.toUs >= fromUs);
  if (between.length === 0) return "yes";
  const isGone = between.some(
    ({ fromUs, toUs, certain }) => certain && attempt.toUs < fromUs && now.fromUs >= toUs,
  );
  return isGone ? "no" : "maybe";
}
