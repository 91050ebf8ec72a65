// Stores records with SQL that SQLite and PostgreSQL support. A `Database` has the operations that differ between them.
import type { Kysely } from "kysely";
import { Migrator } from "kysely/migration";
import { Failure } from "../../../kit/reading/failure.ts";
import { deliveriesIn } from "../events/deliveries-sql.ts";
import { oneAtATime, together } from "./apply.ts";
import { USUAL_BOUNDS, type RecordBounds } from "./bounds.ts";
import { damageReporter } from "./damaged.ts";
import { writeJson } from "../json.ts";
import { isOutage, RecordsOutage, type DatabaseFailure } from "./database-failure.ts";
import type { RecordTypeName } from "./record-types.ts";
import { guardDatabase } from "./guard.ts";
import { migrations } from "./migrations.ts";
import {
  listAudit,
  recordsAfter,
  changesSince,
  idsAfter,
  latestChange,
  listRecords,
  listIds,
  readRecord,
  searchUsers,
} from "./read.ts";
import type { Listed, Records, Rewritten, Stored, WrittenChange } from "./records.ts";
import type { Tables } from "./tables.ts";
import { writer, type Transact } from "./write.ts";
import type { Database } from "./database.ts";

/** Applies missing migrations, then opens the records. If several gateways start together, only one applies them. */
export async function openRecords(
  database: Database,
  bounds?: () => RecordBounds,
  steps = migrations(database.dialect), // the migrations of this version of Weir
): Promise<Records | Failure> {
  const { tables: db, failureOf } = database;
  const provider = { getMigrations: async () => steps };
  const { error } = await new Migrator({ db, provider }).migrateToLatest();
  if (error === undefined) return recordsIn(database, bounds);
  const newer = await newerStep(db, Object.keys(steps));
  if (newer !== null)
    return new Failure(
      `was written by a newer version of Weir, with the schema step ${newer}: use that version`,
    );
  const fault = failureOf(error);
  if (fault === null) throw error;
  return openFailure(fault);
}

export const openFailure = (fault: DatabaseFailure): Failure =>
  new (isOutage(fault) ? RecordsOutage : Failure)(fault.sentence);

async function newerStep(db: Kysely<Tables>, known: readonly string[]): Promise<string | null> {
  const tables = await db.introspection.getTables({ withInternalKyselyTables: true });
  if (!tables.some(({ name }) => name === STEPS)) return null;
  const rows = await db
    .withTables<{ [STEPS]: { name: string } }>()
    .selectFrom(STEPS)
    .select("name")
    .orderBy("name")
    .execute();
  return rows.find(({ name }) => !known.includes(name))?.name ?? null;
}

const STEPS = "kysely_migration";

/** Builds the records on an open database, in which every migration must have been applied. */
export function recordsIn(
  database: Database,
  bounds: () => RecordBounds = () => USUAL_BOUNDS,
): Records {
  const { lookups, scans, dialect, report, onRemoteChange, wipe, eraseRemains, turn } = database;
  const alone = oneAtATime();
  const apply = together((prepared) => alone(() => database.apply(prepared)));
  const transact: Transact = (work) => alone(() => database.transact(work));
  const damaged = damageReporter(report);
  const writeListeners: ((changes: readonly WrittenChange[]) => void)[] = [];
  const onWrite = (changes: readonly WrittenChange[]): void => {
    for (const listener of writeListeners) listener(changes);
  };
  const write = writer({
    lookups,
    scans,
    dialect,
    apply,
    transact,
    damaged,
    bounds,
    turn,
    onWrite,
  });
  const reportDamaged = <Read extends Stored | null>(family: RecordTypeName, read: Read): Read => {
    if (read?.isDamaged === true) damaged(`${family} ${read.id}`);
    return read;
  };
  const reportAllDamaged = (family: RecordTypeName, all: readonly Stored[]): readonly Stored[] =>
    all.map((one) => reportDamaged(family, one));
  const reportListDamaged = (family: RecordTypeName, { total, records }: Listed): Listed => ({
    total,
    records: reportAllDamaged(family, records),
  });
  const { guard, status, close } = guardDatabase(database, () => latestChange(lookups));
  return {
    bounds,
    turn,
    read: (family, id) =>
      guard(async () => reportDamaged(family, await readRecord(lookups, family, "id", id, turn))),
    find: (family, unique) =>
      guard(async () =>
        reportDamaged(family, await readRecord(lookups, family, "found_by", unique, turn)),
      ),
    write: (audited, work) => guard(() => write(audited, work), "write"),
    list: (family, page) =>
      guard(async () => reportListDamaged(family, await listRecords(scans, family, page, turn))),
    searchUsers: (text, page) =>
      guard(async () =>
        reportListDamaged("users", await searchUsers(scans, text, page, dialect, turn)),
      ),
    next: (family, last, most, text) =>
      guard(async () =>
        reportAllDamaged(
          family,
          await recordsAfter(scans, family, last, most, text, dialect, turn),
        ),
      ),
    ids: (family, page) => guard(() => listIds(scans, family, page)),
    nextIds: (family, last, most) => guard(() => idsAfter(scans, family, last, most)),
    rewrite: (family, rewritten) =>
      guard(() => transact((db) => rewrite(db, family, rewritten)), "write"),
    wipe: () => guard(wipe, "write"),
    eraseRemains: () => guard(eraseRemains, "write"),
    changesSince: (seq) => guard(() => changesSince(lookups, seq), "probe"),
    listAudit: (most, only = null, last = null) =>
      guard(() => listAudit(scans, most, only, last, damaged, turn)),
    latestChange: () => guard(() => latestChange(lookups), "probe"),
    onRemoteChange,
    onWrite: (listener) => void writeListeners.push(listener),
    status,
    deliveries: deliveriesIn(
      (work) => guard(() => work(lookups)),
      (work) => guard(() => transact(work), "perhaps a write"), // the transaction often changes nothing
      damaged,
    ),
    close,
  };
}

/** Replaces documents, except of records that changed since they were read. Returns the number of replacements. */
async function rewrite(
  db: Kysely<Tables>,
  family: RecordTypeName,
  rewritten: readonly Rewritten[],
): Promise<number> {
  let written = 0;
  for (const { before, document } of rewritten) {
    const { numUpdatedRows } = await db
      .updateTable("records")
      .set({ document: writeJson(document) })
      .where("family", "=", family)
      .where("id", "=", before.id)
      .where("version", "=", before.version)
      .executeTakeFirst();
    written += Number(numUpdatedRows);
  }
  return written;
}
