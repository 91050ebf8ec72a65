// Runs a write: the write reads records and prepares its changes, which are then applied together. If another write has
// changed a record that this write has read, this write is repeated.
import { CompiledQuery, type Kysely, type Transaction } from "kysely";
import { happeningsOfChange, type Happening } from "../events/happening.ts";
import { readSubscriptions, queueCaused } from "../events/queueing-sql.ts";
import { writeJson, type JsonObject } from "../json.ts";
import { withoutSecrets } from "../without-secrets.ts";
import {
  applyInSteps,
  oneAtATime,
  NOTIFY,
  type WriteOutcome,
  type PreparedWrite,
  type RecordLookup,
  type Statement,
  type Unchanged,
} from "./apply.ts";
import { kindOf, rejectTooLarge, type RecordBounds } from "./bounds.ts";
import type { ReportDamage } from "./damaged.ts";
import { forgetting, MOST_AT_ONCE } from "./audit-retention.ts";
import type { Dialect } from "./migrations.ts";
import {
  recordsAfter,
  changesSince,
  latestChange,
  listRecords,
  readRecord,
  uniquesAfter,
  type WorkTurn,
} from "./read.ts";
import type { RecordTypeName } from "./record-types.ts";
import { rejectUnstorable, storableText } from "./storable.ts";
import type { WriteContext, Listed, Stored, WrittenChange, RecordTransaction } from "./records.ts";
import type { Tables } from "./tables.ts";

export type Transact = <T>(work: (db: Transaction<Tables>) => Promise<T>) => Promise<T>;

interface WriteAccess {
  readonly lookups: Kysely<Tables>;
  readonly scans: Kysely<Tables>;
  readonly dialect: Dialect;
  readonly apply: (prepared: PreparedWrite) => Promise<WriteOutcome>;
  readonly transact: Transact;
  readonly damaged: ReportDamage;
  readonly bounds: () => RecordBounds;
  readonly onWrite: (changes: readonly WrittenChange[]) => void;
  readonly turn: WorkTurn;
}

/** The rows per query while all records of a type, or all its unique values, are read. */
const AT_ONCE = 500;
const UNIQUES_AT_ONCE = 1_000;

/** The audit log is cleaned up whenever it has grown by 1/LOOKS of its limit in bytes. */
const LOOKS = 16;

type Write = <T>(
  audited: WriteContext,
  work: (writing: RecordTransaction) => Promise<T>,
) => Promise<T>;

export function writer(ways: WriteAccess): Write {
  const { lookups, scans, dialect, apply, transact, damaged, bounds, turn, onWrite } = ways;
  // Repeated writes run one after another, because they would otherwise make each other stale again.
  const after = oneAtATime();
  let changesSinceCleanup = MOST_AT_ONCE; // the first write cleans up
  let bytesSinceCleanup = 0; // bytes of audit entries
  return async (audited, work) => {
    const once = async () => {
      const preparation = preparing(lookups, audited, damaged, bounds(), turn, {
        first: (family) => listRecords(scans, family, { size: AT_ONCE, page: 1 }, turn),
        next: (family, last) => recordsAfter(scans, family, last, AT_ONCE, null, dialect, turn),
        uniques: (family, last) => uniquesAfter(scans, family, last, UNIQUES_AT_ONCE),
      });
      const { writing, prepared: own, happenings, changes } = preparation;
      const value = await work(writing);
      const { statements } = own;
      if (statements.length === 0) return { isDone: true, value };
      changesSinceCleanup += statements.length / 2; // half of the statements write audit entries
      for (const { parameters } of statements)
        for (const each of parameters)
          if (typeof each === "string") bytesSinceCleanup += each.length;
      const isTime =
        changesSinceCleanup >= MOST_AT_ONCE || bytesSinceCleanup >= bounds().auditBytes / LOOKS;
      const most = 2 * changesSinceCleanup;
      if (isTime) changesSinceCleanup = bytesSinceCleanup = 0; // so that concurrent writes do not clean up too
      const coming = changes.map(({ family }) => kindOf(family, audited.operation));
      const look = { nowUs: audited.atUs, most, coming };
      const old = isTime ? await forgetting(scans, look, bounds()) : [];
      const prepared = { ...own, statements: [...statements, ...old] };
      const outcome = (await hasSubscriber(lookups, happenings, damaged))
        ? await transact((db) => applyAndQueue(db, dialect, prepared, happenings, damaged))
        : await apply(prepared);
      if (outcome === "stale") return { isDone: false, value };
      onWrite(changes.map((change, index) => ({ ...change, seq: outcome[index]! })));
      return { isDone: true, value };
    };
    for (let trial = once(); ; trial = after(once)) {
      const { isDone, value } = await trial;
      if (isDone) return value;
    }
  };
}

