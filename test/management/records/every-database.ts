// The same records in each database: what a test says of one, it says of all.
import { mkdtemp, rm } from "node:fs/promises";
import { DatabaseSync } from "node:sqlite";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, afterEach, expect, test } from "vitest";
import type { RecordBounds } from "../../../src/management/records/bounds.ts";
import type { Records, Unopened } from "../../../src/management/records/records.ts";
import { recordsInPostgres } from "../../../src/management/records/postgres.node.ts";
import { recordsInFile, recordsInMemory } from "../../../src/management/records/sqlite.node.ts";
import { isInstalled, startPostgres, type PostgresServer } from "./postgres-server.ts";

/** Records that a test has for itself. */
export interface Place {
  readonly open: (
    tell?: (sentence: string) => void,
    bounds?: () => RecordBounds,
  ) => Promise<Records | Unopened>;
  /** By another way than through the records. */
  readonly ask: (text: string) => Promise<readonly Record<string, unknown>[]>;
}

export interface Kind {
  readonly name: string;
  readonly place: () => Promise<Place>;
}

export const opened = (answer: Records | Unopened): Records => {
  if ("problem" in answer) throw new Error(answer.problem);
  return answer;
};

/** Opens for one test, and closes behind it. */
export function opener(): (answer: Promise<Records | Unopened>) => Promise<Records> {
  const open: Records[] = [];
  afterEach(async () => {
    for (const each of open.splice(0)) await each.close();
  });
  return async (answer) => {
    const records = opened(await answer);
    open.push(records);
    return records;
  };
}

export const inMemory: Kind = {
  name: "SQLite in memory",
  place: async () => ({
    open: (_, bounds) => recordsInMemory(bounds === undefined ? {} : { bounds }),
    ask: async () => {
      throw new Error("nobody else sees what is in memory");
    },
  }),
};

const folders: string[] = [];

export async function folder(): Promise<string> {
  const made = await mkdtemp(join(tmpdir(), "weir-records-"));
  folders.push(made);
  return made;
}

export const inFile: Kind = {
  name: "SQLite in a file",
  place: async () => {
    const file = join(await folder(), "weir.db");
    return {
      open: (report = () => {}, bounds) => recordsInFile(file, { report, bounds }),
      ask: async (text) => {
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

export const inPostgres: Kind = {
  name: "PostgreSQL",
  place: async () => {
    const name = `place_${++places}`;
    const { database, ask } = await postgres();
    const url = await database(name);
    return {
      open: (report = () => {}, bounds) =>
        recordsInPostgres(url, bounds === undefined ? { report } : { report, bounds }),
      ask: (text) => ask(text, name),
    };
  },
};

afterAll(async () => {
  const started = server;
  server = null;
  await (await started)?.stop();
  for (const each of folders.splice(0)) await rm(each, { recursive: true, force: true });
});

/** Without PostgreSQL its tests are left out where somebody works, and fail where something is built. */
export const kindsOf = (...others: readonly Kind[]): readonly Kind[] => {
  if (isInstalled) return [...others, inPostgres];
  console.warn("NOT TESTED: records in PostgreSQL, which is not installed");
  test("PostgreSQL is there, as Debian's package has it (apt-get install postgresql)", () => {
    expect(process.env["CI"]).toBeUndefined();
  });
  return others;
};
