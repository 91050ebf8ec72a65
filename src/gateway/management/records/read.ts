// Queries that read records, in SQL that both databases support.
import type { Kysely } from "kysely";
import type { JsonObject } from "../json.ts";
import type { AuditKind } from "./bounds.ts";
import { objectOf, type ReportDamage } from "./damaged.ts";
import { IS } from "./audit-retention.ts";
import type { Dialect } from "./migrations.ts";
import type { RecordTypeName } from "./record-types.ts";
import type { AuditEntry, RecordChange, Listed, ListedIds, Page, Stored } from "./records.ts";
import { search, searchAfter } from "./search.ts";
import { isStorable, storableText } from "./storable.ts";
import type { RecordRow, Tables } from "./tables.ts";

const decodeRow = ({ id, version, document: text, found_by: unique }: RecordRow): Stored => {
  const document = objectOf(text);
  const record = { id, version: Number(version), document: document ?? {}, unique };
  return document === null ? { ...record, isDamaged: true } : record;
};

const COLUMNS = ["id", "version", "document", "found_by"] as const;

/** Lets other requests run between two pieces of long work. */
export type WorkTurn = () => Promise<void>;

/** Up to this number of characters, decoding takes less time than a turn. */
const SMALL = 4_096;
/** The largest number of characters that are decoded in one turn. */
const MOST_IN_A_TURN = 65_536;

async function allStored(rows: readonly RecordRow[], turn: WorkTurn): Promise<readonly Stored[]> {
  const all: Stored[] = [];
  let read = 0;
  for (const row of rows) {
    read += row.document.length;
    if (read > MOST_IN_A_TURN) {
      await turn();
      read = row.document.length;
    }
    all.push(decodeRow(row));
  }
  return all;
}

export const readRecord = async (
  db: Kysely<Tables>,
  family: RecordTypeName,
  column: "id" | "found_by",
  value: string,
  turn: WorkTurn,
): Promise<Stored | null> => {
  if (!isStorable(value)) return null;
  const row = await db
    .selectFrom("records")
    .select(COLUMNS)
    .where("family", "=", family)
    .where(column, "=", value)
    .executeTakeFirst();
  if (row === undefined) return null;
  if (row.document.length > SMALL) await turn();
  return decodeRow(row);
};

/** The most missed changes that a gateway reads; if it has missed more, it reads all records again. */
const MOST_CHANGES = 10_000;

export async function changesSince(
  db: Kysely<Tables>,
  seq: number,
): Promise<readonly RecordChange[] | null> {
  const rows = await db
    .selectFrom("audit")
    .select(["seq", "family", "id", IS.changes.as("is_change")])
    .where("seq", ">=", seq)
    .orderBy("seq")
    .limit(MOST_CHANGES + 2)
    .execute();
  const [first, second] = rows;
  if (rows.length > MOST_CHANGES + 1) return null;
  const changes = rows.map((row) => ({ seq: Number(row.seq), family: row.family, id: row.id }));
  const all = changes as readonly RecordChange[];
  if (seq === 0) return first === undefined || Number(first.seq) === 1 ? all : null;
  if (first === undefined || Number(first.seq) !== seq) return null;
  // Retention removes the oldest entries, separately for changes and uses. So no entry after `seq` is missing if `seq`
  // itself is a change, or if it is a use and a change before it still exists. The newest entry always stays.
  if (second === undefined || first.is_change || (await isAnyChangeUntil(db, seq)))
    return all.slice(1);
  return null;
}

async function isAnyChangeUntil(db: Kysely<Tables>, seq: number): Promise<boolean> {
  const changes = db.selectFrom("audit").select("seq").where(IS.changes).where("seq", "<=", seq);
  return (await changes.orderBy("seq").limit(1).executeTakeFirst()) !== undefined;
}

