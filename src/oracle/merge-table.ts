// What the policies of a key come to, policy by policy, beside the rule that was retired (LIM-5, LIM-C6): the largest
// rate and the longest window, each taken by itself.
import { micros, type Micros } from "../core/units.ts";
import type { Configuration, Key, Limit } from "./configured.ts";
import {
  knownPolicies,
  merge,
  rateOffers,
  rootsOf,
  type Candidate,
  type Laid as LaidOver,
} from "./merge.ts";
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

/** The root limit, and every API that some policy limits by itself; with budgets apart every API. */
export function laidOut(key: Key, configuration: Configuration): readonly Laid[] {
  const known = knownPolicies(key, configuration.policies);
  if (known.length < 2) return [];
  const { options } = configuration;
  const isApart = options.policyBudgets === "apart";
  const over = (api: string): LaidOver => ({ api, key, known, isApart, options });
  const root = decided(
    null,
    rootsOf(known).map(({ id, limit }) => ({ policy: id, from: "own", limit })),
  );
  const { grantOf } = merge(key, configuration);
  const apis = new Set(known.flatMap(({ accessRights }) => [...accessRights.keys()]));
  const told = [...apis].flatMap((api) => {
    const rows = rateOffers(over(api)).map(rowOf);
    if (!isApart && rows.every(({ from }) => from === "root")) return [];
    const laid = decided(api, rows);
    return laid.winner === null ? [laid] : [held(laid, grantOf(api)?.chosen?.limit ?? null)];
  });
  return isApart || root.winner === null ? told : [root, ...told];
}

const rowOf = ({ policy, from, of }: Candidate<Limit>): MergeRow => ({
  policy,
  from: from === "root" ? "root" : "own",
  limit: of,
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
