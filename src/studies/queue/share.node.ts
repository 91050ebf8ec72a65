// The sweep's end of the queue: adds pieces as jobs of BullMQ and collects their results. Redis may lose jobs and
// workers may die, so the sweep remembers its waiting pieces, and adds missing pieces again.
import { commandLine } from "../../kit/command-line.ts";
import { Queue, QueueEvents } from "bullmq";
import type { Redis } from "ioredis";
import type { SharedWork, ShareOut } from "../../kit/pool.node.ts";
import type { SweepCode } from "./code.node.ts";
import { PREFIX, refusalOf } from "./connection.node.ts";
import { decode, encode, nameOfPiece } from "./plain-data.node.ts";
import { announce } from "./presence.node.ts";

/** The data of one piece in BullMQ. */
export interface PieceData {
  readonly settings: string;
  readonly piece: string;
}

/** The name of the queue. Each code has a queue of its own, so that workers of other code do not get its pieces. */
export const queueName = ({ digest }: SweepCode): string => `sweeps-${digest}`;

/** The most waiting pieces: enough for hundreds of threads, and few enough to remove quickly after an interruption. */
const MOST_WAITING = 512;
/** The interval at which jobs are also polled, because events are lost if the server fails. */
const LOOK_MS = 1_000;
const MOST_EVENTS = 4_000; // most events in BullMQ's stream: several for each waiting piece
const CLEAN_MS = 2_000;
const KEEP_SECONDS = 7 * 86_400; // how long results of an interrupted sweep remain
const SECONDS_ALONE = 5;

/** Removes a waiting piece in one step: a worker may take it at any moment. BullMQ's `remove` also removes results. */
const REMOVE_WAITING = `if redis.call("LREM", KEYS[1], 1, ARGV[1]) > 0 then redis.call("DEL", KEYS[2]) end`;

/** A sweep cannot go on: a piece failed at a worker, for example for a missing file, or Redis refuses a command. */
export class QueueError extends Error {}

interface SweepQueue {
  readonly connection: Redis;
  readonly code: SweepCode;
  readonly report: (line: string) => void;
}

/** Distributes pieces by the queue, where results of an interrupted sweep remain until the sweep continues. */
export const shareByQueue =
  (to: SweepQueue): ShareOut =>
  async (work) => {
    const sweep = new QueuedSweep(to, work);
    try {
      try {
        await sweep.run();
      } finally {
        await Promise.race([sweep.end(), afterMs(CLEAN_MS)]);
      }
    } catch (error) {
      const refusal = refusalOf(error);
      throw refusal === null ? error : new QueueError(refusal);
    }
  };

interface WaitingPiece extends PieceData {
  readonly place: number;
}

class QueuedSweep {
  readonly #to: SweepQueue;
  readonly #work: SharedWork;
  readonly #settings: string;
  readonly #queue: Queue<PieceData>;
  readonly #events: QueueEvents;
  readonly #waiting = new Map<string, WaitingPiece>();
  readonly #done: string[] = [];
  readonly #failed = Promise.withResolvers<never>();
  #isComplete = false;
  #isOver = false;
  #wake = Promise.withResolvers<void>();
  #adding: Promise<unknown> = Promise.resolve(); // pending addition of pieces to the queue

