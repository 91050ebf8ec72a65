// The levels that are counted by a log: what lies in the window, and the allowance it is held against.
import { SPECS } from "../spec/by-algorithm.ts";
import type { Asking } from "./asking.ts";
import { propose, type Followed, type Proposal } from "./follow.ts";
import { isWritten, type Ledger, type Moment, type Past } from "./ledger.ts";
import { open, UNKNOWN, type Answer, type Left, type Standing } from "./level-answer.ts";
import { capacityOf, isSmoothed, type Level } from "./levels.ts";
import {
  inBoundedWindow,
  inOrderedWindow,
  inWindow,
  judgeLog,
  logStands,
  waitOf,
  type InWindow,
} from "./log.ts";
import { firstIndex, isInOrder, logSinceUs, pastOf } from "./past.ts";
import { judgeSentinel, type SentinelRule } from "./sentinel.ts";
import { boundsOf, cut, isAbsent, oneStepUp, type Allowance, type Bounds } from "./smoothing.ts";

export function answerOfLog(
  level: Level,
  asking: Asking,
  ledger: Ledger,
  running: Followed,
  written: boolean,
): { answer: Answer; proposal: Proposal | null } {
  const { moment, configuration } = asking.entry;
  const { perUs } = level.limit;
  const isSentinel = isMarked(level);
  const mark = configuration.options.sentinelMark;
  const { writes, window } = seenOf(level, ledger, asking, mark);
  // Before A is asked for: whatever was lost with its store is forgotten there.
  const proposal = isSmoothed(level)
    ? propose(running, writes, window, moment, boundsOf(level.limit))
    : null;
  const rule: SentinelRule = {
    perUs,
    capacity: capacityOf(level),
    whole: wholeOf(level, running, writes, moment),
    isSmoothed: isSmoothed(level),
    wholeAt: ({ row, capacity }) => running.wholes.get(row) ?? capacity,
    mark,
  };
  if (!rule.isSmoothed) {
    const answer = isSentinel
      ? judgeSentinel(writes, window, moment, rule, written)
      : judgeLog(window, capacityOf(level), perUs, moment, written);
    return { answer, proposal: null };
  }
  if (isSentinel && running.isOpen && mark === "fixed")
    return { answer: open("neither A nor the mark is known"), proposal };
  if (!isSentinel || running.isOpen)
    return { answer: judgeSmoothed(level, window, moment, proposal, written), proposal };
  const answer = judgeSentinel(writes, window, moment, rule, written);
  const standing = (left: Left): Standing | null =>
    proposal === null || mark === "fixed"
      ? null
      : sentinelStands(boundsOf(level.limit), window, moment, rule.whole, proposal, left);
  return { answer: { ...answer, standing }, proposal };
}

/** A mark decides, and the log is written after the decision (ALG-C5). */
const isMarked = ({ algorithm }: Level): boolean => SPECS[algorithm].overshootsBy === "mark";

/** A moves behind the answer, upwards at most where nothing remains: the wait may be the one under either. */
function sentinelStands(
  bounds: Bounds,
  window: InWindow,
  now: Moment,
  whole: number,
  { stepped: { allowance } }: Proposal,
  left: Left,
): Standing {
  const written = left !== "visited";
  const here = waitOf(window, whole, bounds.perUs, now, written);
  const { fromUs } = waitUnder(allowance, bounds, window, now, written);
  const waitUs = { ...here, fromUs: Math.min(fromUs, here.fromUs) };
  return logStands(window, whole, bounds.perUs, now, left, waitUs);
}

/** ALG-C5: floor(A) as the last attempt left it, cut to the rule that is now in force; the threshold where it is forgotten. */
function wholeOf(
  { limit }: Level,
  { kept }: Followed,
  writes: readonly Past[],
  now: Moment,
): number {
  if (limit.smoothing === null) return Math.floor(limit.rate);
  const bounds = boundsOf(limit);
  const lastUs = Math.max(...writes.map(({ attempt }) => attempt.hiUs));
  if (kept === null || isAbsent(kept, now.loUs - lastUs)) return Math.floor(bounds.threshold);
  return Math.floor(cut(kept.value, bounds));
}