/** Whether a webhook lists an event of the write. If none does, the write needs no transaction for the queue. */
async function hasSubscriber(
  db: Kysely<Tables>,
  happenings: readonly Happening[],
  damaged: ReportDamage,
): Promise<boolean> {
  if (happenings.length === 0) return false;
  const webhooks = await readSubscriptions(db, damaged);
  return happenings.some(({ event }) => webhooks.some(({ events }) => events.has(event)));
}

async function applyAndQueue(
  db: Transaction<Tables>,
  dialect: Dialect,
  prepared: PreparedWrite,
  happenings: readonly Happening[],
  damaged: ReportDamage,
): Promise<WriteOutcome> {
  const steps = applyInSteps([prepared], { dialect, before: [], after: NOTIFY[dialect] });
  let next = steps.next();
  while (next.done !== true) {
    const { sql, parameters } = next.value;
    next = steps.next(await db.executeQuery(CompiledQuery.raw(sql, [...parameters])));
  }
  const outcome = next.value[0]!;
  if (outcome !== "stale") await queueCaused(db, happenings, damaged);
  return outcome;
}

interface Preparing {
  readonly writing: RecordTransaction;
  readonly prepared: PreparedWrite;
  readonly happenings: readonly Happening[];
  readonly changes: readonly Unnumbered[];
}

/** Reads the records or the unique values of a type in pieces, in order. */
interface Pieces {
  readonly first: (family: RecordTypeName) => Promise<Listed>;
  readonly next: (family: RecordTypeName, last: Stored) => Promise<readonly Stored[]>;
  readonly uniques: (family: RecordTypeName, last: string) => Promise<readonly string[]>;
}

type Unnumbered = Omit<WrittenChange, "seq">;

const keyOf = (family: RecordTypeName, value: string): string => `${family} ${value}`;

