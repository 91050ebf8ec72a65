// What is read of records, by queries that both databases understand.
import type { Kysely } from "kysely";
import type { JsonObject } from "../json.ts";
import type { AuditKind } from "./bounds.ts";
import { objectOf, type Damaged } from "./damaged.ts";
import { IS } from "./forgetting.ts";
import type { Dialect } from "./migrations.ts";
import type { Family } from "./family.ts";
import type { AuditEntry, Change, Listed, ListedIds, Page, Stored } from "./records.ts";
import { search, searchBehind } from "./search.ts";
import type { Row, Tables } from "./tables.ts";

const stored = ({ id, version, document: text, found_by: unique }: Row): Stored => {
  const document = objectOf(text);
  const kept = { id, version: Number(version), document: document ?? {}, unique };
  return document === null ? { ...kept, isDamaged: true } : kept;
};

const COLUMNS = ["id", "version", "document", "found_by"] as const;

/** Of letters that not every database can keep, nothing is ever found. */
export const canBeKept = (text: string): boolean => text.isWellFormed() && !text.includes("\0");

/** A turn of whoever serves for one piece of work, and none for another. */
export type Turn = () => Promise<void>;

/** What is read in less time than a turn takes. */
const SMALL = 4_096;
/** And what is read in one. */
const MOST_IN_A_TURN = 65_536;

async function allStored(rows: readonly Row[], turn: Turn): Promise<readonly Stored[]> {
  const all: Stored[] = [];
  let read = 0;
  for (const row of rows) {
    read += row.document.length;
    if (read > MOST_IN_A_TURN) {
      await turn();
      read = row.document.length;
    }
    all.push(stored(row));
  }
  return all;
}

export const one = async (
  db: Kysely<Tables>,
  family: Family,
  column: "id" | "found_by",
  value: string,
  turn: Turn,
): Promise<Stored | null> => {
  if (!canBeKept(value)) return null;
  const row = await db
    .selectFrom("records")
    .select(COLUMNS)
    .where("family", "=", family)
    .where(column, "=", value)
    .executeTakeFirst();
  if (row === undefined) return null;
  if (row.document.length > SMALL) await turn();
  return stored(row);
};

/** Further behind than this, whoever follows reads all there is. */
const MOST_CHANGES = 10_000;

export async function changesSince(
  db: Kysely<Tables>,
  seq: number,
): Promise<readonly Change[] | null> {
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
  const all = changes as readonly Change[];
  if (seq === 0) return first === undefined || Number(first.seq) === 1 ? all : null;
  if (first === undefined || Number(first.seq) !== seq) return null;
  // The oldest changes go first, and uses apart from them: where the last one that was seen is a change, none behind it has
  // gone, and where it is a use, none as long as a change before it is there. The newest entry never goes.
  if (second === undefined || first.is_change || (await isAnyChangeUntil(db, seq)))
    return all.slice(1);
  return null;
}

async function isAnyChangeUntil(db: Kysely<Tables>, seq: number): Promise<boolean> {
  const changes = db.selectFrom("audit").select("seq").where(IS.changes).where("seq", "<=", seq);
  return (await changes.orderBy("seq").limit(1).executeTakeFirst()) !== undefined;
}

export async function audited(
  db: Kysely<Tables>,
  most: number,
  only: AuditKind | null,
  last: number | null,
  damaged: Damaged,
  turn: Turn,
): Promise<readonly AuditEntry[]> {
  let newest = db.selectFrom("audit").selectAll().orderBy("seq", "desc").limit(most);
  if (only !== null) newest = newest.where(IS[only]);
  if (last !== null) newest = newest.where("seq", "<", last);
  const entries: AuditEntry[] = [];
  let read = 0;
  for (const row of await newest.execute()) {
    const { seq, at_us: atUs, who, what, family, id, before, after } = row;
    const letters = (before?.length ?? 0) + (after?.length ?? 0);
    read += letters;
    if (read > MOST_IN_A_TURN) {
      await turn();
      read = letters;
    }
    entries.push({
      seq: Number(seq),
      atUs: Number(atUs),
      who,
      what,
      family: family as Family,
      id,
      before: documentIn(before, Number(seq), damaged),
      after: documentIn(after, Number(seq), damaged),
    });
  }
  return entries;
}

