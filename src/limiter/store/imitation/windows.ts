// Fixed windows of other products: they begin or end at other times, or count refused requests. A budget has the cells
// of a fixed window: its start and its count.
import { budgetName, isForAll } from "../../core/budget.ts";
import type { Imitation } from "../../core/imitation.ts";
import { client } from "../../core/client.ts";
import { SECOND } from "../../../kit/units.ts";
import type { BoundLevel, Counting } from "../counting.ts";
import { identityOf } from "../rows.ts";
import type { CellTable } from "../table.ts";
import { checksumOf } from "./checksum.ts";
import { countingBy, extraOf } from "./imitated-rule.ts";

type Bound = BoundLevel<CellTable>;

const START = 0;
const COUNT = 1;

export function imitateWindows(imitation: Imitation): Counting<CellTable> {
  const { refused, windowStart } = imitation;
  const beginsWithRefusal = windowStart === "first_of_key" || windowStart === "drifting";
  // One microsecond more, so that a request exactly one window old is still counted.
  const longerUs = imitation.windowEnd === "counted" ? 1 : 0;

  const capacityOf = ({ level: { capacity, budget } }: Bound): number =>
    imitation.lastOfWindow === null || isForAll(budget) ? capacity : capacity - 1;
  const endUs = ({ table, row }: Bound): number =>
    table.cells[row * table.width + START]! + table.perUs + longerUs;
  const countAt = (bound: Bound, atUs: number): number =>
    atUs < endUs(bound) ? bound.table.cells[bound.row * bound.table.width + COUNT]! : 0;

  function count(bound: Bound, atUs: number, units: number): void {
    const { table, row } = bound;
    const before = countAt(bound, atUs);
    if (atUs >= endUs(bound)) table.cells[row * table.width + START] = startOf(bound, atUs);
    table.cells[row * table.width + COUNT] = before + units;
  }

  function startOf(bound: Bound, atUs: number): number {
    const { perUs } = bound.table;
    switch (windowStart) {
      case "first_of_key":
        return atUs - ((atUs - firstOf(bound, atUs)) % perUs);
      case "drifting": {
        const lateUs = atUs - endUs(bound);
        return Number.isFinite(lateUs) ? atUs - sinceStart(lateUs, perUs) : atUs;
      }
      case "hash_of_key":
        return atUs - ((atUs - shiftOf(bound) + perUs) % perUs);
      case "first_request":
      case null:
        return bound.level.startsAtClock ? atUs - (atUs % perUs) : atUs;
    }
  }

  return countingBy<CellTable>({
    wait: (bound, atUs, units) => {
      const capacity = capacityOf(bound);
      if (countAt(bound, atUs) + units <= capacity) return 0;
      return capacity < units ? Number.POSITIVE_INFINITY : endUs(bound) - atUs;
    },
    spend: count,
    refuse: (bound, atUs, units) => {
      if (beginsWithRefusal) count(bound, atUs, 0);
      if (refused !== null && refused !== "free" && refused !== "opens_window")
        count(bound, atUs, units);
      if (refused === "extends") bound.table.cells[bound.row * bound.table.width + START] = atUs;
    },
    remaining: (bound, atUs) => Math.max(0, capacityOf(bound) - countAt(bound, atUs)),
    fullUs: endUs,
    giveBack: ({ cells, width }, row, _, units) => {
      cells[row * width + COUNT] = Math.max(0, cells[row * width + COUNT]! - units);
    },
  });
}

/** When the client sent its first request, admitted or not. */
function firstOf(bound: Bound, atUs: number): number {
  const extra = extraOf(bound);
  if (extra.startUs < 0) extra.startUs = atUs;
  return extra.startUs;
}

const MILLISECOND = 1_000;

/** How long ago the present window began, if the last one ended `lateUs` ago; in whole milliseconds. */
const sinceStart = (lateUs: number, perUs: number): number =>
  (Math.floor(lateUs / MILLISECOND) * MILLISECOND) % perUs;

/** How far windows end after multiples of their length: the key's checksum modulo the window's seconds, plus 1 s. */
function shiftOf({ level, table, row }: Bound): number {
  const holder = client(identityOf(table.rows.holders[row]!));
  const seconds = Math.max(1, Math.floor(table.perUs / SECOND));
  return ((checksumOf(budgetName(level.budget, holder)) % seconds) + 1) * SECOND;
}
