// The queue in the database of the records. No query uses a lock that only one of the databases has: each update
// repeats its conditions, so that a row belongs to the gateway that changes it first.
import { sql, type Kysely, type Selectable } from "kysely";
import type { Tables } from "../records/tables.ts";
import {
  BYTES_OF_A_ROW,
  deliveryIdOf,
  rowOf,
  type Deliveries,
  type Delivery,
  type DeliveryRetention,
  type LostDeliveries,
  type DeliveryResult,
  type State,
} from "./deliveries.ts";
import { objectOf, type ReportDamage } from "../records/damaged.ts";
import type { DeliveryTables } from "./deliveries-tables.ts";
import type { EventName } from "./names.ts";
import { readSubscriptions, recordLost, queueHappenings } from "./queueing-sql.ts";

type Database = Kysely<Tables>;

/** Runs work in a transaction, or work that only reads. */
type RunWork = <T>(work: (db: Database) => Promise<T>) => Promise<T>;

export const deliveriesIn = (
  read: RunWork,
  transact: RunWork,
  reportDamage: ReportDamage,
): Deliveries => ({
  queue: (happenings, bounds) =>
    transact(async (db) =>
      queueHappenings(db, happenings, await readSubscriptions(db, reportDamage), bounds),
    ),
  due: (nowUs) => read((db) => due(db, nowUs)),
  claim: (webhook, most, nowUs, leaseUs) =>
    transact((db) => claim(db, webhook, most, nowUs, leaseUs, reportDamage)),
  settle: (delivery, result) => transact((db) => settle(db, delivery, result)),
  nextDueUs: (afterUs) => read((db) => nextDueUs(db, afterUs)),
  list: (state, most) => read((db) => list(db, state, most, reportDamage)),
  resend: (id, nowUs) =>
    transact((db) => (id === null ? resendDead(db, nowUs) : resendOne(db, id, nowUs))),
  listLost: () => read(listLost),
  prune: (retention) => transact((db) => prune(db, retention)),
});

async function due(db: Database, nowUs: number): Promise<readonly string[]> {
  const rows = await db
    .selectFrom("deliveries")
    .select("webhook")
    .distinct()
    .where("state", "=", "waiting")
    .where("due_us", "<=", nowUs)
    .orderBy("webhook")
    .execute();
  return rows.map(({ webhook }) => webhook);
}

async function claim(
  db: Database,
  webhook: string,
  most: number,
  nowUs: number,
  leaseUs: number,
  reportDamage: ReportDamage,
): Promise<readonly Delivery[]> {
  const rows = await db
    .updateTable("deliveries")
    .set({ due_us: nowUs + leaseUs, attempts: sql`attempts + 1`, merging: null })
    .where("state", "=", "waiting") // tested again, because another gateway may have claimed it
    .where("due_us", "<=", nowUs)
    .where("row", "in", (of) =>
      of
        .selectFrom("deliveries")
        .select("row")
        .where("state", "=", "waiting")
        .where("webhook", "=", webhook)
        .where("due_us", "<=", nowUs)
        .orderBy("due_us")
        .orderBy("row")
        .limit(most),
    )
    .returningAll()
    .execute();
  return rows
    .map((row) => decodeDelivery(row, reportDamage))
    .toSorted((one, other) => one.row - other.row);
}

async function settle(
  db: Database,
  { row, attempts }: Delivery,
  { state, dueUs, atUs, status, error }: DeliveryResult,
): Promise<void> {
  const endedUs = state === "waiting" ? null : atUs;
  await db
    .updateTable("deliveries")
    .set({ state, due_us: dueUs, ended_us: endedUs, status, error })
    .where("row", "=", row)
    .where("attempts", "=", attempts)
    .where("state", "=", "waiting")
    .execute();
}

async function nextDueUs(db: Database, afterUs: number): Promise<number | null> {
  const row = await db
    .selectFrom("deliveries")
    .select("due_us")
    .where("state", "=", "waiting")
    .where("due_us", ">", afterUs)
    .orderBy("due_us")
    .limit(1)
    .executeTakeFirst();
  return row === undefined ? null : Number(row.due_us);
}

async function list(
  db: Database,
  state: State | null,
  most: number,
  reportDamage: ReportDamage,
): Promise<readonly Delivery[]> {
  let rows = db.selectFrom("deliveries").selectAll().orderBy("row", "desc").limit(most);
  if (state !== null) rows = rows.where("state", "=", state);
  return (await rows.execute()).map((row) => decodeDelivery(row, reportDamage));
}

