// Applies writes atomically. A write is applied only if the records that it has read are unchanged. Waiting writes
// share a commit, because a commit costs as much as hundreds of statements.
import type { Dialect } from "./migrations.ts";
import type { RecordTypeName } from "./record-types.ts";

export interface Statement {
  readonly sql: string;
  readonly parameters: readonly unknown[];
}

/** A record that a write has looked up, by its id or its unique value. */
export interface RecordLookup {
  readonly family: RecordTypeName;
  readonly column: "id" | "found_by";
  readonly value: string;
  readonly found: { readonly id: string; readonly version: number } | null;
}

/** A record that the write creates, or a type that it has read completely. A later change makes the write stale. */
export interface Unchanged {
  readonly family: RecordTypeName;
  readonly id: string | null; // null: any record of the type
  readonly since: number; // number of the latest change at the time of the read
}

export interface PreparedWrite {
  readonly seen: readonly RecordLookup[];
  readonly unchanged: readonly Unchanged[];
  readonly statements: readonly Statement[];
}

/** The numbers of the changes, in order. Stale: another write has changed records that this one read; not applied. */
export type WriteOutcome = readonly number[] | "stale";

export interface SqlReply {
  readonly rows: readonly unknown[];
}

/** The statements that begin and end a transaction with an exclusive lock for writing. */
export interface TransactionFrame {
  readonly dialect: Dialect;
  readonly before: readonly string[];
  readonly after: readonly string[];
}

/** Statements that notify listeners of a change, effective with the commit. */
export const NOTIFY: Readonly<Record<Dialect, readonly string[]>> = {
  sqlite: [],
  postgres: ["notify weir_changes"],
};

const LOOK: Readonly<Record<Dialect, (column: RecordLookup["column"]) => string>> = {
  sqlite: (column) => `select id, version from records where family = ? and ${column} = ?`,
  postgres: (column) => `select id, version from records where family = $1 and ${column} = $2`,
};

const LOOK_SINCE: Readonly<Record<Dialect, string>> = {
  sqlite: "select seq from audit where seq > ? and family = ? and id = coalesce(?, id) limit 1",
  postgres:
    "select seq from audit where seq > $1 and family = $2 and id = coalesce($3, id) limit 1",
};

/** Applies writes. Yields each statement, which the caller runs synchronously (SQLite) or not (PostgreSQL). */
export function* applyInSteps(
  prepared: readonly PreparedWrite[],
  { dialect, before, after }: TransactionFrame,
): Generator<Statement, readonly WriteOutcome[], SqlReply> {
  for (const sql of before) yield { sql, parameters: [] };
  const outcomes: WriteOutcome[] = [];
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

/** Runs pieces of work one after another. */
export function oneAtATime(): <T>(work: () => Promise<T>) => Promise<T> {
  let last: Promise<unknown> = Promise.resolve();
  return (work) => {
    const next = last.then(work);
    last = next.catch(() => {}); // the caller of the failed work handles the error
    return next;
  };
}

export type Apply = (prepared: readonly PreparedWrite[]) => Promise<readonly WriteOutcome[]>;

/** The largest number of writes in a group, so that no write waits long for the others. */
const MOST = 200;

/** Writes that arrive during a commit share the next commit. */
export function together(apply: Apply): (prepared: PreparedWrite) => Promise<WriteOutcome> {
  const waiting: {
    readonly prepared: PreparedWrite;
    readonly reply: PromiseWithResolvers<WriteOutcome>;
  }[] = [];
  let isBusy = false;
  const work = async (): Promise<void> => {
    isBusy = true;
    while (waiting.length > 0) {
      const group = waiting.splice(0, MOST);
      try {
        const outcomes = await apply(group.map(({ prepared }) => prepared));
        for (const [index, { reply }] of group.entries()) reply.resolve(outcomes[index]!);
      } catch (error) {
        for (const { reply } of group) reply.reject(error);
      }
    }
    isBusy = false;
  };
  return (prepared) => {
    const reply = Promise.withResolvers<WriteOutcome>();
    waiting.push({ prepared, reply });
    if (!isBusy) void work();
    return reply.promise;
  };
}
