// A log without smoothing (ALG-C2): every unit of an attempt is a timestamp, and the capacity of a window is the limit.
import { waitUnwritten, waitWritten } from "./rule.ts";
import * as stamps from "./stamps.ts";
import type { Level } from "../../core/store.ts";
import type { Micros } from "../../../kit/units.ts";
import type { BoundLevel, Counting } from "../../store/counting.ts";
import type { LogTable } from "../../store/table.ts";
import { offer } from "../../store/shown-budget.ts";

/** Writes an attempt, admitted or not. A bounded log then drops timestamps that can no longer decide anything. */
export function write(
  { level, table, row }: BoundLevel<LogTable>,
  atUs: Micros,
  units: number,
): void {
  stamps.insert(table.stamps, row, atUs, units);
  if (level.traits.isBounded) bound(level, table, row);
}

function bound(level: Level, table: LogTable, row: number): void {
  // Smoothing compares the number of attempts with the exact rate: at 1.75, the log must retain two (SMO-4).
  const own = level.rule === null ? level.capacity : Math.ceil(level.budget.limit.rate);
  const most = Math.max(own, table.bounds.get(row) ?? 0);
  table.bounds.set(row, most);
  stamps.trim(table.stamps, row, most);
}

export const removeStamps = (
  { stamps: log }: LogTable,
  row: number,
  takenUs: Micros,
  units: number,
): void => stamps.remove(log, row, takenUs, units);

export const PLAIN_LOG: Counting<LogTable> = {
  evaluate: ({ level, table, row }, atUs, written, units) => {
    const { stamps: log, perUs } = table;
    stamps.prune(log, row, atUs - perUs);
    return written
      ? waitWritten(log, row, level.capacity, perUs, atUs, units)
      : waitUnwritten(log, row, level.capacity, perUs, atUs, units);
  },
  spend: (one, index, atUs, reply, units) => {
    write(one, atUs, units);
    const { level, table, row } = one;
    const { stamps: log, perUs } = table;
    const left = level.capacity - stamps.countOf(log, row);
    // The reset: when the newest timestamp leaves the window; if no budget is left, when another attempt fits.
    const leaves = stamps.newest(log, row, left > 0 ? 1 : level.capacity);
    offer(one, index, level.capacity, left, leaves + perUs, reply);
  },
  writeRefused: (one, atUs, _, units) => write(one, atUs, units),
  limit: ({ level }) => level.capacity,
  // `evaluate` has removed old timestamps before this call.
  remaining: ({ level, table, row }) =>
    Math.max(0, level.capacity - stamps.countOf(table.stamps, row)),
  fullUs: ({ table, row }, atUs) =>
    Math.max(atUs, stamps.newest(table.stamps, row, 1) + table.perUs),
  nextWait: ({ level, table, row }, atUs) =>
    waitUnwritten(table.stamps, row, level.capacity, table.perUs, atUs, 1),
  giveBack: removeStamps,
};
