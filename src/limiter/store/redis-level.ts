// A level in the form that scripts read: its numbers in one row, built once.
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
  readonly foreverMs: number; // expiry of a record that has an effect until the next request
}

/** The longest expiry in milliseconds: a Redis-compatible store cannot add more to its clock. */
const LONGEST_MS = 1e14;

export interface Expiry {
  readonly marginMs: number; // added to the time after which a record has no effect
  readonly longestMs: number; // the longest expiry, even of a record that is never renewed
}

/** An expiry only frees memory. A record expires between `marginMs` and twice that time after its last effect. */
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
  // Pending falls of an allowance are applied at the next request, however late it is (SMO-C6).
  const foreverMs = expiryMs(Number.POSITIVE_INFINITY);
  const numbers = [
    form.kind,
    form.isReadAtOnce ? 2 : 1, // where the attempts are: 1 sorted set, 2 row
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
    // With a rate of 1.75, smoothing has to distinguish one attempt from two (SMO-4).
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

/** All keys of one budget are in the same slot of a cluster, because the budget's name is their hash tag. */
export const keyStem = (prefix: string, { budget }: Level, client: Client): string =>
  `${prefix}{${budgetName(budget, client)}}`;

/** All keys that a budget can have. */
export function keysOf(prefix: string, level: Level, client: Client): readonly string[] {
  const { record, log } = formOf(level);
  const stem = keyStem(prefix, level, client);
  return [record, log].flatMap((ending) => (ending === null ? [] : [stem + ending]));
}
