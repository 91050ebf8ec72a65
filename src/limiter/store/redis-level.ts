// A level as scripts read it: its numbers in one row, built once.
import { budgetName, isForAll, isQuota } from "../core/budget.ts";
import { longestUs } from "../algorithms/leaky-bucket/rule.ts";
import { lastsUsOf } from "../algorithms/token-bucket/rule.ts";
import { allOf } from "../algorithms/sliding-window-counter/rule.ts";
import type { Client } from "../core/client.ts";
import type { Level } from "../core/store.ts";
import { formOf, type Form } from "./lua/script.ts";

export interface PackedLevel {
  readonly level: Level;
  readonly form: Form;
  readonly isForAll: boolean;
  readonly numbers: readonly number[];
  readonly keepMs: number; // expiry after the last write; -1: none
  readonly foreverMs: number; // of a record that only another request can end
}

/** A store of Redis' kind cannot add more to its clock. */
const LONGEST_MS = 1e14;

export interface Expiry {
  readonly marginMs: number; // added to each expiry
  readonly longestMs: number; // the longest expiry, also of records that never renew it
}

/**
 * An expiry frees memory and decides nothing: it follows when nothing counts any more, `marginMs` later, and up to
 * twice as late as that.
 */
export function packLevel(level: Level, { marginMs, longestMs }: Expiry): PackedLevel {
  const { budget, rule } = level;
  const { rate, perUs } = budget.limit;
  const form = formOf(level);
  const isShared = isForAll(budget);
  const lastsUs = Math.max(
    level.traits.lookbackWindows * perUs,
    2 * (rule?.delayUs ?? 0),
    level.traits.delays ? longestUs(rate, level.burst, perUs) : 0,
    level.traits.state === "debt" ? lastsUsOf(level) : 0,
  );
  const expiryMs = (ms: number): number => {
    const least = Math.min(ms, longestMs);
    return least < LONGEST_MS ? least : -1;
  };
  const keepMs = expiryMs(Math.ceil(lastsUs / 1_000) + marginMs);
  // Falls of an allowance above its threshold are applied at the next request, however late (SMO-C6).
  const foreverMs = expiryMs(Number.POSITIVE_INFINITY);
  const numbers = [
    form.kind,
    form.isReadAtOnce ? 2 : 1, // the container of the attempts
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
    // A smoothed log with a rate of 1.75 has to distinguish one attempt from two (SMO-4).
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

/** All keys of one budget share a slot of a cluster: the budget's name is the hash tag. */
export const keyStem = (prefix: string, { budget }: Level, client: Client): string =>
  `${prefix}{${budgetName(budget, client)}}`;

/** Every key that a budget may have. */
export function keysOf(prefix: string, level: Level, client: Client): readonly string[] {
  const { record, log } = formOf(level);
  const stem = keyStem(prefix, level, client);
  return [record, log].flatMap((ending) => (ending === null ? [] : [stem + ending]));
}
