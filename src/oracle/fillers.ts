// Which earlier requests a budget was full of.
import type { Asking } from "./asking.ts";
import { ledgerOf } from "./book.ts";
import { ruleOf } from "./by-algorithm.ts";
import type { Level } from "./levels.ts";
import { pastOf } from "./past.ts";
import type { Filler } from "./rule.ts";

export function fillersOf(level: Level, asking: Asking): Filler[] {
  const { book, world, entry, inSteps } = asking;
  const now = entry.moment;
  const ledger = book.ledgers.get(ledgerOf(level, now.gateway))!;
  const past = pastOf(ledger, now, world, { sinceUs: Number.NEGATIVE_INFINITY, inSteps });
  return ruleOf(level).fillers(level, asking, past);
}
