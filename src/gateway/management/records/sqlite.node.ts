// Records in a SQLite file, or in memory for simulations.
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
  readonly turn?: Records["turn"]; // lets the event loop run between pieces of long work; only a server needs it
}

const NO_TURN: Records["turn"] = async () => {};

/** Opens records in memory for simulations and experiments. They are lost when the process ends. */
export async function recordsInMemory({ bounds, turn = NO_TURN }: InMemory = {}): Promise<Records> {
  const reusable = idle.pop();
  if (reusable !== undefined) return recordsIn({ ...reusable, turn }, bounds);
  const database = inMemory();
  return requireValue(await openRecords({ ...database, turn }, bounds));
}

/** Idle databases are used again: creating tables and preparing statements takes longer than most simulations. */
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
      runner.run("rollback", []); // an error may have left a transaction open
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

/** Selects the tables to empty, among them SQLite's row counters, but not tables of migrations and the search index. */
const FILLED = `select name from sqlite_schema
  where type = 'table' and name not like 'kysely%' and name not like 'texts%'`;

export interface InFile {
  /** Reports problems of the records to the operator, and when they end. */
  readonly report?: ReportRecords;
  readonly pragmas?: string; // of the writing connection
  /** A command opens the records. It caches nothing, so it needs no lock: a gateway may use the file too. */
  readonly isSecondary?: boolean;
  /** Nothing else runs in this process, so that waiting for a disk is harmless and no thread is needed. */
  readonly isAlone?: boolean;
  readonly bounds?: (() => RecordBounds) | undefined;
}

/** Opens the records. Unless `isSecondary`, locks the file until they are closed or the process ends. */
export async function recordsInFile(
  file: string,
  options: InFile = {},
): Promise<Records | Failure> {
  const { isSecondary = false } = options;
  try {
    const isEmpty = statSync(file, { throwIfNoEntry: false })?.size === 0;
    if (!isEmpty) createPrivately(file);
    const lock = isSecondary ? UNLOCKED : lockFor(file);
    if (isFailure(lock)) return lock; // before the failure of an empty file: the holder may be creating it
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
  // The writing connection is closed last, because closing the last connection copies the log into the file.
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
        // SQLite leaves old contents between the cells of a page. Only a vacuum removes these contents.
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

/** The most attempts to truncate the log. An attempt fails if a gateway reads the log at the same time. */
const TRUNCATIONS = 5;

/** The statements that remove free pages, and overwritten contents in the log. */
const WIPING = [TRUNCATION, "vacuum", TRUNCATION];

/** Why a SQLite file cannot be opened or written; null: it is an internal error. */
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
