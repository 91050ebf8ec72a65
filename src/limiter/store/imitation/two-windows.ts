// Two windows of other products: the earlier one is weighted. A budget has the cells of the sliding window counter.
import { allOf } from "../../algorithms/sliding-window-counter/rule.ts";
import type { Imitation } from "../../core/imitation.ts";
import type { BoundLevel, Counting } from "../counting.ts";
import type { CellTable } from "../table.ts";
import { countingBy } from "./imitated-rule.ts";

type Bound = BoundLevel<CellTable>;

const START = 0;
const PREVIOUS = 1;
const CURRENT = 2;

interface Windows {
  readonly startUs: number;
  readonly previous: number;
  readonly current: number;
}

export function imitateTwoWindows(imitation: Imitation): Counting<CellTable> {
  const isByRequest = imitation.windowStart === "first_request";

  function windowsAt({ table, row }: Bound, atUs: number): Windows {
    const { cells, width, perUs } = table;
    const at = row * width;
    const writtenUs = cells[at + START]!;
    const presentUs = isByRequest
      ? writtenUs + perUs * Math.max(0, Math.floor((atUs - writtenUs) / perUs))
      : Math.max(writtenUs, atUs - (atUs % perUs));
    const passed = Math.round((presentUs - writtenUs) / perUs);
    if (passed === 0)
      return { startUs: writtenUs, previous: cells[at + PREVIOUS]!, current: cells[at + CURRENT]! };
    if (passed === 1) return { startUs: presentUs, previous: cells[at + CURRENT]!, current: 0 };
    // After two windows without a request, the next request begins a new window.
    return { startUs: isByRequest ? atUs : presentUs, previous: 0, current: 0 };
  }

  /** The weight of the earlier window in units times `perUs`. Some imitations round it to whole units. */
  function weightOf({ startUs, previous, current }: Windows, perUs: number, atUs: number): number {
    const inside = Math.min(perUs, startUs + perUs - atUs);
    switch (imitation.weights) {
      case "rounded_down":
        return Math.floor((previous * inside) / perUs) * perUs;
      case "single_in_full":
        return current === 0 && previous <= 1
          ? previous * perUs
          : Math.floor((previous * inside) / perUs) * perUs;
      case "floating":
        return Math.floor((1 - (perUs - inside) / perUs) * previous) * perUs;
      case null:
        return previous * inside;
    }
  }

  const roomAt = ({ level, table }: Bound, windows: Windows, atUs: number): number =>
    allOf(level.budget.limit.rate, table.perUs) -
    weightOf(windows, table.perUs, atUs) -
    windows.current * table.perUs;

  function count(bound: Bound, atUs: number, units: number): void {
    const { table, row } = bound;
    const { startUs, previous, current } = windowsAt(bound, atUs);
    table.cells.set([startUs, previous, current + units], row * table.width);
  }

  /** How long until the units fit. Searches this window, in which the earlier one loses weight, then the next. */
  function wait(bound: Bound, atUs: number, units: number): number {
    const { level, table } = bound;
    const { perUs } = table;
    if (level.budget.limit.rate < units) return Number.POSITIVE_INFINITY;
    const windows = windowsAt(bound, atUs);
    const isAdmitted = (us: number, then: Windows): boolean =>
      roomAt(bound, then, us) >= units * perUs;
    if (isAdmitted(atUs, windows)) return 0;
    const nextUs = windows.startUs + perUs;
    const next = { startUs: nextUs, previous: windows.current, current: 0 };
    return (
      (firstUs(atUs, nextUs - 1, (us) => isAdmitted(us, windows)) ??
        firstUs(nextUs, nextUs + perUs, (us) => isAdmitted(us, next)) ??
        nextUs + perUs) - atUs
    );
  }

  return countingBy<CellTable>({
    wait,
    spend: count,
    refuse: (bound, atUs, units) => {
      const opens = imitation.refused === "opens_window" && windowsAt(bound, atUs).current === 0;
      const { refused } = imitation;
      if (refused === "counted" || refused === "counted_by_all" || opens) count(bound, atUs, units);
    },
    remaining: (bound, atUs) =>
      Math.max(0, Math.floor(roomAt(bound, windowsAt(bound, atUs), atUs) / bound.table.perUs)),
    fullUs: (bound, atUs) => {
      const { startUs, current } = windowsAt(bound, atUs);
      return startUs + (current > 0 ? 2 : 1) * bound.table.perUs;
    },
    giveBack: ({ cells, width }, row, _, units) => {
      cells[row * width + CURRENT] = Math.max(0, cells[row * width + CURRENT]! - units);
    },
  });
}

/** The first time from which on `holds` is true; null: `holds` is false at `toUs` too. */
function firstUs(fromUs: number, toUs: number, holds: (us: number) => boolean): number | null {
  if (!holds(toUs)) return null;
  let [low, high] = [fromUs, toUs];
  while (low < high) {
    const middle = Math.floor((low + high) / 2);
    if (holds(middle)) high = middle;
    else low = middle + 1;
  }
  return low;
}