  constructor(to: SweepQueue, work: SharedWork) {
    this.#to = to;
    this.#work = work;
    this.#settings = encode(work.settings);
    const options = { connection: to.connection, prefix: PREFIX };
    const streams = { events: { maxLen: MOST_EVENTS } };
    this.#queue = new Queue(queueName(to.code), { ...options, streams });
    this.#events = new QueueEvents(queueName(to.code), {
      prefix: PREFIX,
      connection: to.connection.duplicate(),
    });
    this.#queue.on("error", () => {}); // the client connects again
    this.#events.on("error", () => {});
    this.#events.on("completed", ({ jobId, returnvalue }) => this.#settle(jobId, returnvalue));
    this.#events.on("failed", ({ jobId, failedReason }) => this.#fail(jobId, failedReason));
    this.#failed.promise.catch(() => {}); // `#failed` may reject after the sweep ended
  }

  async run(): Promise<void> {
    const { connection, code, report } = this.#to;
    const presence = await announce(connection, "sweep", { code, threads: 0 }, (other) =>
      report(
        `worker ${other.id} gets nothing of this sweep: it runs ${other.code.name}, not ${code.name}`,
      ),
    );
    const alone = setTimeout(() => {
      if (!presence.neighbours().some((each) => each.code.digest === code.digest))
        report(
          `no worker of ${code.name} is there; start one: ${commandLine("worker --queue URL")}`,
        );
    }, SECONDS_ALONE * 1_000);
    try {
      await Promise.race([this.#work.stop, this.#failed.promise, this.#compute()]);
    } finally {
      clearTimeout(alone);
      presence.end();
    }
  }

  /** Cleans up: a complete sweep leaves no piece in Redis, an interrupted one leaves all its results. */
  async end(): Promise<void> {
    const names = this.#isComplete ? this.#done : [...this.#waiting.keys()];
    const remove = (name: string): Promise<unknown> =>
      this.#isComplete ? this.#queue.remove(name) : this.#removeWaiting(name);
    // From here on, results and polls that are still pending add no pieces.
    this.#isOver = true;
    this.#waiting.clear();
    try {
      await Promise.allSettled([this.#adding]); // a failed addition has already ended the sweep
      while (names.length > 0)
        await Promise.all(names.splice(0, MOST_WAITING).map((name) => remove(name)));
      await this.#to.connection.expire(this.#queue.toKey("events"), KEEP_SECONDS);
    } finally {
      await this.#events.close();
      await this.#queue.close();
    }
  }

  #removeWaiting(name: string): Promise<unknown> {
    const keys = [this.#queue.toKey("wait"), this.#queue.toKey(name)];
    return this.#to.connection.eval(REMOVE_WAITING, keys.length, ...keys, name);
  }

  async #compute(): Promise<void> {
    await this.#events.waitUntilReady();
    while (!this.#isOver) {
      await this.#look(this.#begin());
      if (this.#waiting.size === 0) break;
      this.#wake = Promise.withResolvers();
      const woken = await Promise.race([this.#wake.promise, afterMs(LOOK_MS)]);
      if (woken === "late") await this.#look([...this.#waiting.keys()]);
    }
    this.#isComplete = !this.#isOver;
  }

  #begin(): readonly string[] {
    const { pieces, threads } = this.#work;
    const begun: string[] = [];
    while (this.#waiting.size < MOST_WAITING) {
      const next = pieces.next();
      if (next.done === true) break;
      const [place, plain] = next.value;
      const piece = encode(plain);
      const name = nameOfPiece(threads.name, this.#settings, place, piece);
      this.#waiting.set(name, { settings: this.#settings, piece, place });
      begun.push(name);
    }
    return begun;
  }

  /** Collects the results that are ready, and adds the pieces that are missing. */
  async #look(names: readonly string[]): Promise<void> {
    const looked = this.#to.connection.pipeline();
    for (const name of names) looked.hmget(this.#queue.toKey(name), "name", "returnvalue");
    const rows = (await looked.exec()) ?? [];
    const missing: string[] = [];
    for (const [at, [, row]] of rows.entries()) {
      const [isThere, result] = (row ?? []) as readonly (string | null)[];
      if (result != null) this.#settle(names[at]!, JSON.parse(result));
      else if (isThere == null && this.#waiting.has(names[at]!)) missing.push(names[at]!);
    }
    if (this.#isOver) return;
    this.#adding = this.#queue.addBulk(
      missing.map((name) => {
        const { settings, piece } = this.#waiting.get(name)!;
        const keep = { removeOnComplete: { age: KEEP_SECONDS }, removeOnFail: true };
        return {
          name: this.#work.threads.name,
          data: { settings, piece },
          opts: { jobId: name, ...keep },
        };
      }),
    );
    await this.#adding;
  }

  /** Reports a piece's result once, even if two workers computed the piece or its result was delivered twice. */
  #settle(name: string, result: unknown): void {
    const piece = this.#waiting.get(name);
    if (piece === undefined) return;
    this.#waiting.delete(name);
    this.#done.push(name);
    this.#work.onDone(decode(result as string), piece.place);
    if (this.#waiting.size <= MOST_WAITING / 2) this.#wake.resolve();
  }

  #fail(name: string, why: string): void {
    if (this.#waiting.has(name))
      this.#failed.reject(new QueueError(`a piece failed at a worker: ${why}`));
  }
}

const afterMs = (ms: number): Promise<"late"> =>
  new Promise((resolve) => void setTimeout(resolve, ms, "late").unref());