const resendUpdate = (db: Database, nowUs: number) =>
  db
    .updateTable("deliveries")
    .set({ state: "waiting", due_us: nowUs, attempts: 0, ended_us: null });

async function resendDead(db: Database, nowUs: number): Promise<number> {
  const { numUpdatedRows } = await resendUpdate(db, nowUs)
    .where("state", "=", "dead")
    .executeTakeFirst();
  return Number(numUpdatedRows);
}

async function resendOne(db: Database, id: string, nowUs: number): Promise<number> {
  const row = rowOf(id);
  if (row === null) return 0;
  const stored = await db
    .selectFrom("deliveries")
    .select("first_us")
    .where("row", "=", row)
    .executeTakeFirst();
  if (stored === undefined || deliveryIdOf(Number(stored.first_us), row) !== id) return 0;
  const { numUpdatedRows } = await resendUpdate(db, nowUs)
    .where("row", "=", row)
    .where("state", "<>", "waiting")
    .executeTakeFirst();
  return Number(numUpdatedRows);
}

async function listLost(db: Database): Promise<readonly LostDeliveries[]> {
  const rows = await db.selectFrom("deliveries_lost").selectAll().orderBy("webhook").execute();
  return rows.map(({ webhook, count }) => ({ webhook, count: Number(count) }));
}

async function prune(
  db: Database,
  { deliveredSinceUs, deadSinceUs, mostDelivered, mostDead, mostBytes }: DeliveryRetention,
): Promise<number> {
  const { newest } = await db
    .selectFrom("deliveries")
    .select((of) => of.fn.max("row").as("newest"))
    .executeTakeFirstOrThrow();
  const deleteEnded = (state: State, sinceUs: number, most: number) =>
    db
      .deleteFrom("deliveries")
      .where("state", "=", state)
      .where((of) => of.or([of("ended_us", "<", sinceUs), of("row", "<=", Number(newest) - most)]));
  await deleteEnded("delivered", deliveredSinceUs, mostDelivered).execute();
  await deleteEnded("dead", deadSinceUs, mostDead).execute();
  await dropOldest(db, mostBytes, "over");
  return dropOldest(db, mostBytes, "waiting");
}

const LENGTHS = sql.join(
  (["webhook", "api", "key_id", "path", "meta", "merging", "error"] as const).map(
    (column) => sql`coalesce(octet_length(${sql.ref(column)}), 0)`,
  ),
  sql` + `,
);
const BYTES = sql<number>`(${LENGTHS} + ${sql.lit(BYTES_OF_A_ROW)})`;

/** Returns how many rows were deleted. A deleted delivery that was still waiting is recorded as lost. */
async function dropOldest(
  db: Database,
  mostBytes: number,
  which: "over" | "waiting",
): Promise<number> {
  const { total } = await db
    .selectFrom("deliveries")
    .select(sql<number | string | null>`sum(${BYTES})`.as("total"))
    .executeTakeFirstOrThrow();
  const excessBytes = Number(total ?? 0) - mostBytes;
  if (excessBytes <= 0) return 0;
  const dropped = await db
    .deleteFrom("deliveries")
    .where("row", "in", (of) =>
      of
        .selectFrom((all) =>
          all
            .selectFrom("deliveries")
            .select(["row", sql<number>`sum(${BYTES}) over (order by row) - ${BYTES}`.as("before")])
            .where("state", which === "waiting" ? "=" : "<>", "waiting")
            .as("oldest"),
        )
        .select("row")
        .where("before", "<", excessBytes),
    )
    .returning("webhook")
    .execute();
  if (which === "waiting")
    for (const [webhook, { length }] of Map.groupBy(dropped, (row) => row.webhook))
      await recordLost(db, webhook, length);
  return dropped.length;
}

function decodeDelivery(
  row: Selectable<DeliveryTables["deliveries"]>,
  reportDamage: ReportDamage,
): Delivery {
  const rowNumber = Number(row.row);
  const firstUs = Number(row.first_us);
  const id = deliveryIdOf(firstUs, rowNumber);
  const meta = objectOf(row.meta);
  if (meta === null) reportDamage(`the content of delivery ${id}`);
  return {
    row: rowNumber,
    id,
    webhook: row.webhook,
    event: row.event as EventName,
    state: row.state as State,
    firstUs,
    lastUs: Number(row.last_us),
    api: row.api,
    key: row.key_id,
    path: row.path,
    meta: meta ?? {},
    count: Number(row.count),
    dueUs: Number(row.due_us),
    attempts: Number(row.attempts),
    endedUs: row.ended_us === null ? null : Number(row.ended_us),
    status: row.status === null ? null : Number(row.status),
    error: row.error,
  };
}
