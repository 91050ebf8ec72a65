// Records in a database, by queries that both databases understand. Where they differ, a `Database` says how.
import type { Kysely } from "kysely";
import { Migrator } from "kysely/migration";
import { deliveriesIn } from "../events/deliveries-sql.ts";
import { oneAtATime, together } from "./apply.ts";
import { USUAL_BOUNDS, type RecordBounds } from "./bounds.ts";
import { damagedIn } from "./damaged.ts";
import { isOutage, type DatabaseFault } from "./database-fault.ts";
import type { Family } from "./family.ts";
import { guardDatabase } from "./guarded.ts";
import { migrations } from "./migrations.ts";
import {
  audited,
  behind,
  changesSince,
  idsBehind,
  latestChange,
  listed,
  listedIds,
  one,
  searchedUsers,
} from "./read.ts";
import type { Listed, Records, Stored, Unopened, WrittenChange } from "./records.ts";
import type { Tables } from "./tables.ts";
import { rewrite, writer, type Transact } from "./write.ts";
import type { Database } from "./database.ts";

/** With every step of the tables' history taken, by one who opens them at a time. */
export async function openRecords(
  database: Database,
  bounds?: () => RecordBounds,
  steps = migrations(database.dialect), // that this version knows
): Promise<Records | Unopened> {
  const { tables: db, faultOf } = database;
  const provider = { getMigrations: async () => steps };
  const { error } = await new Migrator({ db, provider }).migrateToLatest();
  if (error === undefined) return recordsIn(database, bounds);
  const newer = await newerStep(db, Object.keys(steps));
  if (newer !== null)
    return {
      fault: `is of a newer version of Weir, which has the step ${newer}: use that version`,
    };
  const fault = faultOf(error);
  if (fault === null) throw error;
  return unopenedBy(fault);
}

export const unopenedBy = (fault: DatabaseFault): Unopened => ({
  fault: fault.sentence,
  ...(isOutage(fault) && { isOutage: true }),
});

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

/** Where every step has been taken already. */
export function recordsIn(
  database: Database,
  bounds: () => RecordBounds = () => USUAL_BOUNDS,
): Records {
  const { lookups, scans, dialect, tell, heard, wipe, truncateLog, turn } = database;
  const alone = oneAtATime();
  const apply = together((prepared) => alone(() => database.apply(prepared)));
  const transact: Transact = (work) => alone(() => database.transact(work));
  const damaged = damagedIn(tell);
  const writeListeners: ((changes: readonly WrittenChange[]) => void)[] = [];
  const wrote = (changes: readonly WrittenChange[]): void => {
    for (const listener of writeListeners) listener(changes);
  };
  const write = writer({ lookups, scans, dialect, apply, transact, damaged, bounds, turn, wrote });
  const named = <Read extends Stored | null>(family: Family, read: Read): Read => {
    if (read?.isDamaged === true) damaged(`${family} ${read.id}`);
    return read;
  };
  const allNamed = (family: Family, all: readonly Stored[]): readonly Stored[] =>
    all.map((one) => named(family, one));
  const listNamed = (family: Family, { total, records }: Listed): Listed => ({
    total,
    records: allNamed(family, records),
  });
  const { guarded, standing, close } = guardDatabase(database, () => latestChange(lookups));
  return {
    bounds,
    turn,
    read: (family, id) =>
      guarded(async () => named(family, await one(lookups, family, "id", id, turn))),
    find: (family, unique) =>
      guarded(async () => named(family, await one(lookups, family, "found_by", unique, turn))),
    write: (audited, work) => guarded(() => write(audited, work), "write"),
    list: (family, page) =>
      guarded(async () => listNamed(family, await listed(scans, family, page, turn))),
    searchUsers: (text, page) =>
      guarded(async () =>
        listNamed("users", await searchedUsers(scans, text, page, dialect, turn)),
      ),
    next: (family, last, most, text) =>
      guarded(async () =>
        allNamed(family, await behind(scans, family, last, most, text, dialect, turn)),
      ),
    ids: (family, page) => guarded(() => listedIds(scans, family, page)),
    nextIds: (family, last, most) => guarded(() => idsBehind(scans, family, last, most)),
    rewrite: (family, rewritten) =>
      guarded(() => transact((db) => rewrite(db, family, rewritten)), "write"),
    wipe: () => guarded(wipe, "write"),
    truncateLog: () => guarded(truncateLog, "write"),
    changesSince: (seq) => guarded(() => changesSince(lookups, seq), "probe"),
    audited: (most, only = null, last = null) =>
      guarded(() => audited(scans, most, only, last, damaged, turn)),
    latestChange: () => guarded(() => latestChange(lookups), "probe"),
    heard,
    wrote: (listener) => void writeListeners.push(listener),
    standing,
    deliveries: deliveriesIn(
      (work) => guarded(() => work(lookups)),
      (work) => guarded(() => transact(work), "perhaps a write"), // often there is nothing to change
      damaged,
    ),
    close,
  };
}
