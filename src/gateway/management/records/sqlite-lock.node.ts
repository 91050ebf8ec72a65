// Only one gateway may use a SQLite file, because others would not see its changes. The gateway holds a write
// transaction on a separate lock database, which the operating system releases when the process ends.
import { hostname } from "node:os";
import { DatabaseSync } from "node:sqlite";
import { Failure, isFailure } from "../../../kit/reading/failure.ts";
import { createPrivately } from "./private-file.node.ts";

export interface Lock {
  readonly release: () => unknown; // may be called several times
}

const BUSY = 5;

export function lockFor(file: string): Lock | Failure {
  const lock = lockOn(`${file}.lock`);
  return isFailure(lock)
    ? new Failure(
        `${file} serves another gateway: ${lock.message}; stop it first, or use PostgreSQL, which several gateways can share`,
      )
    : lock;
}

/** Returns a failure that describes the holder if the file is locked. `release` does not delete the file. */
export function lockOn(file: string): Lock | Failure {
  createPrivately(file);
  const database = new DatabaseSync(file, { timeout: 0 });
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
      const description = `process ${process.pid} on ${hostname()}, since ${new Date().toISOString()}`;
      database.prepare("insert into holder values (?)").run(description);
      database.exec("commit");
      // The commit made the description readable for other processes; this second transaction is the lock.
      if (began()) return { release: () => database.isOpen && database.close() };
    }
    const holder = holderIn(database);
    database.close();
    return new Failure(holder);
  } catch (error) {
    database.close(); // for example a full disk, or a file that is no database
    throw error;
  }
}

function holderIn(database: DatabaseSync): string {
  const isThere = database.prepare("select 1 from sqlite_schema where name = 'holder'").get();
  const row = isThere === undefined ? undefined : database.prepare("select who from holder").get();
  return row === undefined ? "a process that is just starting" : String(row["who"]);
}
