// Which earlier requests a budget was full of.
import type { Asking } from "./asking.ts";
import { ledgerOf } from "./book.ts";
import type { Attempt, Moment, Past } from "./ledger.ts";
import { capacityOf, isLog, type Level } from "./levels.ts";
import { pastOf } from "./past.ts";
import { modulo } from "./window.ts";

export interface Filler {
  readonly attempt: Attempt;
  readonly counts: "yes" | "maybe";
}

export function fillersOf(level: Level, asking: Asking): Filler[] {
  const { book, world, entry, inSteps, epochUs } = asking;
  const now = entry.moment;
  const ledger = book.ledgers.get(ledgerOf(level, now.gateway))!;
  const { perUs } = level.limit;
  const past = pastOf(ledger, now, world, { sinceUs: Number.NEGATIVE_INFINITY, inSteps });
  if (isLog(level)) {
    const inWindow = past.filter(
      ({ attempt }) => attempt.trace !== "visited" && attempt.hiUs > now.loUs - perUs,
    );
    return level.algorithm === "bounded_log" ? inWindow.slice(-capacityOf(level)) : inWindow;
  }
  const admitted = past.filter(({ attempt }) => attempt.trace === "admitted");
  switch (level.algorithm) {
    case "token_bucket":
    case "gcra":
      return sinceNothingWasOwed(admitted, now, level.limit.rate, perUs);
    case "sliding_window_counter": {
      const startUs = now.loUs - modulo(epochUs + now.loUs, perUs) - perUs;
      return admitted.filter(({ attempt }) => attempt.hiUs >= startUs);
    }
    case "sliding_log":
    case "non_transactional":
    case "sentinel":
    case "bounded_log":
    case "fixed_window":
    case "drl":
    case "quota": {
      const isClock =
        level.algorithm === "fixed_window" &&
        entry.configuration.options.fixedWindowStart === "clock";
      const startUs = isClock
        ? now.loUs - modulo(epochUs + now.loUs, perUs)
        : lastStart(admitted, perUs);
      return admitted.filter(({ attempt }) => attempt.hiUs >= startUs);
    }
  }
}

/** Where the window that now runs began: each begins with the first request after the one before it. */
function lastStart(admitted: readonly Past[], perUs: number): number {
  let startUs = Number.NEGATIVE_INFINITY;
  for (const { attempt } of admitted) if (attempt.loUs >= startUs + perUs) startUs = attempt.loUs;
  return startUs;
}

/** The requests after the last moment at which the budget was whole: they make up all that is owed. */
function sinceNothingWasOwed(
  admitted: readonly Past[],
  now: Moment,
  rate: number,
  perUs: number,
): Filler[] {
  const owedFrom = (index: number): number =>
    (admitted.length - index) * perUs - (now.loUs - admitted[index]!.attempt.loUs) * rate;
  const all = admitted.map((_, index) => owedFrom(index));
  const most = Math.max(0, ...all);
  return most === 0 ? [] : admitted.slice(all.indexOf(most));
}
