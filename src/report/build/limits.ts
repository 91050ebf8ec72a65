// What demand is held against: the rate of each limit that decided, from its first decision to its first by another rate.
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

/**
 * What said of one limit which rate it was, each until the next one decided: a limit that is changed back is in
 * force again, and one of another window is another budget by name and the same limit to a reader.
 */
function inForce(history: History): readonly (readonly InForce[])[] {
  const { requests, header } = history;
  const limits = new Map<string, InForce[]>();
  for (let row = 0; row < requests.length; row++) {
    const text = header.budgets[requests.budget[row]!];
    if (text === undefined || !isRate(text)) continue;
    const limit = limitOf(text, requests.key[row]!);
    const known = limits.get(limit);
    const last = known?.at(-1);
    if (last?.text.rate === text.rate && last.text.perUs === text.perUs) continue;
    // Decisions stand in their order, which is not always that of the plan.
    const fromS = Math.max(last?.fromS ?? 0, rounded(timeOf(history, row) / SECOND));
    if (known === undefined) limits.set(limit, [{ text, fromS }]);
    else known.push({ text, fromS });
  }
  return [...limits.values()];
}

const isRate = ({ scope, rate, perUs }: BudgetText): boolean =>
  scope !== "quota" && rate > 0 && Number.isFinite(perUs);

/** Whose limit it is and of what: the name of the budget without its window, and without the word of an outage. */
function limitOf({ name, scope, perUs }: BudgetText, key: number): string {
  const what = name.replace(/^fallback\//, "").replace(`/${perUs}us`, "");
  return JSON.stringify([scope.startsWith("api") ? null : key, scope, what]);
}

const MOST_WORDS = 4;

function lineOf(texts: readonly InForce[], untilS: number): Steps {
  const words = texts.map(({ text }) => `${text.rate} per ${formatDuration(text.perUs)}`);
  const values = texts.map(({ text }) => rounded((text.rate * SECOND) / text.perUs));
  const untold = words.length - MOST_WORDS;
  return {
    what: `limit: ${words.slice(0, MOST_WORDS).join(", then ")}${untold > 0 ? `, and ${untold} more` : ""}`,
    at: [0, ...texts.slice(1).map(({ fromS }) => fromS), untilS],
    values: [...values, values.at(-1)!],
  };
}
