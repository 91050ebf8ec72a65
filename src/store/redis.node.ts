// A store of Redis' kind behind the port of a store that is elsewhere. What is asked in one turn of the event
// loop goes out together: as one script call, or in a cluster as one for each budget, because each lies in a
// slot of its own.
import { createHash, randomBytes } from "node:crypto";
import { Cluster, Command } from "ioredis";
import {
  emptyReply,
  type Answer,
  type Level,
  type StoreFailure,
  type StoreOp,
} from "../core/store.ts";
import type { Micros } from "../core/units.ts";
import { scriptOf } from "./lua/script.ts";
import { isProblem, prefixProblem, redisAddress, withoutSecret } from "./redis-address.ts";
import { addTo, answerAll, failAll, newBatch, type Batch, type ScriptedOp } from "./redis-batch.ts";
import {
  dropConnection,
  redisConnection,
  type RedisConnection,
  type RedisTls,
} from "./redis-connection.node.ts";
import { keyStem, packLevel, type Expiry, type PackedLevel } from "./redis-level.ts";
import { askByNode, slotOf } from "./redis-nodes.node.ts";
import type { RemoteStore } from "./remote.ts";

export interface RedisSettings {
  readonly url: string;
  readonly prefix?: string;
  readonly tls?: RedisTls;
  readonly expiry?: Expiry;
}

export interface RedisStore extends RemoteStore {
  readonly connection: RedisConnection;
  /** Null once somebody answers; else why nobody did within the time, in one sentence. */
  readonly reached: (withinMs: number) => Promise<string | null>;
}

export const DEFAULT_PREFIX = "weir:";
const EXPIRY: Expiry = { marginMs: 10_000, longestMs: Number.POSITIVE_INFINITY };
const MOST_IN_BATCH = 1_000; // a script keeps everybody else waiting

const ERROR: StoreFailure = { failed: "error" };
const TIMEOUT: StoreFailure = { failed: "timeout" };

interface Script {
  readonly text: string;
  readonly sha: string;
}