interface Seen {
  readonly writes: readonly Past[]; // as far back as the question goes
  readonly window: InWindow;
}

function seenOf(
  level: Level,
  ledger: Ledger,
  { entry: { moment }, world, inSteps }: Asking,
  mark: SentinelRule["mark"],
): Seen {
  const { perUs } = level.limit;
  const isSentinel = isMarked(level);
  const { isBounded } = SPECS[level.algorithm];
  const reach = {
    sinceUs:
      isSentinel && mark === "fixed" ? Number.NEGATIVE_INFINITY : logSinceUs(ledger, moment, perUs),
    inSteps: inSteps || isSentinel,
  };
  const [capacity = 0, ...otherCapacities] = ledger.capacities;
  if (
    !isInOrder(ledger, moment, world, reach.inSteps) ||
    (isBounded && otherCapacities.length > 0)
  ) {
    const past = pastOf(ledger, moment, world, reach);
    const window = (isBounded ? inBoundedWindow : inWindow)(past, moment, perUs);
    return { writes: past.filter(({ attempt }) => isWritten(attempt)), window };
  }
  const end = firstIndex(ledger.writes, ({ attempt }) => attempt.row >= moment.row);
  // Without smoothing only a mark asks for an attempt itself: the fixed one for all, the other for the last.
  const first =
    isSmoothed(level) || (isSentinel && mark === "fixed")
      ? firstIndex(ledger.writes, ({ attempt }) => attempt.hiUs >= reach.sinceUs)
      : Math.max(0, end - 1);
  return {
    writes: ledger.writes.slice(first, end),
    window: inOrderedWindow(ledger, moment, perUs, isBounded ? capacity : undefined),
  };
}

/** HDR-C1: either the window empties under A, or the hold-off ends and it empties under the next A. */
function judgeSmoothed(
  level: Level,
  window: InWindow,
  now: Moment,
  proposal: Proposal | null,
  written: boolean,
): Answer {
  const bounds = boundsOf(level.limit);
  const { perUs, rate, threshold } = bounds;
  if (proposal === null) {
    const why = `${window.least} to ${window.most} attempts in the window, and A is open between ${threshold} and ${rate}`;
    return {
      pass: window.least < Math.floor(rate),
      refuse: window.most >= Math.floor(threshold),
      waitUs: null,
      standing: UNKNOWN,
      why,
    };
  }
  const { value, holdUntilUs } = (written ? proposal.stepped : proposal.settled).allowance;
  const answer = judgeLog(window, value, perUs, now, written);
  const why = `${answer.why} (A is ${value})`;
  const standing = (left: Left): Standing => {
    const { allowance } = left === "visited" ? proposal.settled : proposal.stepped;
    const waitUs = waitUnder(allowance, bounds, window, now, left !== "visited");
    return logStands(window, Math.floor(allowance.value), perUs, now, left, waitUs);
  };
  if (!answer.refuse) return { ...answer, standing, why };
  const waitUs = waitUnder({ value, holdUntilUs }, bounds, window, now, written);
  return { ...answer, waitUs, standing, why };
}

function waitUnder(
  { value, holdUntilUs }: Allowance,
  bounds: Bounds,
  window: InWindow,
  now: Moment,
  written: boolean,
): { fromUs: number; toUs: number } {
  const atA = waitOf(window, Math.floor(value), bounds.perUs, now, written);
  const above = waitOf(window, Math.floor(oneStepUp(value, bounds)), bounds.perUs, now, written);
  const wait = (at: number, next: number): number =>
    Math.min(at, Math.max(holdUntilUs - now.loUs, next));
  return { fromUs: wait(atA.fromUs, above.fromUs), toUs: wait(atA.toUs, above.toUs) };
}
