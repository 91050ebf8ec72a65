// Statements of SQLite in a thread of their own, so that a disk or a long search holds up nobody else.
import { extname } from "node:path";
import { Worker } from "node:worker_threads";
import type { Outcome, Prepared } from "./apply.ts";
import type { RanSqlite, Runner } from "./sqlite-runner.ts";
import { SqliteError, ThreadEnded } from "./sqlite-faults.ts";
import type { Opening } from "./sqlite-statements.node.ts";

/** What is asked in one turn goes over together, and is answered together. */
export type Asked = Query | readonly Prepared[];
export interface Query {
  readonly text: string;
  readonly parameters: readonly unknown[];
}
export type Told = RanSqlite | readonly Outcome[] | Failed;
export interface Failed {
  readonly failed: string;
  readonly errcode: number | null; // null: a fault of Weir itself
}

const asError = ({ failed, errcode }: Failed): Error =>
  errcode === null ? new Error(failed) : new SqliteError(failed, errcode);

export interface Thread extends Runner {
  readonly ended: Promise<void>; // whoever has ended it
}

/** Resolves when the file is open. */
export async function threadOf(opening: Opening): Promise<Thread> {
  const name = `sqlite-worker.node${extname(import.meta.filename)}`;
  const worker = new Worker(new URL(name, import.meta.url), { workerData: opening });
  const first = Promise.withResolvers<Told>();
  const waiting = [first];
  let gathered: Asked[] = [];
  let gone: Error | null = null;
  const { promise: ended, resolve: end } = Promise.withResolvers<void>();

  const leave = (why: Error): void => {
    gone ??= why;
    for (const { reject } of waiting.splice(0)) reject(gone);
  };
  worker.on("message", (answers: readonly Told[]) => {
    for (const told of answers) {
      const { resolve, reject } = waiting.shift()!;
      if ("failed" in told) reject(asError(told));
      else resolve(told);
    }
    // What nobody waits for keeps no process running.
    if (waiting.length === 0) worker.unref();
  });
  worker.on("error", (error: Error) => leave(new ThreadEnded(error.message)));
  worker.on("exit", () => {
    leave(new ThreadEnded("a thread of the records has ended"));
    end();
  });
  await first.promise;

  const send = (): void => {
    worker.postMessage(gathered, []);
    gathered = [];
  };
  const ask = (asked: Asked): Promise<Told> => {
    if (gone !== null) return Promise.reject(gone);
    if (waiting.length === 0) worker.ref();
    if (gathered.length === 0) process.nextTick(send);
    gathered.push(asked);
    const told = Promise.withResolvers<Told>();
    waiting.push(told);
    return told.promise;
  };
  return {
    ended,
    run: async (text, parameters) => (await ask({ text, parameters })) as RanSqlite,
    apply: async (prepared) => (await ask(prepared)) as readonly Outcome[],
    close: async () => {
      worker.ref();
      worker.postMessage(null, []);
      await ended;
    },
  };
}
