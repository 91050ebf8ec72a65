// What one level says of one request: the past of its budget, put to its algorithm.
import { ledgerOf, type Book, type Entry } from "./book.ts";
import { propose, type Followed, type Proposal } from "./follow.ts";
import { judgeDebt } from "./debt.ts";
import { open, pastOf, type Answer, type Moment, type Past } from "./ledger.ts";
import { capacityOf, isSmoothed, type Level } from "./levels.ts";
import { inBoundedWindow, inWindow, judgeLog, waitOf, type InWindow } from "./log.ts";
import { judgeSentinel } from "./sentinel.ts";
import { oneStepUp, type Bounds } from "./smoothing.ts";
import { judgeTwoWindows } from "./two-windows.ts";
import { judgeWindow } from "./window.ts";
import type { OracleWorld } from "./world.ts";

export interface Asking {
  readonly book: Book;
  readonly world: OracleWorld;
  readonly epochUs: number;
  readonly entry: Entry;
  readonly inSteps: boolean;
}

export interface LevelAnswer {
  readonly level: Level;
  readonly ledger: string;
  readonly answer: Answer;
  readonly proposal: Proposal | null;
}

/** `written`: should this level refuse, the request stays in its log. */
export function answerOf(
  level: Level,
  asking: Asking,
  followed: Followed,
  written: boolean,
): LevelAnswer {
  const { book, world, entry } = asking;
  const ledger = ledgerOf(level, entry.moment.gateway);
  const inSteps = asking.inSteps || level.algorithm === "sentinel";
  const past = pastOf(book.ledgers.get(ledger) ?? [], entry.moment, world, inSteps);
  const proposal = isSmoothed(level)
    ? propose(followed, past, windowOf(level, past, entry.moment), entry.moment, boundsOf(level))
    : null;
  const answer = wasCountedOtherwise(level, asking, ledger)
    ? open("another algorithm counted this budget a moment ago")
    : judge(level, asking, past, followed, proposal, written);
  return { level, ledger, answer, proposal };
}

const boundsOf = ({ limit }: Level): Bounds => {
  if (limit.smoothing === null) throw new Error("a limit without smoothing has no bounds");
  return { ...limit.smoothing, rate: limit.rate, perUs: limit.perUs };
};

const windowOf = (level: Level, past: readonly Past[], now: Moment): InWindow =>
  (level.algorithm === "bounded_log" ? inBoundedWindow : inWindow)(past, now, level.limit.perUs);

function judge(
  level: Level,
  asking: Asking,
  past: readonly Past[],
  followed: Followed,
  proposal: Proposal | null,
  written: boolean,
): Answer {
  const { entry, epochUs } = asking;
  const { options } = entry.configuration;
  const { moment } = entry;
  const { perUs, rate } = level.limit;
  const capacity = capacityOf(level);
  switch (level.algorithm) {
    case "sliding_log":
    case "non_transactional":
    case "bounded_log":
      if (isSmoothed(level))
        return judgeSmoothed(level, windowOf(level, past, moment), moment, proposal, written);
      return judgeLog(windowOf(level, past, moment), capacity, perUs, moment, written);
    case "sentinel": {
      if (isSmoothed(level) && followed.isOpen)
        return judgeSmoothed(level, windowOf(level, past, moment), moment, null, written);
      const smoothedK = isSmoothed(level)
        ? Math.floor(followed.kept?.value ?? level.limit.smoothing!.threshold)
        : null;
      return judgeSentinel(
        past,
        moment,
        { perUs, capacity, smoothedK, mark: options.sentinelMark },
        written,
      );
    }
    case "fixed_window":
      return judgeWindow(past, moment, {
        perUs,
        capacity,
        alignedToUs: options.fixedWindowStart === "clock" ? epochUs : null,
      });
    case "drl":
      return judgeWindow(past, moment, {
        perUs,
        capacity: shareOf(capacity, rate, entry.gateways),
        alignedToUs: null,
      });
    case "quota":
      return judgeWindow(past, moment, { perUs, capacity, alignedToUs: null });
    case "token_bucket":
      return judgeDebt(past, moment, { rate, perUs, burst: capacity });
    case "gcra":
      return judgeDebt(past, moment, {
        rate,
        perUs,
        burst: capacity < 1 ? 0 : options.burst === "rate" ? capacity : options.burst,
      });
    case "sliding_window_counter":
      return judgeTwoWindows(past, moment, { rate, perUs, epochUs });
  }
}

/** ALG-C4: at least one each, unless the limit admits nothing. */
const shareOf = (capacity: number, rate: number, gateways: number): number =>
  capacity < 1 ? 0 : Math.max(1, Math.floor(rate / gateways));

/** HDR-C1: either the window empties under A, or the hold-off ends and it empties under the next A. */
function judgeSmoothed(
  level: Level,
  window: InWindow,
  now: Moment,
  proposal: Proposal | null,
  written: boolean,
): Answer {
  const bounds = boundsOf(level);
  const { perUs } = bounds;
  if (proposal === null) {
    const why = `A is open between ${bounds.threshold} and ${bounds.rate}`;
    return {
      pass: window.least < Math.floor(bounds.rate),
      refuse: window.most >= Math.floor(bounds.threshold),
      waitUs: null,
      why,
    };
  }
  const { allowance } = written ? proposal.stepped : proposal.settled;
  const answer = judgeLog(window, allowance.value, perUs, now, written);
  const atA = waitOf(window, Math.floor(allowance.value), perUs, now, written);
  const above = waitOf(window, Math.floor(oneStepUp(allowance.value, bounds)), perUs, now, written);
  const holdUs = allowance.holdUntilUs - now.loUs;
  const wait = (at: number, next: number): number => Math.min(at, Math.max(holdUs, next));
  const waitUs = { fromUs: wait(atA.fromUs, above.fromUs), toUs: wait(atA.toUs, above.toUs) };
  return { ...answer, waitUs, why: `${answer.why} (A is ${allowance.value})` };
}

/** LIM-C11: a change of the algorithm may grant one further budget. */
function wasCountedOtherwise(level: Level, { book, entry }: Asking, ledger: string): boolean {
  const others = (book.siblings.get(level.budget) ?? []).filter((name) => name !== ledger);
  return others
    .flatMap((name) => book.ledgers.get(name) ?? [])
    .some(
      ({ row, algorithm, hiUs }) =>
        algorithm !== level.algorithm &&
        row < entry.moment.row &&
        hiUs > entry.moment.loUs - 2 * level.limit.perUs,
    );
}
