// Records in one file, or in memory for simulations.
import { statSync } from "node:fs";
import { dirname } from "node:path";
import { Kysely } from "kysely";
import { Failure, isFailure, requireValue } from "../../../kit/reading/failure.ts";
import type { RecordBounds } from "./bounds.ts";
import type { ReportRecords } from "./damaged.ts";
import { createPrivately } from "./private-file.node.ts";
import { lastingThread } from "./sqlite-restarting.node.ts";
import type { Records } from "./records.ts";
import { openRecords, recordsIn } from "./sql.ts";
import type { Database } from "./database.ts";
import { sqliteDialect } from "./sqlite-dialect.ts";
import { sqliteFailure } from "./sqlite-failures.ts";
import type { RunnerHandle } from "./sqlite-runner.ts";
import { lockFor, type Lock } from "./sqlite-lock.node.ts";
import { statementsIn, type SqliteOpening, type Statements } from "./sqlite-statements.node.ts";
import type { Tables } from "./tables.ts";
import { ownTurn } from "./turns.node.ts";

interface InMemory {
  readonly bounds?: () => RecordBounds;
  readonly turn?: Records["turn"]; // if a server runs meanwhile
}

const NO_TURN: Records["turn"] = async () => {};

/** Lost when the process ends: for simulations and experiments. */
export async function recordsInMemory({ bounds, turn = NO_TURN }: InMemory = {}): Promise<Records> {
  const reusable = idle.pop();
  if (reusable !== undefined) return recordsIn({ ...reusable, turn }, bounds);
  const database = inMemory();
  return requireValue(await openRecords({ ...database, turn }, bounds));
}

/** Reused, because creating the tables and preparing statements takes longer than most simulations. */
const idle: Database[] = [];

function inMemory(): Database {
  const runner = statementsIn({ file: ":memory:", isReadOnly: false, pragmas: "" });
  const running = handleOf(runner);
  const db = new Kysely<Tables>({ dialect: sqliteDialect(running) });
  const database: Database = {
    dialect: "sqlite",
    tables: db,
    lookups: db,
    scans: db,
    apply: async (prepared) => runner.apply(prepared),
    transact: (work) => db.transaction().execute(work),
    failureOf: sqliteFailure,
    report: () => {},
    lacks: () => null,
    onSilence: () => {},
    onRemoteChange: () => {},
    turn: NO_TURN,
    wipe: async () => {},
    eraseRemains: async () => true,
    close: async () => {
      runner.run("rollback", []); // if an error has left one open
      const filled = runner.run(FILLED, []).rows as readonly { readonly name: string }[];
      for (const { name } of filled) runner.run(`delete from "${name}"`, []);
      idle.push(database);
    },
  };
  return database;
}

const handleOf = (runner: Statements): RunnerHandle => ({
  now: () => runner,
  hasEnded: () => false,
  close: runner.close,
});

/** All tables except those of migrations and of the search index, with the counters of numbered rows. */
const FILLED = `select name from sqlite_schema
  where type = 'table' and name not like 'kysely%' and name not like 'texts%'`;

export interface InFile {
  /** Reports problems of the records and their end to the operator. */
  readonly report?: ReportRecords;
  readonly pragmas?: string; // of the connection that writes
  /** Opened while a gateway may run on the same file: for commands, which cache nothing. */
  readonly isSecondary?: boolean;
  /** Nothing else runs in this process that a slow disk could hold up, so that no thread is started. */
  readonly isAlone?: boolean;
  readonly bounds?: (() => RecordBounds) | undefined;
}

