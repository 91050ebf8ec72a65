// Users whose text holds a part of one. An index has all letters, three in a row; where a part has fewer, or is found
// nearly everywhere, the texts are looked through in the order in which they are answered.
import { sql, type Kysely, type RawBuilder } from "kysely";
import type { Dialect } from "./migrations.ts";
import type { Page } from "./records.ts";
import type { Row, Tables } from "./tables.ts";

interface Found {
  readonly total: number;
  readonly rows: readonly Row[]; // of this page
}

const SHORTEST_INDEXED = 3;

/** More than this are sorted slower than as many are found again in their order. */
const MOST_SORTED = 10_000;

/** As a database counts them: one outside the basic plane is one. */
const lettersIn = (text: string): number => Array.from(text).length;

export async function search(
  db: Kysely<Tables>,
  text: string,
  page: Page | null,
  dialect: Dialect,
): Promise<Found> {
  const some =
    page === null ? sql`` : sql`limit ${page.size} offset ${(page.page - 1) * page.size}`;
  if (dialect === "postgres") {
    const literal = text.replaceAll(/[\\%_]/g, String.raw`\$&`);
    const holds = sql<boolean>`text like ${`%${literal}%`}`;
    return {
      total: await count(db, sql`records where ${holds}`),
      rows: await rows(db, holds, some),
    };
  }
  const holds = sql<boolean>`text is not null and instr(text, ${text}) > 0`;
  if (lettersIn(text) < SHORTEST_INDEXED)
    return {
      total: await count(db, sql`records where ${holds}`),
      rows: await rows(db, holds, some),
    };
  const match = sql<boolean>`texts match ${`"${text.replaceAll('"', '""')}"`}`;
  const few = await fewOf(db, match, some);
  if (few.length > 0 && Number(few[0]!.total) <= MOST_SORTED)
    return { total: Number(few[0]!.total), rows: few };
  const total = await count(db, sql`texts where ${match}`);
  return { total, rows: total <= MOST_SORTED ? [] : await rows(db, holds, some) };
}

async function count(db: Kysely<Tables>, where: RawBuilder<unknown>): Promise<number> {
  const counted = sql<{ total: number | string }>`select count(*) as total from ${where}`;
  return Number((await counted.execute(db)).rows[0]!.total);
}

/** Without their documents until it is known which ones are on the page. */
async function rows(
  db: Kysely<Tables>,
  holds: RawBuilder<boolean>,
  some: RawBuilder<unknown>,
): Promise<readonly Row[]> {
  const found = sql<Row>`select id, version, document, found_by from records
    where row in (select row from records where ${holds} order by found_by ${some})
    order by found_by`;
  return (await found.execute(db)).rows;
}

/** What is found, counted at once, as far as that goes. */
async function fewOf(
  db: Kysely<Tables>,
  match: RawBuilder<boolean>,
  some: RawBuilder<unknown>,
): Promise<readonly (Row & { readonly total: number | string })[]> {
  const found = sql<Row & { total: number | string }>`
    with found as materialized (select rowid from texts where ${match} limit ${MOST_SORTED + 1})
    select id, version, document, found_by, (select count(*) from found) as total from records
    where row in (select rowid from found) order by found_by ${some}`;
  return (await found.execute(db)).rows;
}
