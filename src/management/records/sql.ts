// Records in a database, by queries that both databases understand. Where they differ, a `Database` says how.
import type { Kysely } from "kysely";
import { Migrator } from "kysely/migration";
import { deliveriesIn } from "../events/deliveries-sql.ts";
import { Refusal } from "../operation.ts";
import { oneAtATime, together, type Apply } from "./apply.ts";
import { damagedIn, type TellOfRecords } from "./damaged.ts";
import type { Family } from "./family.ts";
import { migrations, type Dialect } from "./migrations.ts";
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
import type { Listed, Records, Standing, Stored, Unopened } from "./records.ts";
import type { Tables } from "./tables.ts";
import { rewrite, writer, type Transact } from "./write.ts";

export interface Database {
  readonly dialect: Dialect;
  /** Where tables are made. */
  readonly tables: Kysely<Tables>;
  /** Reads of one record: on a connection of its own, where nothing is seen before it is durable. */
  readonly lookups: Kysely<Tables>;
  /** Reads of many: so that nobody waits behind them. */
  readonly scans: Kysely<Tables>;
  /** All that is said in one transaction, durable when it resolves, while nobody else writes. */
  readonly apply: Apply;
  /** The same for what has to look before it goes on. */
  readonly transact: Transact;
  /** What is wrong with the records, after their name; null for a fault of Weir itself. */
  readonly faultOf: (error: unknown) => string | null;
  readonly tell: TellOfRecords;
  /** Null: all that it needs to work is there. */
  readonly lacks: () => Exclude<Standing, "answers"> | null;
  readonly heard: Records["heard"];
  readonly wipe: Records["wipe"];
  readonly close: () => Promise<void>;
}

/** With every step of the tables' history taken, by one who opens them at a time. */
export async function openRecords(database: Database): Promise<Records | Unopened> {
  const { tables: db, dialect, faultOf } = database;
  const steps = migrations(dialect);
  const provider = { getMigrations: async () => steps };
  const { error } = await new Migrator({ db, provider }).migrateToLatest();
  if (error === undefined) return recordsIn(database);
  const newer = await newerStep(db, Object.keys(steps));
  const fault =
    newer === null
      ? faultOf(error)
      : `is of a newer version of Weir, which has the step ${newer}: use that version`;
  if (fault === null) throw error;
  return { fault };
}

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
export function recordsIn(database: Database): Records {
  const { lookups, scans, dialect, faultOf, tell, lacks, heard, wipe, close } = database;
  const alone = oneAtATime();
  const apply = together((prepared) => alone(() => database.apply(prepared)));
  const transact: Transact = (work) => alone(() => database.transact(work));
  const damaged = damagedIn(tell);
  const write = writer({ lookups, dialect, apply, transact, damaged });
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
  // Apart, because a full disk is read from all the same: what a read can do says nothing of a write.
  const wrong: Record<"read" | "write", string | null> = { read: null, write: null };
  let closed: Promise<void> | null = null;
  const running = new Set<Promise<unknown>>();
  /** What the database cannot do now may be asked again in a moment; its caller has done nothing wrong. */
  const guarded = async <T>(
    work: () => Promise<T>,
    how: "read" | "write" | "perhaps a write" = "read",
  ): Promise<T> => {
    if (closed !== null) throw away("are closed");
    const runs = work();
    running.add(runs);
    try {
      const done = await runs;
      const wasWrong = wrong.read ?? wrong.write;
      // What kept reads from working too, as a server that is away does, is over with it.
      if (how === "write" || wrong.write === wrong.read) wrong.write = null;
      wrong.read = null;
      if (wasWrong !== null && wrong.write === null) tell("records: they answer again");
      return done;
    } catch (error) {
      const fault = faultOf(error);
      if (fault === null) throw error;
      if (fault !== wrong.read && fault !== wrong.write) tell(`records: the database ${fault}`);
      wrong[how === "read" ? "read" : "write"] = fault;
      throw away("cannot be reached or kept now");
    } finally {
      running.delete(runs);
    }
  };
  return {
    read: (family, id) => guarded(async () => named(family, await one(lookups, family, "id", id))),
    find: (family, unique) =>
      guarded(async () => named(family, await one(lookups, family, "found_by", unique))),
    write: (audited, work) => guarded(() => write(audited, work), "write"),
    list: (family, page) =>
      guarded(async () => listNamed(family, await listed(scans, family, page))),
    searchUsers: (text, page) =>
      guarded(async () => listNamed("users", await searchedUsers(scans, text, page, dialect))),
    next: (family, last, most, text) =>
      guarded(async () => allNamed(family, await behind(scans, family, last, most, text, dialect))),
    ids: (family, page) => guarded(() => listedIds(scans, family, page)),
    nextIds: (family, last, most) => guarded(() => idsBehind(scans, family, last, most)),
    rewrite: (family, rewritten) =>
      guarded(() => transact((db) => rewrite(db, family, rewritten)), "write"),
    wipe: () => guarded(wipe, "write"),
    changesSince: (seq) => guarded(() => changesSince(lookups, seq)),
    audited: (most) => guarded(() => audited(scans, most, damaged)),
    latestChange: () => guarded(() => latestChange(lookups)),
    heard,
    standing: () => {
      if (wrong.read !== null) {
        // Where nobody else asks, it is whoever wants to know that finds out when it is over.
        if (closed === null) guarded(() => latestChange(lookups)).catch(() => null);
        return "away";
      }
      return lacks() ?? (wrong.write === null ? "answers" : "reads only");
    },
    deliveries: deliveriesIn(
      (work) => guarded(() => work(lookups)),
      (work) => guarded(() => transact(work), "perhaps a write"), // often there is nothing to change
      damaged,
    ),
    close: () => (closed ??= Promise.allSettled(running).then(close)),
  };
}

const away = (how: string): Refusal =>
  new Refusal(503, `The records ${how}`, [], { "Retry-After": "1" });
