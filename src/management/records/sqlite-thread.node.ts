// Statements of SQLite in a thread of their own, so that a disk or a long search holds up nobody else.
import { extname } from "node:path";
import { Worker } from "node:worker_threads";
import type { Ran, Runner } from "./sqlite-runner.ts";
import { SqliteError } from "./sqlite-faults.ts";
import type { Opening } from "./sqlite-statements.node.ts";

/** The statements of one turn go over together, and are answered together. */
export type Asked = readonly (readonly [text: string, parameters: readonly unknown[]])[];
export type Told = Ran | Failed;
export interface Failed {
  readonly message: string;
  readonly errcode: number | null; // null: a fault of Weir itself
  readonly isWithin: boolean;
}

const isFailed = (told: Told): told is Failed => "message" in told;
const asError = ({ message, errcode, isWithin }: Failed): Error =>
  errcode === null ? new Error(message) : new SqliteError(message, errcode, isWithin);

const IO_ERROR = 10;

/** Resolves when the file is open. */
export async function threadOf(opening: Opening): Promise<Runner> {
  const name = `sqlite-worker.node${extname(import.meta.filename)}`;
  const worker = new Worker(new URL(name, import.meta.url), { workerData: opening });
  const waiting: PromiseWithResolvers<Ran>[] = [];
  const first = Promise.withResolvers<Ran>();
  waiting.push(first);
  let gathered: Asked[number][] = [];
  let gone: Error | null = null;
  const { promise: ended, resolve: end } = Promise.withResolvers<void>();

  const leave = (why: Error): void => {
    gone = why;
    for (const { reject } of waiting.splice(0)) reject(why);
  };
  worker.on("message", (answers: readonly Told[]) => {
    for (const told of answers) {
      const { resolve, reject } = waiting.shift()!;
      if (isFailed(told)) reject(asError(told));
      else resolve(told);
    }
    // What nobody waits for keeps no process running.
    if (waiting.length === 0) worker.unref();
  });
  worker.on("error", (error: Error) => leave(new SqliteError(error.message, IO_ERROR, false)));
  worker.on("exit", () => {
    leave(gone ?? new SqliteError("the thread of the records has ended", IO_ERROR, false));
    end();
  });
  await first.promise;

  const send = (): void => {
    worker.postMessage(gathered, []);
    gathered = [];
  };
  return {
    run: (text, parameters) => {
      if (gone !== null) return Promise.reject(gone);
      if (waiting.length === 0) worker.ref();
      if (gathered.length === 0) process.nextTick(send);
      gathered.push([text, parameters]);
      const answer = Promise.withResolvers<Ran>();
      waiting.push(answer);
      return answer.promise;
    },
    close: async () => {
      worker.ref();
      worker.postMessage(null, []);
      await ended;
    },
  };
}
