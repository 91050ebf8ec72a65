// How what happened gets into the queue: within a transaction, so that all of it is there or nothing.
import { sql, type Insertable, type Kysely } from "kysely";
import { shownDated } from "../families/webhook.ts";
import { writeJson } from "../json.ts";
import { objectOf, type ReportDamage } from "../records/damaged.ts";
import type { Tables } from "../records/tables.ts";
import { MOST_WAITING, type Bounds, type Listening } from "./deliveries.ts";
import type { DeliveryTables } from "./deliveries-tables.ts";
import type { Happening } from "./happening.ts";

type Database = Kysely<Tables>;

/** All webhooks, with what they list. One that is damaged lists nothing that anybody knows. */
export async function listening(
  db: Database,
  damaged: ReportDamage,
): Promise<readonly Listening[]> {
  const rows = await db
    .selectFrom("records")
    .select(["id", "document"])
    .where("family", "=", "webhooks")
    .orderBy("id")
    .execute();
  return rows.flatMap(({ id, document: text }): Listening[] => {
    const document = objectOf(text);
    if (document === null) damaged(`webhooks ${id}`);
    if (document === null) return [];
    const { Events, CreatedAt } = shownDated({ id, document });
    const sinceUs = Date.parse(CreatedAt) * 1_000;
    return [{ webhook: id, events: new Set(Events), sinceUs: Number.isNaN(sinceUs) ? 0 : sinceUs }];
  });
}

/** In a transaction, because what it happened in may be taken back. Answers how many did not fit. */
export async function queueIn(
  db: Database,
  happenings: readonly Happening[],
  webhooks: readonly Listening[],
  { cooldownUs, mostWaiting }: Bounds,
): Promise<number> {
  let left = 0;
  for (const { webhook, events, sinceUs } of webhooks) {
    const wanted = happenings.flatMap((happening) =>
      events.has(happening.event) ? (sincePart(happening, sinceUs) ?? []) : [],
    );
    if (wanted.length === 0) continue;
    await close(db, webhook, Math.min(...wanted.map(({ firstUs }) => firstUs)));
    const room = Math.max(0, mostWaiting - (await waitingFor(db, webhook)));
    // In one order everywhere: two gateways that wait for each other's rows would wait for ever.
    const rows = wanted
      .slice(0, room)
      .map((happening) => rowFor(webhook, happening, cooldownUs))
      .toSorted((one, other) => compare(one.merging ?? "", other.merging ?? ""));
    for (let from = 0; from < rows.length; from += ROWS_AT_ONCE)
      await insert(db, rows.slice(from, from + ROWS_AT_ONCE));
    const over = wanted.length - rows.length;
    if (over > 0) await noteLost(db, webhook, over);
    left += over;
  }
  return left;
}

/** Null: all of it happened before. Of those that were merged at least the first one is left out. */
function sincePart(happening: Happening, sinceUs: number): Happening | null {
  const { firstUs, lastUs, count } = happening;
  if (firstUs >= sinceUs) return happening;
  return lastUs < sinceUs
    ? null
    : { ...happening, firstUs: sinceUs, count: Math.max(1, count - 1) };
}

/** What has gathered for long enough takes no more, whether anybody has taken it or not. */
async function close(db: Database, webhook: string, atUs: number): Promise<void> {
  await db
    .updateTable("deliveries")
    .set({ merging: null })
    .where("state", "=", "waiting")
    .where("webhook", "=", webhook)
    .where("due_us", "<=", atUs)
    .where("merging", "is not", null)
    .execute();
}

/** What a write has caused, in its own transaction. */
export async function queueCaused(
  db: Database,
  happenings: readonly Happening[],
  damaged: ReportDamage,
): Promise<void> {
  await queueIn(db, happenings, await listening(db, damaged), CAUSED);
}

const CAUSED: Bounds = { cooldownUs: 0, mostWaiting: MOST_WAITING };

const ROWS_AT_ONCE = 500;

const compare = (one: string, other: string): number => (one < other ? -1 : Number(one > other));

async function waitingFor(db: Database, webhook: string): Promise<number> {
  const { waiting } = await db
    .selectFrom("deliveries")
    .select((of) => of.fn.countAll().as("waiting"))
    .where("state", "=", "waiting")
    .where("webhook", "=", webhook)
    .executeTakeFirstOrThrow();
  return Number(waiting);
}

type NewRow = Insertable<DeliveryTables["deliveries"]>;

function rowFor(webhook: string, happening: Happening, cooldownUs: number): NewRow {
  const { event, firstUs, lastUs, api, key, path, meta, count, budget } = happening;
  const isMerged = budget !== null && cooldownUs > 0;
  return {
    webhook,
    event,
    state: "waiting",
    first_us: firstUs,
    last_us: lastUs,
    api,
    key_id: key,
    path,
    meta: writeJson(meta),
    count,
    // An index takes no text of any length. What agrees for that long is told as one.
    merging: isMerged ? JSON.stringify([webhook, event, budget]).slice(0, LONGEST_MERGING) : null,
    due_us: isMerged ? firstUs + cooldownUs : firstUs,
    attempts: 0,
  };
}

const LONGEST_MERGING = 600;

async function insert(db: Database, rows: readonly NewRow[]): Promise<void> {
  const common = (column: "api" | "key_id" | "path") =>
    sql<
      string | null
    >`case when deliveries.${sql.raw(column)} = excluded.${sql.raw(column)} then deliveries.${sql.raw(column)} end`;
  await db
    .insertInto("deliveries")
    .values(rows)
    .onConflict((conflict) =>
      conflict.column("merging").doUpdateSet({
        count: sql`deliveries.count + excluded.count`,
        last_us: sql`case when excluded.last_us > deliveries.last_us then excluded.last_us else deliveries.last_us end`,
        api: common("api"),
        key_id: common("key_id"),
        path: common("path"),
      }),
    )
    .execute();
}

export async function noteLost(db: Database, webhook: string, count: number): Promise<void> {
  await db
    .insertInto("deliveries_lost")
    .values({ webhook, count })
    .onConflict((conflict) =>
      conflict
        .column("webhook")
        .doUpdateSet({ count: sql`deliveries_lost.count + excluded.count` }),
    )
    .execute();
}
