// Runs the same tests over the records of each database.
import { mkdtemp, rm } from "node:fs/promises";
import { DatabaseSync } from "node:sqlite";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, afterEach, expect, test } from "vitest";
import type { RecordBounds } from "#src/gateway/management/records/bounds.ts";
import type { Records } from "#src/gateway/management/records/records.ts";
import { recordsInPostgres } from "#src/gateway/management/records/postgres.node.ts";
import { recordsInFile, recordsInMemory } from "#src/gateway/management/records/sqlite.node.ts";
import { type Failure, requireValue } from "#src/kit/reading/failure.ts";
import { isInstalled, startPostgres, type PostgresServer } from "./postgres-server.ts";

/** A database with records for one test. */
export interface TestDatabase {
  readonly open: (
    report?: (sentence: string) => void,
    bounds?: () => RecordBounds,
  ) => Promise<Records | Failure>;
  /** Queries the database directly, not through the records. */
  readonly query: (text: string) => Promise<readonly Record<string, unknown>[]>;
}

export interface DatabaseKind {
  readonly name: string;
  readonly place: () => Promise<TestDatabase>;
}

/** Opens records for one test, and closes them afterwards. */
export function opener(): (answer: Promise<Records | Failure>) => Promise<Records> {
  const open: Records[] = [];
  afterEach(async () => {
    for (const each of open.splice(0)) await each.close();
  });
  return async (answer) => {
    const records = requireValue(await answer);
    open.push(records);
    return records;
  };
}

export const inMemory: DatabaseKind = {
  name: "SQLite in memory",
  place: async () => ({
    open: (_, bounds) => recordsInMemory(bounds === undefined ? {} : { bounds }),
    query: async () => {
      throw new Error("records in memory have no second connection");
    },
  }),
};

const folders: string[] = [];

export async function createFolder(): Promise<string> {
  const created = await mkdtemp(join(tmpdir(), "weir-records-"));
  folders.push(created);
  return created;
}

export const inFile: DatabaseKind = {
  name: "SQLite in a file",
  place: async () => {
    const file = join(await createFolder(), "weir.db");
    return {
      open: (report = () => {}, bounds) => recordsInFile(file, { report, bounds }),
      query: async (text) => {
        const database = new DatabaseSync(file);
        try {
          return database.prepare(text).all();
        } finally {
          database.close();
        }
      },
    };
  },
};

let server: Promise<PostgresServer> | null = null;
let places = 0;

/** One for all tests of a file. */
export const postgres = (): Promise<PostgresServer> => (server ??= startPostgres());

const inPostgres: DatabaseKind = {
  name: "PostgreSQL",
  place: async () => {
    const name = `place_${++places}`;
    const { database, query } = await postgres();
    const url = await database(name);
    return {
      open: (report = () => {}, bounds) =>
        recordsInPostgres(url, bounds === undefined ? { report } : { report, bounds }),
      query: (text) => query(text, name),
    };
  },
};

/** Each test file registers this for itself: files of one process share this module, which is loaded once. */
export const removeDatabases = (): void =>
  afterAll(async () => {
    const started = server;
    server = null;
    await (await started)?.stop();
    for (const each of folders.splice(0)) await rm(each, { recursive: true, force: true });
  });

/**
 * The databases of this run: `others` in the quick job, and PostgreSQL alone in the project `postgres` of the longer one
 * (vitest.config.ts). Without PostgreSQL its tests are skipped on a developer's machine, and fail in CI.
 */
export const kindsOf = (...others: readonly DatabaseKind[]): readonly DatabaseKind[] => {
  removeDatabases();
  if (process.env["WEIR_RECORDS"] !== "postgres") return others;
  if (isInstalled) return [inPostgres];
  console.warn("NOT TESTED: records in PostgreSQL, which is not installed");
  test("PostgreSQL is there, as Debian's package has it (apt-get install postgresql)", () => {
    expect(process.env["CI"]).toBeUndefined();
  });
  return [];
};