function preparing(
  db: Kysely<Tables>,
  { actor, operation, atUs }: WriteContext,
  damaged: ReportDamage,
  bounds: RecordBounds,
  turn: WorkTurn,
  pieces: Pieces,
): Preparing {
  const seen: RecordLookup[] = [];
  const unchanged: Unchanged[] = [];
  const statements: Statement[] = [];
  let latest: number | null = null; // number of the latest change; read at its first use only
  const happenings: Happening[] = [];
  const changes: Unnumbered[] = [];
  const own = new Map<string, Stored | null>(); // records that this write has changed, by type and id; null: removed
  const ownUniques = new Map<string, string>(); // ids of the records in `own`, by type and unique value

  const readLatest = async (): Promise<number> => (latest ??= await latestChange(db));
  const look = async (
    family: RecordTypeName,
    column: RecordLookup["column"],
    value: string,
  ): Promise<Stored | null> => {
    if (column === "id" && own.has(keyOf(family, value))) return own.get(keyOf(family, value))!;
    const holder = column === "id" ? undefined : ownUniques.get(keyOf(family, value));
    if (holder !== undefined) return own.get(keyOf(family, holder))!;
    const found = await readRecord(db, family, column, value, turn);
    if (found?.isDamaged === true) damaged(`${family} ${found.id}`);
    seen.push({ family, column, value, found });
    // This write has changed that record, so the record no longer has this value.
    return found !== null && column === "found_by" && own.has(keyOf(family, found.id))
      ? null
      : found;
  };
  const become = (
    family: RecordTypeName,
    id: string,
    before: Stored | null,
    after: Stored | null,
    query: { readonly compile: () => Statement },
  ): void => {
    if (before !== null && before.unique !== null) ownUniques.delete(keyOf(family, before.unique));
    if (after !== null && after.unique !== null) ownUniques.set(keyOf(family, after.unique), id);
    own.set(keyOf(family, id), after);
    changes.push({ family, id, before, after });
    const auditText = (stored: Stored | null, old: Stored | null): string | null =>
      stored === null
        ? null
        : writeJson(withoutSecrets(family, stored.document, old?.document ?? null));
    const audit = db
      .insertInto("audit")
      .values({
        at_us: atUs,
        who: actor,
        what: operation,
        family,
        id,
        before: auditText(before, null),
        after: auditText(after, before),
      })
      .returning("seq");
    happenings.push(
      ...happeningsOfChange(family, id, before?.document ?? null, after?.document ?? null, atUs),
    );
    for (const each of [query, audit]) {
      const { sql, parameters } = each.compile();
      statements.push({ sql, parameters });
    }
  };
  /** Encodes a document and rejects one that is too large. */
  const encodeWithinBounds = (
    family: RecordTypeName,
    id: string,
    document: JsonObject,
    before: Stored | null,
  ) => {
    const text = writeJson(document);
    rejectTooLarge(family, id, { document, text }, bounds, before && before.document);
    return text;
  };
  return {
    prepared: { seen, unchanged, statements },
    happenings,
    changes,
    writing: {
      read: (family, id) => look(family, "id", id),
      find: (family, unique) => look(family, "found_by", unique),
      latest: readLatest,
      listChanged: async (family, since) => {
        unchanged.push({ family, id: null, since: await readLatest() });
        const changes = await changesSince(db, since);
        if (changes === null) return null;
        const ids = new Set(changes.filter((each) => each.family === family).map(({ id }) => id));
        const found = new Map<string, Stored | null>();
        for (const id of ids) found.set(id, await look(family, "id", id));
        return found;
      },
      all: async function* (family) {
        unchanged.push({ family, id: null, since: await readLatest() });
        let { records: piece } = await pieces.first(family);
        while (piece.length > 0) {
          yield* piece;
          piece = await pieces.next(family, piece.at(-1)!);
        }
      },
      uniques: async function* (family) {
        unchanged.push({ family, id: null, since: await readLatest() });
        for (let last = ""; ;) {
          const piece = await pieces.uniques(family, last);
          if (piece.length === 0) return;
          yield piece;
          last = piece.at(-1)!;
        }
      },
      insert: async (family, id, document, { unique, text }) => {
        rejectUnstorable(id, unique);
        const encoded = encodeWithinBounds(family, id, document, null);
        if ((await look(family, "id", id)) !== null) return null;
        if (unique !== null && (await look(family, "found_by", unique)) !== null) return null;
        // No version is above the number of its record's last change. So the new version is above those of all earlier
        // records with this id, and no old ETag matches it.
        const since = await readLatest();
        unchanged.push({ family, id, since });
        const stored: Stored = { id, version: since + 1, document, unique };
        const query = db.insertInto("records").values({
          family,
          id,
          version: stored.version,
          document: encoded,
          found_by: unique,
          text: searchTextOf(family, text),
        });
        become(family, id, null, stored, query);
        return stored;
      },
      replace: async (family, before, document, { unique, text }) => {
        rejectUnstorable(unique);
        const { id } = before;
        const encoded = encodeWithinBounds(family, id, document, before);
        if (unique !== null && unique !== before.unique)
          if ((await look(family, "found_by", unique)) !== null) return null;
        const replaced: Stored = { id, version: before.version + 1, document, unique };
        const query = db
          .updateTable("records")
          .set({
            version: replaced.version,
            document: encoded,
            found_by: unique,
            text: searchTextOf(family, text),
          })
          .where("family", "=", family)
          .where("id", "=", id);
        become(family, id, before, replaced, query);
        return replaced;
      },
      remove: async (family, before) => {
        const query = db
          .deleteFrom("records")
          .where("family", "=", family)
          .where("id", "=", before.id);
        become(family, before.id, before, null, query);
      },
    },
  };
}

/** Returns the searchable text of a user; null for other types, which have no search. */
const searchTextOf = (family: RecordTypeName, text: string | null): string | null =>
  family === "users" && text !== null ? storableText(text) : null;
