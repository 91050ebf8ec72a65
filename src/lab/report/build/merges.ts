import { mergeTables, type MergeTable } from "../../check/merge-table.ts";
import type { History } from "../../scenario/history.ts";
import type { Variant } from "../../scenario/types.ts";
import type { MergesReport, MergeTableReport } from "../model-merges.ts";

const MOST_TABLES = 20;
const MOST_KEYS = 3;

export const NO_MERGES: MergesReport = { tables: [], leftOut: 0 };

export function mergesOf(variant: Variant, history: History): MergesReport {
  const tables = mergeTables(variant, history);
  return {
    tables: tables.slice(0, MOST_TABLES).map(tableOf),
    leftOut: Math.max(0, tables.length - MOST_TABLES),
  };
}

const tableOf = ({ keys, rows, ...table }: MergeTable): MergeTableReport => ({
  ...table,
  keys: keys.slice(0, MOST_KEYS),
  moreKeys: Math.max(0, keys.length - MOST_KEYS),
  rows: rows.map(({ policy, from, limit }) => ({
    policy,
    from,
    limit: limit === null ? null : { rate: limit.rate, perUs: limit.perUs },
  })),
});
