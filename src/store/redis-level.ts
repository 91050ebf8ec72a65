// A level as a script gets to know it: its numbers in one row, made once.
import { budgetName, isForAll, isQuota } from "../core/budget.ts";
import { allOf } from "../algorithms/sliding-window-counter/rule.ts";
import type { Client } from "../core/client.ts";
import type { Level } from "../core/store.ts";
import { formOf, type Form } from "./lua/script.ts";

export interface PackedLevel {
  readonly level: Level;
  readonly form: Form;
  readonly isForAll: boolean;
  readonly numbers: readonly number[];
  readonly keepMs: number; // expiry of what the last write has left; -1: none
  readonly foreverMs: number; // of what only another request ends
}

/** Beyond this a store of Redis' kind cannot add it to its clock. */
const LONGEST_MS = 1e14;

export interface Expiry {
  readonly marginMs: number; // by how much it comes later than it could
  readonly longestMs: number; // nothing outlives it, not even what never renews
}

/**
 * An expiry frees memory and decides nothing: it comes when nothing counts any more, `marginMs` later, and up to
 * twice as late as that.
 */
export function packLevel(level: Level, { marginMs, longestMs }: Expiry): PackedLevel {
  const { budget, rule } = level;
  const { rate, perUs } = budget.limit;
  const form = formOf(level);
  const isShared = isForAll(budget);
  const lastsUs = Math.max(level.traits.lookbackWindows * perUs, 2 * (rule?.delayUs ?? 0));
  const expiryMs = (ms: number): number => {
    const least = Math.min(ms, longestMs);
    return least < LONGEST_MS ? least : -1;
  };
  const keepMs = expiryMs(Math.ceil(lastsUs / 1_000) + marginMs);
  // The falls of an allowance above its threshold are made up at the next request, whenever it comes (SMO-C6).
  const foreverMs = expiryMs(Number.POSITIVE_INFINITY);
  const numbers = [
    form.kind,
    form.isReadAtOnce ? 2 : 1, // how stamps are kept
    isQuota(budget.scope) ? (budget.scope === "quota" ? 1 : 2) : 0,
    Number(isShared),
    Number(level.startsAtClock),
    Number(level.fixedMark),
    Number(rule !== null),
    level.capacity,
    rate,
    level.burst,
    perUs,
    allOf(rate, perUs),
    // Of a rate of 1.75 it matters to a smoothed log whether one attempt or two are there (SMO-4).
    rule === null ? level.capacity : Math.ceil(rate),
    keepMs,
    foreverMs,
    rule?.threshold ?? 0,
    rule?.step ?? 0,
    rule?.ceiling ?? 0,
    rule?.riseMargin ?? 0,
    rule?.fallMargin ?? 0,
    rule?.delayUs ?? 0,
  ];
  return { level, form, isForAll: isShared, numbers, keepMs, foreverMs };
}

/** Everything of one budget lies in one slot of a cluster: its name is the hash tag. */
export const keyStem = (prefix: string, { budget }: Level, asking: Client): string =>
  `${prefix}{${budgetName(budget, asking)}}`;

/** Every key that a budget may have. */
export function keysOf(prefix: string, level: Level, asking: Client): readonly string[] {
  const { record, log } = formOf(level);
  const stem = keyStem(prefix, level, asking);
  return [record, log].flatMap((ending) => (ending === null ? [] : [stem + ending]));
}
