// Adds events to the queue within a transaction, so that either all of them are added or none.
import { sql, type Insertable, type Kysely } from "kysely";
import { writeJson } from "../json.ts";
import { objectOf, type ReportDamage } from "../records/damaged.ts";
import type { Tables } from "../records/tables.ts";
import type { QueueBounds } from "./deliveries.ts";
import type { DeliveryTables } from "./deliveries-tables.ts";
import type { Happening } from "./happening.ts";
import { CAUSED, selectFor, mergingOf, subscriptionOf, type Subscription } from "./queueing.ts";

type Database = Kysely<Tables>;

/** All webhooks with the events that they list. A damaged webhook is skipped, because its list cannot be read. */
export async function readSubscriptions(
  db: Database,
  reportDamage: ReportDamage,
): Promise<readonly Subscription[]> {
  const rows = await db
    .selectFrom("records")
    .select(["id", "document"])
    .where("family", "=", "webhooks")
    .orderBy("id")
    .execute();
  return rows.flatMap(({ id, document: text }): Subscription[] => {
    const document = objectOf(text);
    if (document === null) reportDamage(`webhooks ${id}`);
    if (document === null) return [];
    return [subscriptionOf(id, document)];
  });
}

/** Queues events in the transaction of the change that causes them. Returns how many deliveries did not fit. */
export async function queueHappenings(
  db: Database,
  happenings: readonly Happening[],
  webhooks: readonly Subscription[],
  { cooldownUs, mostWaiting }: QueueBounds,
): Promise<number> {
  let lostCount = 0;
  for (const subscription of webhooks) {
    const { webhook } = subscription;
    const listed = selectFor(subscription, happenings);
    if (listed.length === 0) continue;
    await endMerging(db, webhook, Math.min(...listed.map(({ firstUs }) => firstUs)));
    const free = Math.max(0, mostWaiting - (await countWaiting(db, webhook)));
    // Every gateway locks rows in the same order, so that two gateways never wait for each other.
    const rows = listed
      .slice(0, free)
      .map((happening) => rowFor(webhook, happening, cooldownUs))
      .toSorted((one, other) => compare(one.merging ?? "", other.merging ?? ""));
    for (let from = 0; from < rows.length; from += ROWS_AT_ONCE)
      await insert(db, rows.slice(from, from + ROWS_AT_ONCE));
    const overflow = listed.length - rows.length;
    if (overflow > 0) await recordLost(db, webhook, overflow);
    lostCount += overflow;
  }
  return lostCount;
}

/** Ends the merging of events into deliveries whose merging time is over, even if no gateway has claimed them yet. */
async function endMerging(db: Database, webhook: string, atUs: number): Promise<void> {
  await db
    .updateTable("deliveries")
    .set({ merging: null })
    .where("state", "=", "waiting")
    .where("webhook", "=", webhook)
    .where("due_us", "<=", atUs)
    .where("merging", "is not", null)
    .execute();
}

/** Queues the events that a write causes, in the transaction of the write. */
export async function queueCaused(
  db: Database,
  happenings: readonly Happening[],
  reportDamage: ReportDamage,
): Promise<void> {
  await queueHappenings(db, happenings, await readSubscriptions(db, reportDamage), CAUSED);
}

const ROWS_AT_ONCE = 500;

const compare = (one: string, other: string): number => (one < other ? -1 : Number(one > other));

async function countWaiting(db: Database, webhook: string): Promise<number> {
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
  const { event, firstUs, lastUs, api, key, path, meta, count } = happening;
  const { merging, dueUs } = mergingOf(webhook, happening, cooldownUs);
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
    merging,
    due_us: dueUs,
    attempts: 0,
  };
}

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

export async function recordLost(db: Database, webhook: string, count: number): Promise<void> {
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
