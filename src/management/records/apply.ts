// Writes become true: everything that one changes, or nothing, and only while what it has read is still so. Those that
// wait for each other share one commit, because a commit costs as much as hundreds of statements.
import type { Dialect } from "./migrations.ts";
import type { Family } from "./family.ts";

export interface Statement {
  readonly sql: string;
  readonly parameters: readonly unknown[];
}

/** What a write has found under an id, or under what has to be unique. */
export interface Seen {
  readonly family: Family;
  readonly column: "id" | "found_by";
  readonly value: string;
  readonly found: { readonly id: string; readonly version: number } | null;
}

/** A record that is made, or a family that was read whole: whoever has changed it since then was faster. */
export interface Unchanged {
  readonly family: Family;
  readonly id: string | null; // null: none of the family
  readonly since: number; // the latest change that was seen
}

export interface Prepared {
  readonly seen: readonly Seen[];
  readonly unchanged: readonly Unchanged[];
  readonly statements: readonly Statement[];
}

/**
 * The numbers that its changes got, in their order. Stale: somebody else has changed what it has read, and nothing of it
 * has been done.
 */
export type Outcome = readonly number[] | "stale";

export interface Ran {
  readonly rows: readonly unknown[];
}

/** What opens and ends a transaction in which nobody else writes. */
export interface Frame {
  readonly dialect: Dialect;
  readonly before: readonly string[];
  readonly after: readonly string[];
}

/** Whoever listens hears of it when it has become true. */
export const TELL: Readonly<Record<Dialect, readonly string[]>> = {
  sqlite: [],
  postgres: ["notify weir_changes"],
};

const LOOK: Readonly<Record<Dialect, (column: Seen["column"]) => string>> = {
  sqlite: (column) => `select id, version from records where family = ? and ${column} = ?`,
  postgres: (column) => `select id, version from records where family = $1 and ${column} = $2`,
};

const LOOK_SINCE: Readonly<Record<Dialect, string>> = {
  sqlite: "select seq from audit where seq > ? and family = ? and id = coalesce(?, id) limit 1",
  postgres:
    "select seq from audit where seq > $1 and family = $2 and id = coalesce($3, id) limit 1",
};

/** Asks for statements and performs none: one database answers at once, the other one later. */
export function* applying(
  prepared: readonly Prepared[],
  { dialect, before, after }: Frame,
): Generator<Statement, readonly Outcome[], Ran> {
  for (const sql of before) yield { sql, parameters: [] };
  const outcomes: Outcome[] = [];
  for (const { seen, unchanged, statements } of prepared) {
    let isStale = false;
    for (const { family, column, value, found } of seen) {
      const { rows } = yield { sql: LOOK[dialect](column), parameters: [family, value] };
      const row = rows[0] as { id: string; version: number | string } | undefined;
      isStale ||= row?.id !== found?.id || Number(row?.version ?? 0) !== (found?.version ?? 0);
    }
    for (const { family, id, since } of unchanged) {
      if (isStale) break;
      const { rows } = yield { sql: LOOK_SINCE[dialect], parameters: [since, family, id] };
      isStale = rows.length > 0;
    }
    if (isStale) {
      outcomes.push("stale");
      continue;
    }
    const seqs: number[] = [];
    for (const statement of statements) {
      const { rows } = yield statement;
      const row = rows[0] as { readonly seq: number | string } | undefined;
      if (row !== undefined) seqs.push(Number(row.seq));
    }
    outcomes.push(seqs);
  }
  for (const sql of after) yield { sql, parameters: [] };
  return outcomes;
}

/** Work that waits until all that came before it is over. */
export function oneAtATime(): <T>(work: () => Promise<T>) => Promise<T> {
  let last: Promise<unknown> = Promise.resolve();
  return (work) => {
    const next = last.then(work);
    last = next.catch(() => {}); // its own caller hears of it
    return next;
  };
}

export type Apply = (prepared: readonly Prepared[]) => Promise<readonly Outcome[]>;

/** So that nobody is kept waiting by all who came at the same time. */
const MOST = 200;

/** Whoever comes while others are written is in the next commit. */
export function together(apply: Apply): (prepared: Prepared) => Promise<Outcome> {
  const waiting: { readonly prepared: Prepared; readonly told: PromiseWithResolvers<Outcome> }[] =
    [];
  let isBusy = false;
  const work = async (): Promise<void> => {
    isBusy = true;
    while (waiting.length > 0) {
      const group = waiting.splice(0, MOST);
      try {
        const outcomes = await apply(group.map(({ prepared }) => prepared));
        for (const [index, { told }] of group.entries()) told.resolve(outcomes[index]!);
      } catch (error) {
        for (const { told } of group) told.reject(error);
      }
    }
    isBusy = false;
  };
  return (prepared) => {
    const told = Promise.withResolvers<Outcome>();
    waiting.push({ prepared, told });
    if (!isBusy) void work();
    return told.promise;
  };
}
