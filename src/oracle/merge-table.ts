// What the policies of a key come to, policy by policy, beside the rule that was retired (LIM-5, LIM-C6): the largest
// rate and the longest window, each taken by itself.
import type { Configuration, Key, Policy } from "../core/config.ts";
import type { Limit } from "../core/limit.ts";
import { micros, type Micros } from "../core/units.ts";
import { merge } from "./merge.ts";
import { isFaster, isUnlimited } from "./rates.ts";

export interface MergeRow {
  readonly policy: string;
  /** `root`: it grants the API without a limit of its own, and the merged root limit stands for it. */
  readonly from: "own" | "root";
  readonly limit: Limit | null;
}

export interface Laid {
  readonly api: string | null; // null: the root limit
  readonly rows: readonly MergeRow[];
  readonly winner: number | null; // index of the row
  /** Null where the two rules cannot differ: fewer than two limits, or one that is unlimited. */
  readonly retired: { readonly rate: number; readonly perUs: Micros } | null;
}

/** The root limit, and every API that some policy limits by itself. */
export function laidOut(key: Key, configuration: Configuration): readonly Laid[] {
  const known = key.applyPolicies.flatMap((id) => configuration.policies.get(id) ?? []);
  if (known.length < 2) return [];
  const root = decided(
    null,
    known.map((policy) => ({ policy: policy.id, from: "own", limit: policy.limit })),
  );
  const merged = root.winner === null ? null : root.rows[root.winner]!.limit;
  const { grantOf } = merge(key, configuration);
  const apis = [...limitedApis(known)].map((api) =>
    held(decided(api, rowsAt(api, known, merged)), grantOf(api)?.chosen?.limit ?? null),
  );
  return root.winner === null ? apis : [root, ...apis];
}

const limitedApis = (policies: readonly Policy[]): ReadonlySet<string> =>
  new Set(
    policies.flatMap(({ accessRights }) =>
      [...accessRights].flatMap(([api, { limit }]) => (limit === null ? [] : [api])),
    ),
  );

const rowsAt = (
  api: string,
  policies: readonly Policy[],
  root: Limit | null,
): readonly MergeRow[] =>
  policies.flatMap(({ id, accessRights }): MergeRow[] => {
    const right = accessRights.get(api);
    if (right === undefined) return [];
    return right.limit === null
      ? [{ policy: id, from: "root", limit: root }]
      : [{ policy: id, from: "own", limit: right.limit }];
  });

/** The table tells row by row what the merge says at once: they may not come apart. */
function held(laid: Laid, ruling: Limit | null): Laid {
  const won = laid.winner === null ? null : laid.rows[laid.winner]!.limit;
  if (won?.rate !== ruling?.rate || won?.perUs !== ruling?.perUs)
    throw new Error(
      `${laid.api}: the table says ${JSON.stringify(won)}, the merge ${JSON.stringify(ruling)}`,
    );
  return laid;
}

function decided(api: string | null, rows: readonly MergeRow[]): Laid {
  let winner: number | null = null;
  for (const [index, { limit }] of rows.entries()) {
    if (limit === null) continue;
    const best = winner === null ? null : rows[winner]!.limit;
    if (best === null || isFaster(limit, best)) winner = index;
  }
  const limits = rows.flatMap(({ limit }) => limit ?? []);
  return { api, rows, winner, retired: retiredOf(limits) };
}

const retiredOf = (limits: readonly Limit[]): Laid["retired"] =>
  limits.length < 2 || limits.some(isUnlimited)
    ? null
    : {
        rate: Math.max(...limits.map(({ rate }) => rate)),
        perUs: micros(Math.max(...limits.map(({ perUs }) => perUs))),
      };
