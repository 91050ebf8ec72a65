// The counting of a level that imitates another limiter: its rule, and the additions of `around.ts`.
import type { Imitation } from "../../core/imitation.ts";
import type { BoundLevel, Counting } from "../counting.ts";
import type { BudgetTable, CellTable } from "../table.ts";
import {
  changeSpent,
  withBlock,
  withChangedLimit,
  withCoarseClock,
  withFewKeys,
} from "./around.ts";
import {
  changeSaved,
  isNeverStored,
  NEVER_STORED,
  ON_CREDIT,
  WHOLE_TOKENS,
  WITHIN_WINDOW,
} from "./buckets.ts";
import { imitateLog } from "./log.ts";
import { imitateQueue } from "./queue.ts";
import { imitateTwoWindows } from "./two-windows.ts";
import { imitateWindows } from "./windows.ts";

export function imitate(bound: BoundLevel, imitation: Imitation): BoundLevel {
  const { blockUs, keys, clockResolutionUs, changedLimit } = imitation;
  let counting = ruleOf(bound, imitation);
  if (changedLimit === "units_stay" || changedLimit === "share_stays")
    counting = withChangedLimit(
      counting,
      changedLimit === "share_stays",
      imitation.tokens === "on_credit" ? changeSaved : changeSpent,
    );
  if (blockUs !== null) counting = withBlock(counting, blockUs);
  if (keys !== null) counting = withFewKeys(counting, keys);
  if (clockResolutionUs !== null) counting = withCoarseClock(counting, clockResolutionUs);
  return { ...bound, counting };
}

function ruleOf(
  { level, table, counting }: BoundLevel,
  imitation: Imitation,
): Counting<BudgetTable> {
  switch (table.kind) {
    case "counter":
      return imitateWindows(imitation);
    case "two_windows":
      return imitateTwoWindows(imitation);
    case "log":
      return imitateLog(imitation);
    case "debt":
      if (imitation.lifetime !== null && isNeverStored(level, table)) return NEVER_STORED;
      return bucketOf(imitation) ?? counting;
    case "queue":
      return imitation.savedTurns === null ? counting : imitateQueue(imitation.savedTurns);
  }
}

function bucketOf({ tokens }: Imitation): Counting<CellTable> | null {
  switch (tokens) {
    case "whole":
      return WHOLE_TOKENS;
    case "on_credit":
      return ON_CREDIT;
    case "within_window":
      return WITHIN_WINDOW;
    case null:
      return null;
  }
}
