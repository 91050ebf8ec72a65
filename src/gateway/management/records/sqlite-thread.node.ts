// Runs statements of SQLite in a separate thread, so that a slow disk or a long search does not block the event loop.
import { extname } from "node:path";
import { Worker } from "node:worker_threads";
import type { WriteOutcome, PreparedWrite } from "./apply.ts";
import type { SqliteReply, Runner } from "./sqlite-runner.ts";
import { SqliteError, ThreadEnded } from "./sqlite-failures.ts";
import type { SqliteOpening } from "./sqlite-statements.node.ts";

/** One request. A message to the thread is the list of all requests that one turn of the event loop makes. */
export type ThreadRequest = Query | readonly PreparedWrite[];
interface Query {
  readonly text: string;
  readonly parameters: readonly unknown[];
}
export type ThreadReply = SqliteReply | readonly WriteOutcome[] | Failed;
export interface Failed {
  readonly failed: string;
  readonly errcode: number | null; // null: it is an internal error
}

const asError = ({ failed, errcode }: Failed): Error =>
  errcode === null ? new Error(failed) : new SqliteError(failed, errcode);

export interface Thread extends Runner {
  readonly ended: Promise<void>; // resolves when the thread ends, for any reason
}

/** Starts a thread that opens the file; resolves when the file is open. */
export async function threadOf(opening: SqliteOpening): Promise<Thread> {
  const name = `sqlite-worker.node${extname(import.meta.filename)}`;
  const worker = new Worker(new URL(name, import.meta.url), { workerData: opening });
  const first = Promise.withResolvers<ThreadReply>();
  const waiting = [first];
  let gathered: ThreadRequest[] = [];
  let gone: Error | null = null;
  const { promise: ended, resolve: end } = Promise.withResolvers<void>();

  const leave = (why: Error): void => {
    gone ??= why;
    for (const { reject } of waiting.splice(0)) reject(gone);
  };
  worker.on("message", (answers: readonly ThreadReply[]) => {
    for (const reply of answers) {
      const { resolve, reject } = waiting.shift()!;
      if ("failed" in reply) reject(asError(reply));
      else resolve(reply);
    }
    // An idle thread does not keep the process running.
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
  const request = (message: ThreadRequest): Promise<ThreadReply> => {
    if (gone !== null) return Promise.reject(gone);
    if (waiting.length === 0) worker.ref();
    if (gathered.length === 0) process.nextTick(send);
    gathered.push(message);
    const reply = Promise.withResolvers<ThreadReply>();
    waiting.push(reply);
    return reply.promise;
  };
  return {
    ended,
    run: async (text, parameters) => (await request({ text, parameters })) as SqliteReply,
    apply: async (prepared) => (await request(prepared)) as readonly WriteOutcome[],
    close: async () => {
      worker.ref();
      worker.postMessage(null, []);
      await ended;
    },
  };
}