function documentIn(text: string | null, seq: number, damaged: Damaged): JsonObject | null {
  if (text === null) return null;
  const document = objectOf(text);
  if (document === null) damaged(`entry ${seq} of the audit log`);
  return document ?? {};
}

export async function latestChange(db: Kysely<Tables>): Promise<number> {
  const latest = db.selectFrom("audit").select((of) => of.fn.max("seq").as("seq"));
  return Number((await latest.executeTakeFirst())?.seq ?? 0);
}

/** Of what cannot be kept, something that can. */
export const keptText = (text: string): string => text.toWellFormed().replaceAll("\0", "\uFFFD");

export async function listed(
  db: Kysely<Tables>,
  family: Family,
  page: Page | null,
  turn: Turn,
): Promise<Listed> {
  const total = await countOf(db, family);
  let rows = ofFamily(db, family).select(COLUMNS).orderBy(orderOf(family));
  if (page !== null) rows = rows.limit(page.size).offset((page.page - 1) * page.size);
  return { total, records: await allStored(await rows.execute(), turn) };
}

export async function listedIds(
  db: Kysely<Tables>,
  family: Family,
  { size, page }: Page,
): Promise<ListedIds> {
  const total = await countOf(db, family);
  const rows = ofFamily(db, family).select("id").orderBy("id").limit(size);
  const found = await rows.offset((page - 1) * size).execute();
  return { total, ids: found.map(({ id }) => id) };
}

export async function idsBehind(
  db: Kysely<Tables>,
  family: Family,
  last: string,
  most: number,
): Promise<readonly string[]> {
  const rows = ofFamily(db, family).select("id").where("id", ">", last).orderBy("id").limit(most);
  return (await rows.execute()).map(({ id }) => id);
}

/** By what they are ordered, and not by their number, so that the last ones are found as fast as the first. */
export async function behind(
  db: Kysely<Tables>,
  family: Family,
  last: Stored,
  most: number,
  text: string | null,
  dialect: Dialect,
  turn: Turn,
): Promise<readonly Stored[]> {
  const order = orderOf(family);
  const from = order === "id" ? last.id : last.unique!;
  if (text !== null)
    return allStored(await searchBehind(db, keptText(text), from, most, dialect), turn);
  const rows = ofFamily(db, family).select(COLUMNS).where(order, ">", from).orderBy(order);
  return allStored(await rows.limit(most).execute(), turn);
}

/** In their order: an index holds all of it. */
export async function uniquesAfter(
  db: Kysely<Tables>,
  family: Family,
  last: string,
  most: number,
): Promise<readonly string[]> {
  const rows = ofFamily(db, family).select("found_by").where("found_by", ">", last);
  const found = await rows.orderBy("found_by").limit(most).execute();
  return found.map(({ found_by: unique }) => unique!);
}

const ofFamily = (db: Kysely<Tables>, family: Family) =>
  db.selectFrom("records").where("family", "=", family);

const orderOf = (family: Family): "found_by" | "id" => (family === "users" ? "found_by" : "id");

async function countOf(db: Kysely<Tables>, family: Family): Promise<number> {
  const counted = ofFamily(db, family).select((of) => of.fn.countAll().as("total"));
  return Number((await counted.executeTakeFirstOrThrow()).total);
}

export async function searchedUsers(
  db: Kysely<Tables>,
  text: string,
  page: Page | null,
  dialect: Dialect,
  turn: Turn,
): Promise<Listed> {
  const { total, rows } = await search(db, keptText(text), page, dialect);
  return { total, records: await allStored(rows, turn) };
}
