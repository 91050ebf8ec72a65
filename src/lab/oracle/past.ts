// The part of a budget's past that a request depends on: attempts decided before it, and not lost since.
import type { LedgerAttempt, Ledger, Loss, Moment, Past } from "./ledger.ts";
import type { OracleWorld } from "./world.ts";
import { SPECS } from "../../limiter/spec/by-algorithm.ts";

interface Reach {
  /** Attempts stamped before it do not matter to the answer. */
  readonly sinceUs: number;
  /** The operations of one request are not one step, so requests in flight see each other in part. */
  readonly inSteps: boolean;
  readonly settled?: number; // of the first attempts, which are left out
}

/** Of requests that are under way at the store together each may have been the first to count. */
export const isRaced = (world: OracleWorld, inSteps: boolean): boolean =>
  inSteps && world.storeFlightUs > 0;

/** Is the past simply the rows before the request? */
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

  // Later rows too may have been decided before, as long as they overlap.
  let end = here;
  const untilUs = Math.max(now.toUs, now.flightToUs) + longestUs;
  while (end < past.length && past[end]!.attempt.fromUs <= untilUs) end++;
  return pastAmong(past.slice(first, end), ledger, now, world, inSteps);
}

/** What these attempts are to the request. */
export const pastAmong = (
  some: readonly Past[],
  { resets }: Ledger,
  now: Moment,
  world: OracleWorld,
  inSteps: boolean,
): Past[] => some.flatMap(({ attempt }) => pastFor(attempt, resets, now, world, inSteps));

/** For each number of first attempts. */
interface Ends {
  readonly settled: Uint32Array; // how many of them are
  readonly stampUs: Float64Array; // the latest one that they carry
  readonly sentUs: Float64Array; // of the first of all others
}

const knownEnds = new WeakMap<Ledger, Ends>();

/**
 * How many of the first attempts are settled: they ended before all others began, this request too, and with earlier
 * stamps. So they are the same to every later request. None is where counts may be lost.
 */
export function countSettled(ledger: Ledger, { row }: Moment, world: OracleWorld): number {
  const { storeRestartsUs, gatewayRestarts } = world;
  const losses = storeRestartsUs.length + gatewayRestarts.length + ledger.resets.length;
  return losses > 0 ? 0 : endsOf(ledger).settled[rowsAbove(ledger, row)]!;
}

/** Between these rows of the past are all attempts with stamps after one time that were sent until another one. */
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
  let earliestUs = Number.POSITIVE_INFINITY; // stamp
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

/** How many attempts of the ledger have a smaller row. */
export const rowsAbove = ({ past }: Ledger, row: number): number =>
  firstIndex(past, ({ attempt }) => attempt.row >= row);

/** The index of the first item that holds, in a list whose items hold from some index on. */
export function firstIndex<Item>(list: ArrayLike<Item>, holds: (one: Item) => boolean): number {
  let [low, high] = [0, list.length];
  while (low < high) {
    const middle = (low + high) >> 1;
    if (holds(list[middle]!)) high = middle;
    else low = middle + 1;
  }
  return low;
}

/** Is the past the rows before the request, in the order of its stamps too, the request's own the latest? */
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
 * Far enough back for a log: `per` before now, or before the last attempt that was surely written and all uncertain
 * ones since, because a smoothed budget makes up for the falls that were due since then.
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
  // A budget that others have spent in steps is refunded in a step of its own, which no response waits for (LIM-C1).
  // A request without a response may have been written at any moment on its way.
  const isOpen = inSteps || attempt.trace === "passing" || !attempt.certain;
  const before = isOpen && overlaps(attempt, now, world) ? "maybe" : order(attempt, now);
  const survival = both(survives(attempt, now, world), outlives(attempt, resets, now));
  if (before === "no" || survival === "no") return [];
  const isSure = before === "yes" && survival === "yes" && attempt.certain;
  const counts = isSure ? "yes" : "maybe";
  // Of it nothing is left, except that its evaluation may have dropped old entries of the log, and begun a window.
  if (attempt.trace === "passing" && before === "yes")
    return [{ attempt: { ...attempt, trace: "refunded" }, counts }];
  return [{ attempt, counts }];
}

const isInstant = (moment: Moment): boolean => moment.fromUs === moment.toUs;

/** Was `a` decided before `b`? Instants are ordered by time and line (architecture.md 5). */
function order(a: Moment, b: Moment): Certainty {
  if (isInstant(a) && isInstant(b)) return a.row < b.row ? "yes" : "no";
  if (a.toUs < b.fromUs) return "yes";
  return a.fromUs > b.toUs ? "no" : "maybe";
}

const overlaps = (a: Moment, b: Moment, world: OracleWorld): boolean =>
  (world.storeFlightUs > 0 || !isInstant(a) || !isInstant(b)) &&
  a.flightFromUs <= b.flightToUs &&
  a.flightToUs >= b.flightFromUs;

/** An attempt whose effect is not surely lost with its store. */
export function survivorOf(
  attempt: LedgerAttempt | null,
  now: Moment,
  world: OracleWorld,
): Past | null {
  const survival = attempt === null ? "no" : survives(attempt, now, world);
  return attempt === null || survival === "no" ? null : { attempt, counts: survival };
}

/** A store that restarts is empty; a gateway that restarts has perhaps lost its own counts. */
function survives(attempt: LedgerAttempt, now: Moment, world: OracleWorld): Certainty {
  // A sentinel's mark is written after the response (ALG-C5), and may reach the store after its restart.
  const isMark = SPECS[attempt.algorithm].overshootsBy === "mark";
  const writtenUs = isMark ? attempt.flightToUs : attempt.toUs;
  const isLostAt = (atUs: number): Certainty => {
    // A loss at an instant affects the requests of that instant.
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

/** Was the attempt reset before the request (MGT-C11)? */
function outlives(attempt: LedgerAttempt, resets: readonly Loss[], now: Moment): Certainty {
  const between = resets.filter(({ fromUs, toUs }) => attempt.fromUs < toUs && now.toUs >= fromUs);
  if (between.length === 0) return "yes";
  const isGone = between.some(
    ({ fromUs, toUs, certain }) => certain && attempt.toUs < fromUs && now.fromUs >= toUs,
  );
  return isGone ? "no" : "maybe";
}
