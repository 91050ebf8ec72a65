// The levels that are counted otherwise: in windows, as a debt, or over two windows.
import type { Asking, Running } from "./asking.ts";
import { judgeDebt } from "./debt.ts";
import type { Ledger } from "./ledger.ts";
import type { Answer } from "./level-answer.ts";
import { capacityOf, type Level } from "./levels.ts";
import { isPlainPast, pastOf, rowsAbove } from "./past.ts";
import { judgeTwoWindows } from "./two-windows.ts";
import { afterwards, judgeWindow, NO_WINDOW, type Possibility, type WindowRule } from "./window.ts";

export function answerOfCount(
  level: Level,
  asking: Asking,
  ledger: Ledger,
  running: Running,
): Answer {
  const { entry, epochUs, world, inSteps } = asking;
  const { moment } = entry;
  const { options } = entry.configuration;
  const { perUs, rate } = level.limit;
  const capacity = capacityOf(level);
  const all = { sinceUs: Number.NEGATIVE_INFINITY, inSteps };
  const counted = (share: number, alignedToUs: number | null): Answer => {
    const isRaced = inSteps && world.storeFlightUs > 0;
    const rule = { perUs, capacity: share, shown: capacity, alignedToUs, isRaced };
    return judgeWindow(windowsBefore(asking, ledger, running, rule), moment, rule);
  };
  switch (level.algorithm) {
    case "fixed_window":
      return counted(capacity, options.fixedWindowStart === "clock" ? epochUs : null);
    case "drl":
      return counted(shareOf(capacity, rate, entry.gateways), null);
    case "quota":
      return counted(capacity, null);
    case "token_bucket":
      return judgeDebt(pastOf(ledger, moment, world, all), moment, {
        rate,
        perUs,
        burst: capacity,
      });
    case "gcra": {
      // More at once than the rate allows would break LIM-1 in a single window.
      const burst = options.burst === "rate" ? capacity : Math.min(capacity, options.burst);
      return judgeDebt(pastOf(ledger, moment, world, all), moment, {
        rate,
        perUs,
        burst,
      });
    }
    case "sliding_window_counter": {
      const past = pastOf(ledger, moment, world, { sinceUs: moment.loUs - 2 * perUs, inSteps });
      return judgeTwoWindows(past, moment, { rate, perUs, epochUs });
    }
    case "sliding_log":
    case "non_transactional":
    case "sentinel":
    case "bounded_log":
      throw new Error(`${level.algorithm} is a log`);
  }
}

/** ALG-C4: at least one each, unless the limit admits nothing. */
const shareOf = (capacity: number, rate: number, gateways: number): number =>
  capacity < 1 ? 0 : Math.max(1, Math.floor(rate / gateways));

function windowsBefore(
  { entry, world, inSteps }: Asking,
  ledger: Ledger,
  running: Running,
  rule: WindowRule,
): readonly Possibility[] {
  const { moment } = entry;
  if (!isPlainPast(ledger, world, inSteps)) {
    return afterwards(
      [NO_WINDOW],
      pastOf(ledger, moment, world, { sinceUs: Number.NEGATIVE_INFINITY, inSteps }),
      rule,
    );
  }
  const { upTo, possibilities } = running.windows;
  const here = rowsAbove(ledger, moment.row);
  running.windows = {
    upTo: here,
    possibilities: afterwards(possibilities, ledger.past.slice(upTo, here), rule),
  };
  return running.windows.possibilities;
}