/** The settings have been looked at: a bad address or prefix is whoever asks' fault. */
export function redisStore(settings: RedisSettings): RedisStore {
  const address = redisAddress(settings.url);
  if (isProblem(address)) throw new Error(address.problem);
  const { prefix = DEFAULT_PREFIX, expiry = EXPIRY } = settings;
  const fault = prefixProblem(prefix);
  if (fault !== null) throw new Error(fault);
  let lastError = "nobody answers";
  const connection = redisConnection(address, settings.tls ?? {}, (error) => {
    lastError = error.message;
  });
  const isSplit = address.kind === "cluster";
  const packed = new WeakMap<Level, PackedLevel>();
  const scripts = new Map<number, Script>();
  const sent = new Set<Script>(); // on this connection: it knows them
  connection.on("close", () => sent.clear());
  const nonce = randomBytes(6).toString("base64url");
  const open = new Map<string, Batch>(); // of this turn, by budget in a cluster
  let batches = 0;

  const pack = (level: Level): PackedLevel => {
    let known = packed.get(level);
    if (known === undefined) packed.set(level, (known = packLevel(level, expiry)));
    return known;
  };

  const scriptFor = (pieces: number): Script => {
    let script = scripts.get(pieces);
    if (script === undefined) {
      const text = scriptOf(pieces);
      scripts.set(pieces, (script = { text, sha: createHash("sha1").update(text).digest("hex") }));
    }
    return script;
  };

  const add = (op: ScriptedOp, timeoutUs: number, hear: (answer: Answer) => void): void => {
    const levels = (op.op === "take" ? op.levels : [op.level]).map(pack);
    const slot = isSplit ? keyStem("", levels[0]!.level, op.client.identity) : "";
    let batch = open.get(slot);
    if (batch === undefined) {
      if (open.size === 0) setImmediate(flush);
      open.set(slot, (batch = newBatch()));
    }
    addTo(batch, prefix, levels, op);
    batch.hears.push(hear);
    batch.timeoutUs = Math.min(batch.timeoutUs, timeoutUs);
    if (batch.ops.length < MOST_IN_BATCH) return;
    open.delete(slot);
    dispatch(batch);
  };

  const flush = (): void => {
    const batchesNow = [...open.values()];
    open.clear();
    for (const batch of batchesNow) dispatch(batch);
  };

  const dispatch = (batch: Batch): void => {
    const heard = within(batch.timeoutUs, (bytes: Buffer | StoreFailure) => {
      if ("failed" in bytes) failAll(batch, bytes);
      else answerAll(batch, numbersIn(bytes));
    });
    const script = scriptFor(batch.pieces);
    const keys = [...batch.records.keys(), ...batch.logs.keys()];
    const rest = [
      keys.length,
      ...keys,
      `${nonce}${(batches++).toString(36)}.`,
      bytesOf([batch.records.size, ...batch.slots]),
      bytesOf(batch.questions),
      ...[...batch.levels.keys()].map(({ numbers }) => Buffer.from(numbers.buffer)),
    ];
    const evaluate = (isKnown: boolean): void => {
      const args = [isKnown ? script.sha : script.text, ...rest];
      const command = new Command(
        isKnown ? "evalsha" : "eval",
        args,
        { replyEncoding: null },
        (error, result) => {
          if (isKnown && error?.message.startsWith("NOSCRIPT") === true) evaluate(false);
          else heard(error ? ERROR : (result as Buffer));
        },
      );
      void connection.sendCommand(command);
    };
    // What was sent before on the same connection is known by the time that this comes.
    const isKnown = isSplit || sent.has(script);
    if (!isKnown && connection.status === "ready") sent.add(script);
    evaluate(isKnown);
  };

  /** Four commands, and whoever comes between them comes between them (ALG-C6). */
  const pipeline = (
    op: Extract<StoreOp, { op: "pipeline" }>,
    timeoutUs: number,
    hear: (answer: Answer) => void,
  ): void => {
    flush(); // what was asked before comes before
    const heard = within(timeoutUs, hear);
    const commands = connection.pipeline();
    let countAt = -1;
    for (const [index, { op: command, level, client, atUs }] of op.commands.entries()) {
      const { form, numbers, keepMs } = pack(level);
      const key = keyStem(prefix, level, client.identity) + (form.log ?? "");
      switch (command) {
        case "prune":
          commands.zremrangebyscore(key, "-inf", atUs - level.budget.limit.perUs);
          break;
        case "count":
          countAt = index;
          commands.zcard(key);
          break;
        case "add":
          commands.zadd(key, atUs, `${nonce}${(batches++).toString(36)}`);
          break;
        case "expire":
          if (level.rule === null && keepMs >= 0) commands.pexpire(key, keepMs);
          else if (numbers[LONG]! >= 0) commands.pexpire(key, numbers[LONG]!);
          else commands.persist(key);
      }
    }
    void commands.exec((error, results) => {
      const faults = error ?? results?.find(([fault]) => fault !== null)?.[0];
      if (faults !== undefined || results === undefined || results === null) heard(ERROR);
      else heard({ ...emptyReply(), count: countAt < 0 ? 0 : Number(results[countAt]![1]) });
    });
  };

  const ask: RemoteStore["ask"] = (op, timeoutUs, hear) =>
    op.op === "pipeline" ? pipeline(op, timeoutUs, hear) : add(op, timeoutUs, hear);

  const split = (cluster: Cluster): RemoteStore["ask"] =>
    askByNode(
      ask,
      (op) => {
        const part = op.op === "pipeline" ? op.commands[0]! : op;
        const level = part.op === "take" ? part.levels[0]! : part.level;
        const slot = slotOf(keyStem(prefix, level, part.client.identity));
        return cluster.slots[slot]?.[0] ?? "";
      },
      () => cluster.refreshSlotsCache(),
    );

  return {
    connection,
    isSplit,
    ask: connection instanceof Cluster ? split(connection) : ask,
    reached: async (withinMs) => {
      const late = new Promise<string>((resolve) => setTimeout(resolve, withinMs, "").unref());
      const there = new Promise<null>((resolve) => {
        if (connection.status === "ready") resolve(null);
        else connection.once("ready", () => resolve(null));
      });
      if (connection.status === "wait") connection.connect().catch(() => {});
      const answered = await Promise.race([there, late]);
      return answered === null
        ? null
        : `no store answers at ${withoutSecret(settings.url)}: ${lastError}`;
    },
    close: async () => {
      flush();
      dropConnection(connection);
    },
  };
}

/** Where in the numbers of a level the longest expiry stands. */
const LONG = 14;

/** A batch is told once: its answer, or that none came in time. What comes later is dropped. */
function within<T>(
  timeoutUs: Micros | number,
  hear: (answer: T | StoreFailure) => void,
): (answer: T | StoreFailure) => void {
  let isOver = false;
  const say = (answer: T | StoreFailure): void => {
    if (isOver) return;
    isOver = true;
    clearTimeout(timer);
    hear(answer);
  };
  // An answer that lies unread because this process was busy has come in time.
  const timer = setTimeout(() => setImmediate(say, TIMEOUT), timeoutUs / 1_000);
  return say;
}

const bytesOf = (numbers: readonly number[]): Buffer =>
  Buffer.from(Float64Array.from(numbers).buffer);

/** Copied, because an answer begins wherever the one before it ended. */
function numbersIn(bytes: Buffer): Float64Array {
  const numbers = new Float64Array(bytes.length / 8);
  new Uint8Array(numbers.buffer).set(bytes);
  return numbers;
}
