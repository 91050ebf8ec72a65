// Records in one file, or in memory for as long as somebody needs them.
import { statSync } from "node:fs";
import { dirname } from "node:path";
import { Kysely } from "kysely";
import type { RecordBounds } from "./bounds.ts";
import type { TellOfRecords } from "./damaged.ts";
import { createPrivately } from "./private-file.node.ts";
import { lastingThread } from "./sqlite-lasting.node.ts";
import type { Records, Unopened } from "./records.ts";
import { openRecords, recordsIn } from "./sql.ts";
import type { Database } from "./database.ts";
import { sqliteDialect } from "./sqlite-dialect.ts";
import { sqliteFault } from "./sqlite-faults.ts";
import type { Running } from "./sqlite-runner.ts";
import { lockFor, type Lock } from "./sqlite-lock.node.ts";
import { statementsIn } from "./sqlite-statements.node.ts";
import type { Tables } from "./tables.ts";
import { ownTurn } from "./turns.node.ts";

export interface InMemory {
  readonly bounds?: () => RecordBounds;
  readonly turn?: Records["turn"]; // where somebody is served meanwhile
}

const NO_TURN: Records["turn"] = async () => {};

/** Nothing of it is kept: for simulations, and to try things. */
export async function recordsInMemory({ bounds, turn = NO_TURN }: InMemory = {}): Promise<Records> {
  const emptied = idle.pop();
  if (emptied !== undefined) return recordsIn({ ...emptied, turn }, bounds);
  const database = inMemory();
  const opened = await openRecords({ ...database, turn }, bounds);
  if ("fault" in opened) throw new Error(`records in memory: ${opened.fault}`);
  return opened;
}

/** To make the tables, and to prepare what is asked of them, takes longer than most simulations ask for. */
const idle: Database[] = [];

function inMemory(): Database {
  const runner = statementsIn({ file: ":memory:", isReadOnly: false, pragmas: "" });
  const running: Running = { now: () => runner, hasEnded: () => false, close: runner.close };
  const db = new Kysely<Tables>({ dialect: sqliteDialect(running) });
  const database: Database = {
    dialect: "sqlite",
    tables: db,
    lookups: db,
    scans: db,
    apply: async (prepared) => runner.apply(prepared),
    transact: (work) => db.transaction().execute(work),
    faultOf: sqliteFault,
    tell: () => {},
    lacks: () => null,
    onSilence: () => {},
    heard: () => {},
    turn: NO_TURN,
    wipe: async () => {},
    truncateLog: async () => true,
    close: async () => {
      runner.run("rollback", []); // where a fault has left one open
      const filled = runner.run(FILLED, []).rows as readonly { readonly name: string }[];
      for (const { name } of filled) runner.run(`delete from "${name}"`, []);
      idle.push(database);
    },
  };
  return database;
}

/** All tables but those that say which steps have been taken, and what triggers keep: with the numbers that were given. */
const FILLED = `select name from sqlite_schema
  where type = 'table' and name not like 'kysely%' and name not like 'texts%'`;

export interface InFile {
  /** A sentence for whoever runs the gateway: what is wrong with the records, and when it is over. */
  readonly tell?: TellOfRecords;
  readonly pragmas?: string; // of the connection that writes
  /** Beside the gateway that they serve: for commands, which keep nothing in mind that it would have to hear of. */
  readonly isBeside?: boolean;
  readonly bounds?: (() => RecordBounds) | undefined;
}

/** Held by this process until it closes them, or is gone. */
export async function recordsInFile(
  file: string,
  { tell = () => {}, pragmas = "", isBeside = false, bounds }: InFile = {},
): Promise<Records | Unopened> {
  try {
    const isEmpty = statSync(file, { throwIfNoEntry: false })?.size === 0;
    if (!isEmpty) createPrivately(file);
    const lock = isBeside ? UNLOCKED : lockFor(file);
    if (typeof lock === "string") return { fault: lock }; // who has it may just be making it
    if (isEmpty) {
      lock.release();
      return { fault: emptied(file) };
    }
    const opened = await openLocked(file, tell, pragmas, bounds).catch((error: unknown) => {
      lock.release();
      throw error;
    });
    if ("fault" in opened) {
      lock.release();
      return { fault: `${file} ${opened.fault}` };
    }
    return { ...opened, close: () => opened.close().finally(lock.release) };
  } catch (error) {
    const fault = whyUnusable(error, file);
    if (fault === null) throw error;
    return { fault };
  }
}

const emptied = (file: string): string =>
  `${file} is empty, as if it had been cut off: put a copy of it back, or delete it to begin with nothing`;

const UNLOCKED: Lock = { release: () => {} };

async function openLocked(
  file: string,
  tell: TellOfRecords,
  pragmas: string,
  bounds: InFile["bounds"],
): Promise<Records | Unopened> {
  const open: Running[] = [];
  // The last one out writes the log into the file, which one that only reads cannot.
  const close = async (): Promise<void> => {
    for (const running of open.splice(0).toReversed()) await running.close();
  };
  try {
    const writer = await lastingThread({ file, isReadOnly: false, pragmas }, tell);
    open.push(writer);
    const reading = { file, isReadOnly: true, pragmas: "" };
    const readers = await Promise.all([lastingThread(reading, tell), lastingThread(reading, tell)]);
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
      faultOf: sqliteFault,
      tell,
      lacks: () =>
        readers.some(({ hasEnded }) => hasEnded())
          ? "away"
          : writer.hasEnded()
            ? "reads only"
            : null,
      onSilence: () => {},
      heard: () => {},
      turn: ownTurn,
      wipe: async () => {
        for (const step of WIPING) await writer.now().run(step, []);
      },
      truncateLog: async () => {
        const { rows } = await writer.now().run(TRUNCATION, []);
        return (rows[0] as { readonly busy: number }).busy === 0;
      },
      close,
    };
    const opened = await openRecords(database, bounds);
    if ("fault" in opened) await close();
    return opened;
  } catch (error) {
    await close();
    throw error;
  }
}

const TRUNCATION = "pragma wal_checkpoint(truncate)";

/** Pages that are free, and what the log still holds of those that are not. */
const WIPING = [TRUNCATION, "vacuum", TRUNCATION];

/** Why a file of SQLite cannot be opened or written. Null for a fault of Weir itself. */
export function whyUnusable(error: unknown, file: string): string | null {
  const fault = sqliteFault(error);
  if (fault !== null) return `${file} ${fault.sentence}`;
  if (!(error instanceof Error && "syscall" in error && "code" in error)) return null;
  switch (error.code) {
    case "ENOENT":
    case "ENOTDIR":
      return `there is no folder ${dirname(file)} for the records`;
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
