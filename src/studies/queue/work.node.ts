// The worker's end of the queue: computes pieces of sweeps that run the same code, in threads like those of a local
// sweep.
import type { Worker as Thread } from "node:worker_threads";
import { Worker, type Job } from "bullmq";
import type { Redis } from "ioredis";
import { answerTo, type SweepThreads } from "../../kit/pool.node.ts";
import type { SweepCode } from "./code.node.ts";
import { PREFIX, refusalOf } from "./connection.node.ts";
import { decode, encode } from "./plain-data.node.ts";
import { announce } from "./presence.node.ts";
import { queueName, type PieceData } from "./share.node.ts";

/** Pieces of a worker that was killed or hangs start again at another worker after this time. */
const LOCK_MS = 3_000;
const LOOK_FOR_LOST_MS = 1_000;
/** A piece is given up after this many lost workers, so that a piece that ends its process does not end all workers. */
const MOST_LOSSES = 5;

export interface QueueWork {
  readonly connection: Redis;
  readonly code: SweepCode;
  readonly threads: number;
  readonly sweeps: readonly SweepThreads[];
  readonly report: (line: string) => void;
  readonly onDone: (pieces: number) => void;
  /** Ends the worker after its running pieces. */
  readonly stop: Promise<"stop">;
}

export async function workOn(work: QueueWork): Promise<number> {
  const { connection, code, threads, report, onDone, stop } = work;
  const pool = new SweepThreadPool(work.sweeps, threads);
  let done = 0;
  const worker = new Worker<PieceData, string>(
    queueName(code),
    async (job) => {
      const result = await pool.compute(job);
      onDone(++done);
      return result;
    },
    {
      connection,
      prefix: PREFIX,
      concurrency: threads,
      lockDuration: LOCK_MS,
      stalledInterval: LOOK_FOR_LOST_MS,
      maxStalledCount: MOST_LOSSES,
    },
  );
  const refusals = new Set<string>();
  worker.on("error", (error) => {
    const refusal = refusalOf(error);
    if (refusal === null || refusals.has(refusal)) return; // the client connects again
    refusals.add(refusal);
    report(refusal);
  });
  try {
    const presence = await announce(connection, "worker", { code, threads }, (other) =>
      report(
        `refused the sweep ${other.id}: it runs ${other.code.name}, and this worker ${code.name}`,
      ),
    );
    await stop;
    presence.end();
  } finally {
    await worker.close(connection.status !== "ready");
    await pool.end();
  }
  return done;
}

interface PoolThread {
  readonly thread: Thread;
  readonly of: string; // name of the sweep, and its settings
  isBusy: boolean;
}

/** Threads, each with the settings of one sweep. A piece uses an idle thread with its settings, or a new thread. */
class SweepThreadPool {
  readonly #sweeps: readonly SweepThreads[];
  readonly #most: number;
  readonly #threads = new Set<PoolThread>();

  constructor(sweeps: readonly SweepThreads[], most: number) {
    this.#sweeps = sweeps;
    this.#most = most;
  }

  /** Computes a piece. No more than `#most` calls may run at the same time. */
  async compute({ name, data }: Job<PieceData>): Promise<string> {
    const own = this.#threadFor(name, data.settings);
    own.isBusy = true;
    try {
      const { answer } = await answerTo(own.thread, decode(data.piece));
      own.isBusy = false;
      return encode(answer);
    } catch (error) {
      this.#end(own);
      throw error;
    }
  }

  async end(): Promise<void> {
    await Promise.all([...this.#threads].map(({ thread }) => thread.terminate()));
  }

  #threadFor(name: string, settings: string): PoolThread {
    const of = `${name} ${settings}`;
    const idle = [...this.#threads].filter(({ isBusy }) => !isBusy);
    const same = idle.find((each) => each.of === of);
    if (same !== undefined) return same;
    if (this.#threads.size >= this.#most) this.#end(idle[0]!);
    const sweep = this.#sweeps.find((each) => each.name === name);
    if (sweep === undefined) throw new Error(`no sweep has the name ${name}`);
    const started = { thread: sweep.start(decode(settings)), of, isBusy: false };
    this.#threads.add(started);
    return started;
  }

  #end(one: PoolThread): void {
    this.#threads.delete(one);
    void one.thread.terminate();
  }
}