/** Locked by this process until it closes them or ends. */
export async function recordsInFile(
  file: string,
  options: InFile = {},
): Promise<Records | Failure> {
  const { isSecondary = false } = options;
  try {
    const isEmpty = statSync(file, { throwIfNoEntry: false })?.size === 0;
    if (!isEmpty) createPrivately(file);
    const lock = isSecondary ? UNLOCKED : lockFor(file);
    if (isFailure(lock)) return lock; // the holder may be creating the file
    if (isEmpty) {
      lock.release();
      return new Failure(emptyFileMessage(file));
    }
    const opened = await openLocked(file, options).catch((error: unknown) => {
      lock.release();
      throw error;
    });
    if (isFailure(opened)) {
      lock.release();
      return new Failure(`${file} ${opened.message}`);
    }
    return { ...opened, close: () => opened.close().finally(lock.release) };
  } catch (error) {
    const problem = whyUnusable(error, file);
    if (problem === null) throw error;
    return new Failure(problem);
  }
}

const emptyFileMessage = (file: string): string =>
  `${file} is empty, as if it had been truncated: restore it from a backup, or delete it to start without records`;

const UNLOCKED: Lock = { release: () => {} };

async function openLocked(
  file: string,
  { report = () => {}, pragmas = "", isAlone = false, bounds }: InFile,
): Promise<Records | Failure> {
  const open: RunnerHandle[] = [];
  const connect = async (opening: SqliteOpening): Promise<RunnerHandle> =>
    isAlone ? handleOf(statementsIn(opening)) : lastingThread(opening, report);
  // The last connection to close writes the log into the file, which a read-only one cannot.
  const close = async (): Promise<void> => {
    for (const running of open.splice(0).toReversed()) await running.close();
  };
  try {
    const writer = await connect({ file, isReadOnly: false, pragmas });
    open.push(writer);
    const reading = { file, isReadOnly: true, pragmas: "" };
    const readers = await Promise.all([connect(reading), connect(reading)]);
    open.push(...readers);
    const [tables, lookups, scans] = open.map(
      (running) => new Kysely<Tables>({ dialect: sqliteDialect(running) }),
    );
    const database: Database = {
      dialect: "sqlite",
      tables: tables!,
      lookups: lookups!,
      scans: scans!,
      apply: async (prepared) => writer.now().apply(prepared),
      transact: (work) => tables!.transaction().execute(work),
      failureOf: sqliteFailure,
      report,
      lacks: () =>
        readers.some(({ hasEnded }) => hasEnded())
          ? "away"
          : writer.hasEnded()
            ? "reads only"
            : null,
      onSilence: () => {},
      onRemoteChange: () => {},
      turn: ownTurn,
      wipe: async () => {
        for (const step of WIPING) await writer.now().run(step, []);
      },
      eraseRemains: async () => {
        // A page whose cells were moved keeps remains of them between its cells, which SECURE_DELETE does not overwrite.
        await writer.now().run("vacuum", []);
        for (let attempt = 0; attempt < TRUNCATIONS; attempt++) {
          const { rows } = await writer.now().run(TRUNCATION, []);
          if ((rows[0] as { readonly busy: number }).busy === 0) return true;
        }
        return false;
      },
      close,
    };
    const opened = await openRecords(database, bounds);
    if (isFailure(opened)) await close();
    return opened;
  } catch (error) {
    await close();
    throw error;
  }
}

const TRUNCATION = "pragma wal_checkpoint(truncate)";

/** The vacuum writes all pages to the log, so a gateway may begin to read it again while it is copied. */
const TRUNCATIONS = 5;

/** Free pages, and overwritten contents in the log. */
const WIPING = [TRUNCATION, "vacuum", TRUNCATION];

/** Why a file of SQLite cannot be opened or written. Null: an internal error. */
export function whyUnusable(error: unknown, file: string): string | null {
  const fault = sqliteFailure(error);
  if (fault !== null) return `${file} ${fault.sentence}`;
  if (!(error instanceof Error && "syscall" in error && "code" in error)) return null;
  switch (error.code) {
    case "ENOENT":
    case "ENOTDIR":
      return `the folder ${dirname(file)} for the records does not exist`;
    case "EACCES":
    case "EPERM":
    case "EROFS":
      return `${file} may not be written`;
    case "EISDIR":
      return `${file} is a folder`;
    case "ENOSPC":
    case "EDQUOT":
      return `${file} cannot grow: the disk is full`;
    default:
      return `${file} cannot be opened (${String(error.code)})`;
  }
}
