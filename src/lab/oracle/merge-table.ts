// The merged policies of a key, policy by policy, with the result of the retired rule (LIM-5, LIM-C6). That rule
// combined the largest rate and the longest window, even of different policies.
import { micros, type Micros } from "../../kit/units.ts";
import type { OracleConfiguration, OracleKey, OracleLimit } from "./configured.ts";
import {
  policiesOf,
  merge,
  rateOffers,
  rootsOf,
  type PolicyOffer,
  type KeyAtApi,
} from "./merge.ts";
import { isFaster, isUnlimited } from "./rates.ts";

interface MergeRow {
  readonly policy: string;
  /** `root`: the policy grants the API without a limit of its own, so the merged root limit applies. */
  readonly from: "own" | "root";
  readonly limit: OracleLimit | null;
}

export interface MergedLimit {
  readonly api: string | null; // null for the root limit
  readonly rows: readonly MergeRow[];
  readonly winner: number | null; // index in `rows`
  /** Result of the retired rule. Null with fewer than two limits or an unlimited one: there the rules agree. */
  readonly retired: { readonly rate: number; readonly perUs: Micros } | null;
}

/** The root limit, and each API that a policy limits separately. With budgets apart: every API, but no root limit. */
export function listMergedLimits(
  key: OracleKey,
  configuration: OracleConfiguration,
): readonly MergedLimit[] {
  const policies = policiesOf(key, configuration.policies);
  if (policies.length < 2) return [];
  const { options } = configuration;
  const isApart = options.policyBudgets === "apart";
  const over = (api: string): KeyAtApi => ({ api, key, policies, isApart, options });
  const root = buildTable(
    null,
    rootsOf(policies).map(({ id, limit }) => ({ policy: id, from: "own", limit })),
  );
  const { grantOf } = merge(key, configuration);
  const apis = new Set(policies.flatMap(({ accessRights }) => [...accessRights.keys()]));
  const tables = [...apis].flatMap((api) => {
    const rows = rateOffers(over(api)).map(rowOf);
    if (!isApart && rows.every(({ from }) => from === "root")) return [];
    const table = buildTable(api, rows);
    return table.winner === null
      ? [table]
      : [requireSameResult(table, grantOf(api)?.chosen?.limit ?? null)];
  });
  return isApart || root.winner === null ? tables : [root, ...tables];
}

const rowOf = ({ policy, from, of }: PolicyOffer<OracleLimit>): MergeRow => ({
  policy,
  from: from === "root" ? "root" : "own",
  limit: of,
});
/** Checks that this table, built row by row, agrees with `merge`. */
function requireSameResult(table: MergedLimit, merged: OracleLimit | null): MergedLimit {
  const won = table.winner === null ? null : table.rows[table.winner]!.limit;
  if (won?.rate !== merged?.rate || won?.perUs !== merged?.perUs)
    throw new Error(
      `${table.api}: the table has ${JSON.stringify(won)}, the merge ${JSON.stringify(merged)}`,
    );
  return table;
}

function buildTable(api: string | null, rows: readonly MergeRow[]): MergedLimit {
  let winner: number | null = null;
  for (const [index, { limit }] of rows.entries()) {
    if (limit === null) continue;
    const best = winner === null ? null : rows[winner]!.limit;
    if (best === null || isFaster(limit, best)) winner = index;
  }
  const limits = rows.flatMap(({ limit }) => limit ?? []);
  return { api, rows, winner, retired: resultOfRetiredRule(limits) };
}

const resultOfRetiredRule = (limits: readonly OracleLimit[]): MergedLimit["retired"] =>
  limits.length < 2 || limits.some(isUnlimited)
    ? null
    : {
        rate: Math.max(...limits.map(({ rate }) => rate)),
        perUs: micros(Math.max(...limits.map(({ perUs }) => perUs))),
      };
