// The effective limits of keys with several policies, for every key that sent requests.
import type { Micros } from "../../kit/units.ts";
import { listMergedLimits, type MergedLimit } from "../oracle/merge-table.ts";
import { worldOf, type Epoch } from "../oracle/world.ts";
import type { History } from "../scenario/history.ts";
import type { Variant } from "../scenario/types.ts";

export interface MergeTable extends MergedLimit {
  readonly keys: readonly string[]; // keys that apply the same policies in the same order
  readonly sinceUs: Micros | null; // null: since the start of the run
}

/** Returns the tables at the start and, after each change, the tables that the change altered. */
export function mergeTables(variant: Variant, history: History): readonly MergeTable[] {
  const { header, requests } = history;
  // Most worlds have nothing to merge, and only calls and injected faults can change that.
  const isMerged = [...(variant.world.configuration?.keys.values() ?? [])].some(isGoverned);
  if (!isMerged && variant.calls.length === 0 && variant.faults.length === 0) return [];
  const keyIndexes = new Set(requests.key);
  const senders = new Set(header.keys.filter((_, index) => keyIndexes.has(index)));
  const tables: MergeTable[] = [];
  const lastRows = new Map<string, string>();
  for (const { atUs, configuration } of worldOf(variant, history)?.epochs ?? [])
    for (const [first, ...others] of groupsOf(configuration, senders)) {
      const keys = [first!, ...others].map(({ id }) => id);
      for (const laid of listMergedLimits(first!, configuration)) {
        const place = JSON.stringify([keys, laid.api]);
        const rows = JSON.stringify(laid.rows);
        if (lastRows.get(place) === rows) continue;
        lastRows.set(place, rows);
        tables.push({ ...laid, keys, sinceUs: Number.isFinite(atUs) ? atUs : null });
      }
    }
  return tables;
}

const isGoverned = ({ applyPolicies }: Pick<Key, "applyPolicies">): boolean =>
  applyPolicies.length > 1;

type Key = Parameters<typeof listMergedLimits>[0];

const groupsOf = (
  { keys }: Epoch["configuration"],
  senders: ReadonlySet<string>,
): Iterable<readonly Key[]> =>
  Map.groupBy(
    [...keys.values()].filter((key) => isGoverned(key) && senders.has(key.id)),
    ({ applyPolicies }) => JSON.stringify(applyPolicies),
  ).values();
