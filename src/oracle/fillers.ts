// The earlier requests that filled a budget.
import type { EvaluationContext } from "./context.ts";
import { ledgerOf } from "./book.ts";
import { ruleOf } from "./by-algorithm.ts";
import type { OracleLevel } from "./levels.ts";
import { pastOf } from "./past.ts";
import type { Filler } from "./rule.ts";

export function fillersOf(level: OracleLevel, context: EvaluationContext): Filler[] {
  const { book, world, entry, inSteps } = context;
  const now = entry.moment;
  const ledger = book.ledgers.get(ledgerOf(level, now.gateway))!;
  const past = pastOf(ledger, now, world, { sinceUs: Number.NEGATIVE_INFINITY, inSteps });
  return ruleOf(level).fillers(level, context, past);
}
