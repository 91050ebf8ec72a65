// What demand is held against: the rate of each budget that decided, as long as it was in force.
import { formatDuration, SECOND } from "../../core/units.ts";
import type { BudgetText, History } from "../../scenario/history.ts";
import type { Steps } from "../model-figures.ts";
import { rounded, timeOf, type Bins } from "./bins.ts";

const MOST_LIMITS = 6;

/**
 * One line for all budgets that were alike, and none where more than a few differ: nobody would find theirs.
 * A line so far above all traffic that it would press it flat is left out, too.
 */
export function limitLines(history: History, { untilS }: Bins, highest: number): readonly Steps[] {
  const lines = new Map<string, Steps>();
  for (const texts of inForce(history)) {
    const line = lineOf(texts, untilS);
    lines.set(JSON.stringify(line), line);
  }
  const near = [...lines.values()].filter(({ values }) => Math.max(...values) <= highest * 3);
  return lines.size > MOST_LIMITS ? [] : near;
}

interface InForce {
  readonly text: BudgetText;
  readonly fromS: number;
}

/** By the name of the budget: what was said of it, in the order of the first decisions. */
function inForce(history: History): readonly (readonly InForce[])[] {
  const { budgets } = history.header;
  const { budget } = history.requests;
  const firstRows = new Map<number, number>();
  for (let row = 0; row < budget.length; row++)
    if (budget[row]! >= 0 && !firstRows.has(budget[row]!)) firstRows.set(budget[row]!, row);
  const known = [...firstRows]
    .map(([index, row]) => ({
      text: budgets[index]!,
      fromS: rounded(timeOf(history, row) / SECOND),
    }))
    .filter(({ text }) => text.scope !== "quota" && text.rate > 0 && Number.isFinite(text.perUs));
  return [...Map.groupBy(known, ({ text }) => text.name).values()];
}

function lineOf(texts: readonly InForce[], untilS: number): Steps {
  const words = texts.map(({ text }) => `${text.rate} per ${formatDuration(text.perUs)}`);
  const values = texts.map(({ text }) => rounded((text.rate * SECOND) / text.perUs));
  return {
    what: `limit: ${[...new Set(words)].join(", then ")}`,
    at: [0, ...texts.slice(1).map(({ fromS }) => fromS), untilS],
    values: [...values, values.at(-1)!],
  };
}
