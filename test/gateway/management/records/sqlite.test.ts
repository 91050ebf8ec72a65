import { chmodSync, mkdirSync, readdirSync, readFileSync, statSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { DatabaseSync } from "node:sqlite";
import type { Worker } from "node:worker_threads";
import { Kysely } from "kysely";
import { expect, onTestFinished, test } from "vitest";
import { sqliteDialect } from "#src/gateway/management/records/sqlite-dialect.ts";
import { lastingThread } from "#src/gateway/management/records/sqlite-restarting.node.ts";
import { recordsInFile } from "#src/gateway/management/records/sqlite.node.ts";
import type { Records } from "#src/gateway/management/records/records.ts";
import { Failure, requireValue } from "#src/kit/reading/failure.ts";
import { createFolder, removeDatabases } from "./every-database.ts";

removeDatabases();

const AUDITED = { actor: "somebody", operation: "something", atUs: 1 };
const NOTHING = { unique: null, text: null };
const AWAY = { status: 503, headers: { "Retry-After": "1" } };

const fresh = async (): Promise<string> => join(await createFolder(), "weir.db");
const insert = (records: Records, id: string, size = 1): Promise<unknown> =>
  records.write(AUDITED, (writing) =>
    writing.insert("keys", id, { filled: "x".repeat(size) }, NOTHING),
  );

/** How a test spoils a file before it is opened, and the message. */
const unopened: readonly (readonly [
  what: string,
  spoil: (file: string) => Promise<void | (() => void)> | void | (() => void),
  message: RegExp,
])[] = [
  [
    "no database",
    (file) => writeFileSync(file, "apis: {}\n".repeat(1_000)),
    /weir\.db is not a database of Weir$/,
  ],
  [
    "damaged",
    async (file) => {
      await requireValue(await recordsInFile(file)).close();
      const bytes = readFileSync(file);
      bytes.fill(0xff, 4_096);
      writeFileSync(file, bytes);
    },
    /weir\.db is damaged: restore it from a backup$/,
  ],
  ["a folder", (file) => mkdirSync(file), /weir\.db is a folder$/],
  [
    "of a newer version",
    async (file) => {
      await requireValue(await recordsInFile(file)).close();
      const database = new DatabaseSync(file);
      database.exec(
        "insert into kysely_migration values ('999-later', '2099-01-01T00:00:00.000Z')",
      );
      database.close();
    },
    /weir\.db was written by a newer version of Weir, with the schema step 999-later: use that version$/,
  ],
  [
    "empty, though nobody has just made it",
    (file) => writeFileSync(file, ""),
    /weir\.db is empty, as if it had been truncated: restore it from a backup, or delete it to start without records$/,
  ],
  [
    "locked by a program that writes",
    async (file) => {
      const database = new DatabaseSync(file);
      database.exec("create table other (x); begin exclusive");
      return () => database.close(); // only after the answer, however long that takes
    },
    /weir\.db is locked by another program$/,
  ],
];
test.each(unopened)(
  "a file that is %s is rejected with one sentence",
  async (_, spoil, message) => {
    const file = await fresh();
    const end = await spoil(file);
    const answer = await recordsInFile(file);
    end?.();
    expect(answer).toEqual(new Failure(expect.stringMatching(message) as string));
  },
);

test("without its folder there are no records", async () => {
  const file = join(await createFolder(), "none", "weir.db");
  const problem = expect.stringMatching(
    /the folder .*none for the records does not exist$/,
  ) as string;
  expect(await recordsInFile(file)).toEqual(new Failure(problem));
});

test("what may not be written is refused", async () => {
  const file = await fresh();
  await requireValue(await recordsInFile(file)).close();
  chmodSync(join(file, ".."), 0o755);
  for (const name of [file, `${file}.lock`]) chmodSync(name, 0o400);
  // Root may write everything.
  const isRoot = process.geteuid!() === 0;
  if (isRoot) process.seteuid!(65_534);
  const answer = await recordsInFile(file);
  if (isRoot) process.seteuid!(0);
  // SQLite reports the error for a process that only seems to be another user; otherwise the system does.
  const how = isRoot ? "cannot be opened" : "may not be written";
  expect(answer).toEqual(new Failure(`${file} ${how}`));
});

test("a file serves one gateway, and the error names it", async () => {
  const file = await fresh();
  const first = requireValue(await recordsInFile(file));
  const problem = `^${file} serves another gateway: process ${process.pid} on .+, since .+; stop it first, or use PostgreSQL, which several gateways can share$`;
  expect(await recordsInFile(file)).toEqual(
    new Failure(expect.stringMatching(new RegExp(problem)) as string),
  );
  await insert(first, "still");
  await first.close();
  const second = requireValue(await recordsInFile(file));
  expect((await second.list("keys", null)).total).toBe(1);
  await second.close();
});

test("only its owner reads what is kept, the log included", async () => {
  const file = await fresh();
  await requireValue(await recordsInFile(file)).close();
  chmodSync(file, 0o644);
  const records = requireValue(await recordsInFile(file));
  await insert(records, "a");
  const folderOf = join(file, "..");
  const modes = readdirSync(folderOf).map((name) => statSync(join(folderOf, name)).mode & 0o777);
  expect(modes.length).toBeGreaterThan(3);
  expect(new Set(modes)).toEqual(new Set([0o600]));
  await records.close();
});

/** A client can distinguish this from an outage of the database. */
const FULL = {
  status: 503,
  message: "The records cannot be changed now: the disk is full",
  headers: { "Retry-After": "30" },
};

test("a full disk rolls back writes that do not fit, and no others", async () => {
  const file = await fresh();
  const reports: string[] = [];
  const report = (sentence: string): void => void reports.push(sentence);
  const records = requireValue(
    await recordsInFile(file, { report, pragmas: "pragma max_page_count = 60" }),
  );
  const stored: string[] = [];
  const refused: unknown[] = [];
  for (let index = 0; index < 40; index++)
    await insert(records, `k${index}`, 4_000).then(
      () => stored.push(`k${index}`),
      (error: unknown) => refused.push(error),
    );
  expect(stored.length).toBeGreaterThan(3);
  expect(refused.length).toBeGreaterThan(3);
  for (const each of refused) expect(each).toMatchObject(FULL);
  expect(reports).toEqual(["records: the database cannot grow: the disk is full"]);
  expect(records.status()).toBe("reads only");
  // Reading continues, and changes that free space are done.
  const { records: there } = await records.list("keys", null);
  expect(there.map(({ id }) => id)).toEqual(stored.toSorted());
  await expect(insert(records, "more", 4_000)).rejects.toMatchObject(FULL);
  await records.deliveries.resend(null, 1); // changes nothing, so it shows nothing about writes
  // So the end of the problem is not reported, and the problem not twice.
  expect(reports).toHaveLength(1);
  expect(records.status()).toBe("reads only");
  await records.write(AUDITED, async ({ read, remove }) => {
    for (const id of stored) await remove("keys", (await read("keys", id))!);
  });
  expect(reports[1]).toBe("records: the database responds again");
  expect(records.status()).toBe("answers");
  await records.close();
  const again = requireValue(await recordsInFile(file, { report }));
  await insert(again, "later");
  expect((await again.list("keys", null)).total).toBe(1);
  await again.close();
});

test("a migration that does not fit leaves nothing behind", async () => {
  const file = await fresh();
  const problem = expect.stringContaining("weir.db cannot grow: the disk is full") as string;
  expect(await recordsInFile(file, { pragmas: "pragma max_page_count = 12" })).toEqual(
    new Failure(problem),
  );
  const database = new DatabaseSync(file);
  const tables = database.prepare("select name from sqlite_schema where name = 'records'").all();
  database.close();
  expect(tables).toEqual([]);
  const records = requireValue(await recordsInFile(file));
  await insert(records, "a");
  await records.close();
});

const DAMAGED = {
  status: 503,
  message: "The records cannot be read or changed now",
  headers: { "Retry-After": "30" },
};

test("damage that is found at run time is a 503, and is reported once", async () => {
  const file = await fresh();
  const reports: string[] = [];
  const report = (sentence: string): void => void reports.push(sentence);
  const first = requireValue(await recordsInFile(file));
  for (let index = 0; index < 30; index++) await insert(first, `k${index}`, 20_000);
  await first.close();
  const bytes = readFileSync(file);
  bytes.fill(0xff, bytes.length - 500_000);
  writeFileSync(file, bytes);
  const records = requireValue(await recordsInFile(file, { report }));
  await expect(records.list("keys", null)).rejects.toMatchObject(DAMAGED);
  await expect(records.list("keys", null)).rejects.toMatchObject(DAMAGED);
  expect(reports).toEqual(["records: the database is damaged: restore it from a backup"]);
  await records.close();
});

/** The threads that are started from now on, in their order: the one that writes, and two that read. */
function threads(): readonly Worker[] {
  const started: Worker[] = [];
  const note = (worker: Worker): void => void started.push(worker);
  process.on("worker", note);
  onTestFinished(() => void process.off("worker", note));
  return started;
}

const SOON = { timeout: 50_000 };
const ENDED = "records: a thread that works on the database has ended; it is started again";
const WITHOUT = "records: the database has lost a thread that works on it";
const AGAIN = "records: the database responds again";

/** A thread that is gone is started again in a moment. */
const BUSY = {
  status: 503,
  message: "The records are busy now",
  headers: { "Retry-After": "1" },
};

test.each([
  ["writes", 0, "reads only"],
  ["reads", 1, "away"],
] as const)("a thread that %s and dies is started again", async (_, which, status) => {
  const file = await fresh();
  const reports: string[] = [];
  const started = threads();
  const records = requireValue(
    await recordsInFile(file, { report: (line) => void reports.push(line) }),
  );
  await insert(records, "before");
  const use = (): Promise<unknown> =>
    which === 0 ? insert(records, `k${reports.length}`) : records.read("keys", "before");
  const dying = started[which]!.terminate();
  await expect(use()).rejects.toMatchObject(BUSY);
  expect(records.status()).toBe(status);
  await dying;
  expect(records.status()).toBe(status); // as long as the next one opens the file
  await expect
    .poll(
      () =>
        use().then(
          () => "works",
          () => "fails",
        ),
      SOON,
    )
    .toBe("works");
  expect(records.status()).toBe("answers");
  expect(reports.slice(0, -1).toSorted()).toEqual([WITHOUT, ENDED].toSorted());
  expect(reports.at(-1)).toBe(AGAIN);
  await records.close();
});

test("a transaction of a dead thread is not continued by the next one", async () => {
  const started = threads();
  const opening = { file: await fresh(), isReadOnly: false, pragmas: "" };
  const running = await lastingThread(opening, () => {});
  const db = new Kysely<{ t: { x: number } }>({ dialect: sqliteDialect(running) });
  await db.schema.createTable("t").addColumn("x", "integer").execute();
  const begun = db.transaction().execute(async (within) => {
    await within.insertInto("t").values({ x: 1 }).execute();
    await started[0]!.terminate();
    await expect.poll(running.hasEnded, SOON).toBe(false);
    await within.insertInto("t").values({ x: 2 }).execute();
  });
  await expect(begun).rejects.toThrow("has ended");
  expect(await db.selectFrom("t").selectAll().execute()).toEqual([]);
  await db.destroy();
});

test("a thread that dies again and again is started a few times a minute, and not more", async () => {
  const file = await fresh();
  const reports: string[] = [];
  const started = threads();
  const records = requireValue(
    await recordsInFile(file, { report: (line) => void reports.push(line) }),
  );
  for (let time = 0; time < 3; time++) {
    const count = started.length;
    await started[time === 0 ? 0 : count - 1]!.terminate();
    await expect.poll(() => started.length, SOON).toBe(count + 1);
    await expect.poll(() => records.status(), SOON).toBe("answers");
  }
  await started.at(-1)!.terminate();
  await expect.poll(() => reports.length, SOON).toBe(4);
  expect(reports.slice(0, 3)).toEqual([ENDED, ENDED, ENDED]);
  expect(reports[3]).toMatch(/; it is started again in (60|5\d) s$/);
  await expect(insert(records, "a")).rejects.toMatchObject(AWAY);
  expect(records.status()).toBe("reads only");
  expect((await records.list("keys", null)).total).toBe(0);
  await records.close();
});
