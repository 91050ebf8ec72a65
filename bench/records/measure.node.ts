// One candidate of the suite records, on the file that `create.node.ts` has written.
import { join } from "node:path";
import { monitorEventLoopDelay } from "node:perf_hooks";
import { DatabaseSync } from "node:sqlite";
import { setTimeout as sleep } from "node:timers/promises";
import { rng } from "../../src/kit/chance/rng.ts";
import type { Records } from "../../src/gateway/management/records/records.ts";
import { recordsInFile } from "../../src/gateway/management/records/sqlite.node.ts";
import { requireValue } from "../../src/kit/reading/failure.ts";
import { readInput, printValue } from "../program.node.ts";

interface Input {
  readonly what:
    | "few"
    | "many"
    | "far"
    | "loop"
    | "idle loop"
    | "lookup"
    | "bare lookup"
    | "updates"
    | "bare inserts";
  readonly folder: string;
  readonly rows: number;
  readonly calls?: number;
  readonly inFlight?: number;
}

const { what, folder, rows, calls = 0, inFlight = 128 } = readInput() as Input;
const file = join(folder, "weir.db");
const random = rng(1, "bench/records");
const page = { size: 10, page: 1 };
const pad = (value: number, digits: number): string => String(value).padStart(digits, "0");

/** From the middle and the end of names and addresses: at most a thousand users match. */
const few = (): string =>
  [
    `user${pad(random.int(rows), 7).slice(0, 4)}`,
    `last${pad(random.int(Math.ceil(rows / 16)), 5)}`,
    `first${pad(random.int(10_000), 4)}`,
    `${pad(random.int(rows), 7)}@`,
    `t${pad(random.int(10_000), 4)} l`,
  ][random.int(5)]!;

const many = ["", "a", "er", "zz", "exa", "example", "user0", ".org", "first"];

/** Milliseconds of each call, shortest first. */
async function timeCalls(
  calls: number,
  call: (index: number) => unknown,
): Promise<readonly number[]> {
  const took: number[] = [];
  for (let index = 0; index < calls; index++) {
    const startMs = performance.now();
    await call(index);
    took.push(performance.now() - startMs);
  }
  return took.toSorted((one, other) => one - other);
}

const slowestHundredth = (sorted: readonly number[]): number =>
  sorted[Math.ceil(sorted.length * 0.99) - 1]!;
const slowest = (sorted: readonly number[]): number => sorted.at(-1)!;

async function inRecords(work: (records: Records) => Promise<number>): Promise<number> {
  const records = requireValue(await recordsInFile(file));
  try {
    return await work(records);
  } finally {
    await records.close();
  }
}

/** The longest time that this thread was blocked while something ran, in milliseconds. */
async function longestBlockMs(work: () => Promise<unknown>): Promise<number> {
  await sleep(200); // the cost of the start is no part of it
  const delay = monitorEventLoopDelay({ resolution: 1 });
  delay.enable();
  await work();
  delay.disable();
  return delay.max / 1e6;
}

/** Updates a second. Each returns when it is durable. */
async function updates(records: Records): Promise<number> {
  let left = calls;
  const one = async (from: number): Promise<void> => {
    for (let key = from; left-- > 0; key += inFlight)
      await records.write({ actor: "bench", operation: "update", atUs: 0 }, async (writing) => {
        const before = (await writing.read("keys", `k${pad(key % rows, 7)}`))!;
        const document = { ...before.document, rate: left };
        await writing.replace("keys", before, document, { unique: before.unique, text: null });
      });
  };
  const startMs = performance.now();
  await Promise.all(Array.from({ length: inFlight }, (_, index) => one(index)));
  return (calls * 1_000) / (performance.now() - startMs);
}

function bare(work: (database: DatabaseSync) => number): number {
  const database = new DatabaseSync(file);
  database.exec("pragma synchronous = full");
  const value = work(database);
  database.close();
  return value;
}

async function measure(): Promise<number> {
  switch (what) {
    case "few":
      return inRecords(async (records) =>
        slowestHundredth(await timeCalls(calls, () => records.searchUsers(few(), page))),
      );
    case "many":
      return inRecords(async (records) =>
        slowest(await timeCalls(many.length, (index) => records.searchUsers(many[index]!, page))),
      );
    case "far": {
      const last = { size: 10, page: rows / 10 };
      return inRecords(async (records) =>
        slowest([
          ...(await timeCalls(1, () => records.list("keys", last))),
          ...(await timeCalls(1, () => records.list("users", last))),
          ...(await timeCalls(1, () => records.searchUsers("e", last))),
          ...(await timeCalls(1, () => records.searchUsers("exa", last))),
        ]),
      );
    }
    case "loop":
      return inRecords((records) =>
        longestBlockMs(async () => {
          for (const text of many) await records.searchUsers(text, page);
        }),
      );
    case "idle loop":
      return longestBlockMs(() => sleep(2_000));
    case "lookup":
      return inRecords(async (records) =>
        slowestHundredth(
          await timeCalls(calls, () => records.find("keys", pad(random.int(rows), 43))),
        ),
      );
    case "bare lookup":
      return timeBareLookups();
    case "updates":
      return inRecords(updates);
    case "bare inserts":
      return bare((database) => {
        const insert = database.prepare("insert into bare (b) values (?)");
        const startMs = performance.now();
        for (let index = 0; index < calls / 10; index++) insert.run("x".repeat(500));
        return (calls * 100) / (performance.now() - startMs);
      });
  }
}

async function timeBareLookups(): Promise<number> {
  const database = new DatabaseSync(file);
  const select = database.prepare("select document from records where row = ?");
  const took = await timeCalls(calls, () => select.get(1 + random.int(2 * rows)));
  database.close();
  return slowestHundredth(took);
}

printValue(await measure());
