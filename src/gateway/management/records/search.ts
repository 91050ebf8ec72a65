// Finds users whose text contains a string, by an index of trigrams. For a string that is shorter than a trigram, or
// that most texts contain, the texts are scanned in the order of the result.
import { sql, type Kysely, type RawBuilder } from "kysely";
import type { Dialect } from "./migrations.ts";
import type { Page } from "./records.ts";
import type { RecordRow, Tables } from "./tables.ts";

interface Found {
  readonly total: number;
  readonly rows: readonly RecordRow[]; // the rows of this page
}

const SHORTEST_INDEXED = 3;

/** The most matches to sort; with more, scanning in the order of the result is faster. */
const MOST_SORTED = 10_000;

/** The length in code points, as databases count. */
const lettersIn = (text: string): number => Array.from(text).length;

export async function search(
  db: Kysely<Tables>,
  text: string,
  page: Page | null,
  dialect: Dialect,
): Promise<Found> {
  const some =
    page === null ? sql`` : sql`limit ${page.size} offset ${(page.page - 1) * page.size}`;
  const holds = holding(text, dialect);
  if (dialect === "postgres")
    return {
      total: await count(db, sql`records where ${holds}`),
      rows: await rows(db, holds, some),
    };
  if (lettersIn(text) < SHORTEST_INDEXED)
    return {
      total: await count(db, sql`records where ${holds}`),
      rows: await rows(db, holds, some),
    };
  const few = await fewOf(db, text, some);
  if (few.length > 0 && Number(few[0]!.looked) <= MOST_SORTED)
    return { total: Number(few[0]!.total), rows: few };
  const match = sql<boolean>`texts match ${quote(text)}`;
  const total = await count(db, sql`texts where ${match}`);
  const isFew = total <= MOST_SORTED;
  const matches = sql<boolean>`row in (select rowid from texts where ${match})`;
  return { total, rows: await rows(db, isFew ? matches : holds, some) };
}

function holding(text: string, dialect: Dialect): RawBuilder<boolean> {
  if (dialect === "sqlite") return sql`text is not null and instr(text, ${text}) > 0`;
  const literal = text.replaceAll(/[\\%_]/g, String.raw`\$&`);
  return sql`text like ${`%${literal}%`}`;
}

/** Finds matches after `last` by a scan in the order of the result. */
export function searchAfter(
  db: Kysely<Tables>,
  text: string,
  last: string,
  most: number,
  dialect: Dialect,
): Promise<readonly RecordRow[]> {
  const holds = sql<boolean>`${holding(text, dialect)} and found_by > ${last}`;
  return rows(db, holds, sql`limit ${most}`);
}

const quote = (text: string): string => `"${text.replaceAll('"', '""')}"`;

/** A full-text query for some trigrams that cover the text: looking up fewer is faster. */
function sideBySide(text: string): string {
  const letters = Array.from(text);
  const parts = new Set([letters.slice(-SHORTEST_INDEXED).join("")]);
  for (let from = 0; from + SHORTEST_INDEXED <= letters.length; from += SHORTEST_INDEXED)
    parts.add(letters.slice(from, from + SHORTEST_INDEXED).join(""));
  return [...parts].map(quote).join(" AND ");
}

async function count(db: Kysely<Tables>, where: RawBuilder<unknown>): Promise<number> {
  const counted = sql<{ total: number | string }>`select count(*) as total from ${where}`;
  return Number((await counted.execute(db)).rows[0]!.total);
}

/** Reads the documents of this page only. */
async function rows(
  db: Kysely<Tables>,
  holds: RawBuilder<boolean>,
  some: RawBuilder<unknown>,
): Promise<readonly RecordRow[]> {
  const found = sql<RecordRow>`select id, version, document, found_by from records
    where row in (select row from records where ${holds} order by found_by ${some})
    order by found_by`;
  return (await found.execute(db)).rows;
}

interface Few extends RecordRow {
  readonly total: number | string;
  readonly looked: number | string; // number of candidates by trigrams
}

/** The matches on a page and their total, in one query. Complete only if there are at most MOST_SORTED candidates. */
async function fewOf(
  db: Kysely<Tables>,
  text: string,
  some: RawBuilder<unknown>,
): Promise<readonly Few[]> {
  const found = sql<Few>`with
    looked as materialized
      (select rowid from texts where texts match ${sideBySide(text)} limit ${MOST_SORTED + 1}),
    found as materialized
      (select row from records where row in (select rowid from looked) and instr(text, ${text}) > 0)
    select id, version, document, found_by, (select count(*) from found) as total,
      (select count(*) from looked) as looked
    from records where row in (select row from found) order by found_by ${some}`;
  return (await found.execute(db)).rows;
}
