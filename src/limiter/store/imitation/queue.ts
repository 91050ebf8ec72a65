// A queue of other products that refuses nothing: each request waits for its turn, and an idle client saves up turns.
import type { BoundLevel, Counting } from "../counting.ts";
import { showBudget } from "../shown-budget.ts";
import type { CellTable } from "../table.ts";
import { extraOf } from "./imitated-rule.ts";

type Bound = BoundLevel<CellTable>;

/** The turn of the last request, as time since the first one: Unix time is too large for exact fractions. */
const TURN = 0;
const IS_USED = 1;

const NANOSECONDS = 1_000;

/** The time between two turns, rounded down to nanoseconds. */
const intervalOf = ({ level, table }: Bound): number =>
  Math.floor((table.perUs * NANOSECONDS) / level.budget.limit.rate) / NANOSECONDS;

export const imitateQueue = (savedTurns: number): Counting<CellTable> => {
  const sinceFirst = (bound: Bound, atUs: number): number => {
    const extra = extraOf(bound);
    if (extra.startUs < 0) extra.startUs = atUs;
    return atUs - extra.startUs;
  };

  function nextTurn(bound: Bound, atUs: number): number {
    const { table, row } = bound;
    const at = row * table.width;
    const now = sinceFirst(bound, atUs);
    const last = table.cells[at + TURN]!;
    const interval = intervalOf(bound);
    if (table.cells[at + IS_USED] === 0) return now;
    return now - last > (savedTurns + 1) * interval ? now - savedTurns * interval : last + interval;
  }

  const delayOf = (bound: Bound, atUs: number): number =>
    Math.max(0, Math.ceil(nextTurn(bound, atUs) - sinceFirst(bound, atUs)));

  return {
    evaluate: ({ level }) => (level.capacity < 1 ? Number.POSITIVE_INFINITY : 0),
    delay: delayOf,
    spend: (bound, index, atUs, reply) => {
      const { table, row } = bound;
      table.cells.set([nextTurn(bound, atUs), 1], row * table.width);
      showBudget(bound, index, atUs, reply);
    },
    writeRefused: () => {},
    limit: ({ level }) => level.shownLimit,
    remaining: ({ level }) => level.capacity,
    fullUs: (bound, atUs) => atUs + delayOf(bound, atUs),
    nextWait: () => 0,
    giveBack: () => {},
  };
};