export async function listAudit(
  db: Kysely<Tables>,
  most: number,
  only: AuditKind | null,
  last: number | null,
  damaged: ReportDamage,
  turn: WorkTurn,
): Promise<readonly AuditEntry[]> {
  let newest = db.selectFrom("audit").selectAll().orderBy("seq", "desc").limit(most);
  if (only !== null) newest = newest.where(IS[only]);
  if (last !== null) newest = newest.where("seq", "<", last);
  const entries: AuditEntry[] = [];
  let read = 0;
  for (const row of await newest.execute()) {
    const { seq, at_us: atUs, who: actor, what: operation, family, id, before, after } = row;
    const letters = (before?.length ?? 0) + (after?.length ?? 0);
    read += letters;
    if (read > MOST_IN_A_TURN) {
      await turn();
      read = letters;
    }
    entries.push({
      seq: Number(seq),
      atUs: Number(atUs),
      actor,
      operation,
      family: family as RecordTypeName,
      id,
      before: documentIn(before, Number(seq), damaged),
      after: documentIn(after, Number(seq), damaged),
    });
  }
  return entries;
}

function documentIn(text: string | null, seq: number, damaged: ReportDamage): JsonObject | null {
  if (text === null) return null;
  const document = objectOf(text);
  if (document === null) damaged(`entry ${seq} of the audit log`);
  return document ?? {};
}

export async function latestChange(db: Kysely<Tables>): Promise<number> {
  const latest = db.selectFrom("audit").select((of) => of.fn.max("seq").as("seq"));
  return Number((await latest.executeTakeFirst())?.seq ?? 0);
}

export async function listRecords(
  db: Kysely<Tables>,
  family: RecordTypeName,
  page: Page | null,
  turn: WorkTurn,
): Promise<Listed> {
  const total = await countOf(db, family);
  let rows = ofFamily(db, family).select(COLUMNS).orderBy(orderOf(family));
  if (page !== null) rows = rows.limit(page.size).offset((page.page - 1) * page.size);
  return { total, records: await allStored(await rows.execute(), turn) };
}

export async function listIds(
  db: Kysely<Tables>,
  family: RecordTypeName,
  { size, page }: Page,
): Promise<ListedIds> {
  const total = await countOf(db, family);
  const rows = ofFamily(db, family).select("id").orderBy("id").limit(size);
  const found = await rows.offset((page - 1) * size).execute();
  return { total, ids: found.map(({ id }) => id) };
}

export async function idsAfter(
  db: Kysely<Tables>,
  family: RecordTypeName,
  last: string,
  most: number,
): Promise<readonly string[]> {
  const rows = ofFamily(db, family).select("id").where("id", ">", last).orderBy("id").limit(most);
  return (await rows.execute()).map(({ id }) => id);
}

/** Reads records after `last` by a value of the sort column: with an offset, later pages would be slower. */
export async function recordsAfter(
  db: Kysely<Tables>,
  family: RecordTypeName,
  last: Stored,
  most: number,
  text: string | null,
  dialect: Dialect,
  turn: WorkTurn,
): Promise<readonly Stored[]> {
  const order = orderOf(family);
  const from = order === "id" ? last.id : last.unique!;
  if (text !== null)
    return allStored(await searchAfter(db, storableText(text), from, most, dialect), turn);
  const rows = ofFamily(db, family).select(COLUMNS).where(order, ">", from).orderBy(order);
  return allStored(await rows.limit(most).execute(), turn);
}

/** The unique values after `last`, from an index that has all columns of the query. */
export async function uniquesAfter(
  db: Kysely<Tables>,
  family: RecordTypeName,
  last: string,
  most: number,
): Promise<readonly string[]> {
  const rows = ofFamily(db, family).select("found_by").where("found_by", ">", last);
  const found = await rows.orderBy("found_by").limit(most).execute();
  return found.map(({ found_by: unique }) => unique!);
}

const ofFamily = (db: Kysely<Tables>, family: RecordTypeName) =>
  db.selectFrom("records").where("family", "=", family);

const orderOf = (family: RecordTypeName): "found_by" | "id" =>
  family === "users" ? "found_by" : "id";

async function countOf(db: Kysely<Tables>, family: RecordTypeName): Promise<number> {
  const counted = ofFamily(db, family).select((of) => of.fn.countAll().as("total"));
  return Number((await counted.executeTakeFirstOrThrow()).total);
}

export async function searchUsers(
  db: Kysely<Tables>,
  text: string,
  page: Page | null,
  dialect: Dialect,
  turn: WorkTurn,
): Promise<Listed> {
  const { total, rows } = await search(db, storableText(text), page, dialect);
  return { total, records: await allStored(rows, turn) };
}
