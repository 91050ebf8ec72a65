// SQLite serves one gateway: two would not hear of each other's changes. Whoever serves holds a write transaction on
// a small database beside the records, which the system ends with its process, however that ends.
import { hostname } from "node:os";
import { DatabaseSync } from "node:sqlite";
import { createPrivately } from "./private-file.node.ts";

export interface Lock {
  readonly release: () => unknown; // once, or more often
}

const BUSY = 5;

/** A sentence about who holds it, where somebody does. */
export function lockFor(file: string): Lock | string {
  const lock = lockOn(`${file}.lock`);
  return "holder" in lock
    ? `${file} serves another gateway: ${lock.holder}; several share PostgreSQL`
    : lock;
}

/** The file stays when the lock is released: another process may be about to open it. */
export function lockOn(beside: string): Lock | { readonly holder: string } {
  createPrivately(beside);
  const database = new DatabaseSync(beside, { timeout: 0 });
  const began = (): boolean => {
    try {
      database.exec("begin immediate");
      return true;
    } catch (error) {
      if (!(error instanceof Error && "errcode" in error) || Number(error.errcode) !== BUSY)
        throw error;
      return false;
    }
  };
  try {
    if (began()) {
      database.exec("create table if not exists holder (who text not null); delete from holder");
      const who = `process ${process.pid} on ${hostname()}, since ${new Date().toISOString()}`;
      database.prepare("insert into holder values (?)").run(who);
      database.exec("commit");
      // Whoever reads may still come in, and see who it is.
      if (began()) return { release: () => database.isOpen && database.close() };
    }
    const holder = holderIn(database);
    database.close();
    return { holder };
  } catch (error) {
    database.close(); // a full disk, or a file that is no database
    throw error;
  }
}

function holderIn(database: DatabaseSync): string {
  const isThere = database.prepare("select 1 from sqlite_schema where name = 'holder'").get();
  const row = isThere === undefined ? undefined : database.prepare("select who from holder").get();
  return row === undefined ? "a process that is just starting" : String(row["who"]);
}
