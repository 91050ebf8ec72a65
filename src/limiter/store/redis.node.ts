// A Redis-compatible store. The operations of one turn of the event loop are sent together, in one script call or a
// few. In a cluster each budget needs its own call, because it has its own slot.
import { randomBytes } from "node:crypto";
import { Cluster } from "ioredis";
import { type StoreResult, type Level, type Reply, type StoreFailure } from "../core/store.ts";
import { micros, toMilliseconds } from "../../kit/units.ts";
import { requireValue } from "../../kit/reading/failure.ts";
import { prefixProblem, parseRedisAddress, withoutSecret } from "./redis-address.ts";
import {
  addToBatch,
  clearBatch,
  failAll,
  isFull,
  newBatch,
  type Batch,
  type ScriptedOp,
} from "./redis-batch.ts";
import type { Rewrite } from "./lua/script.ts";
import { scriptCaller } from "./redis-call.node.ts";
import { completeCall } from "./redis-complete-call.ts";
import { sendCommands } from "./redis-commands.node.ts";
import {
  dropConnection,
  redisConnection,
  type RedisConnection,
  type RedisTls,
} from "./redis-connection.node.ts";
import { keyStem, packLevel, type Expiry, type PackedLevel } from "./redis-level.ts";
import { sendByNode, slotOf } from "./redis-nodes.node.ts";
import { singleCountsCall } from "./redis-single-counts.ts";
import { singleRowsCall } from "./redis-single-rows.ts";
import type { RemoteStore } from "./remote.ts";

export interface RedisSettings {
  readonly url: string;
  readonly prefix?: string;
  readonly tls?: RedisTls;
  readonly expiry?: Expiry;
  readonly rewrite?: Rewrite; // changes scripts, for mutants
}

export interface RedisStore extends RemoteStore {
  readonly connection: RedisConnection;
  /** Resolves to null as soon as a server responds; after `withinMs`, to a sentence with the reason. */
  readonly connect: (withinMs: number) => Promise<string | null>;
}

export const DEFAULT_PREFIX = "weir:";
const EXPIRY: Expiry = { marginMs: 10_000, longestMs: Number.POSITIVE_INFINITY };

const ERROR: StoreFailure = { failed: "error" };
const TIMEOUT: StoreFailure = { failed: "timeout" };

/** The caller has checked the settings; an invalid address or prefix throws. */
export function redisStore(settings: RedisSettings): RedisStore {
  const address = requireValue(parseRedisAddress(settings.url));
  const { prefix = DEFAULT_PREFIX, expiry = EXPIRY } = settings;
  const problem = prefixProblem(prefix);
  if (problem !== null) throw new Error(problem);
  let reason = "no response";
  let isSound = true; // only the first error of an attempt to connect is reported, because later ones follow from it
  const connection = redisConnection(address, settings.tls ?? {}, (error) => {
    if (isSound) reason = reasonOf(error);
    isSound = false;
  });
  connection.on("connecting", () => {
    isSound = true;
  });
  const isSplit = address.kind === "cluster";
  const call = scriptCaller(connection, isSplit, settings.rewrite);
  const packed = new WeakMap<Level, PackedLevel>();
  const gateway = randomBytes(6).toString("base64url");
  const open = new Map<string, Batch>(); // batches of this turn; in a cluster, one for each budget
  let calls = 0;
  let waiting = 0; // operations without a reply
  let underWay = 0; // calls and pipelines without a reply
  let onIdle = (): void => {}; // close() waits for this
  const nonce = (): string => `${gateway}${(calls++).toString(36)}.`;

  const pack = (level: Level): PackedLevel => {
    let packedLevel = packed.get(level);
    if (packedLevel === undefined) packed.set(level, (packedLevel = packLevel(level, expiry)));
    return packedLevel;
  };
  const context = { prefix, pack };

  const add = (op: ScriptedOp, timeoutUs: number, onReply: (answer: StoreResult) => void): void => {
    const place = isSplit ? budgetKeyOf(op) : "";
    let batch = open.get(place);
    if (batch === undefined) {
      if (open.size === 0) setImmediate(flush);
      open.set(place, (batch = newBatch()));
    }
    addToBatch(batch, op, timeoutUs, onReply);
    waiting++;
    if (!isFull(batch, waiting)) return;
    open.delete(place);
    dispatch(batch);
  };

  const flush = (): void => {
    if (open.size === 0) return;
    const batches = [...open.values()];
    open.clear();
    for (const batch of batches) dispatch(batch);
  };

  const replyWithin: typeof callOnceWithin = (timeoutUs, onReply) => {
    underWay++;
    return callOnceWithin(timeoutUs, (answer) => {
      onReply(answer);
      if (--underWay === 0) onIdle();
    });
  };

  const dispatch = (batch: Batch): void => {
    const batchCall =
      singleCountsCall(batch, context) ??
      singleRowsCall(batch, context) ??
      completeCall(batch, context);
    const settle = replyWithin(batch.timeoutUs, (bytes: Buffer | StoreFailure) => {
      waiting -= batch.ops.length;
      if ("failed" in bytes) failAll(batch, bytes);
      else batchCall.reply(bytes, batch);
    });
    const { pieces, keys, rows } = batchCall;
    call(pieces, keys, nonce(), rows, (bytes) => {
      settle(bytes ?? ERROR);
      clearBatch(batch, batchCall);
    });
  };

  const send: RemoteStore["send"] = (op, timeoutUs, onReply) => {
    if (op.op !== "pipeline") {
      add(op, timeoutUs, onReply);
      return;
    }
    flush(); // sends earlier operations first
    const settle = replyWithin<Reply>(timeoutUs, onReply);
    sendCommands(connection, op, { ...context, nonce: nonce() }, (reply) => settle(reply ?? ERROR));
  };

  const sendInCluster = (cluster: Cluster): RemoteStore["send"] =>
    sendByNode(
      send,
      (op) => {
        const part = op.op === "pipeline" ? op.commands[0]! : op;
        const level = part.op === "take" ? part.levels[0]! : part.level;
        const slot = slotOf(keyStem(prefix, level, part.client));
        return cluster.slots[slot]?.[0] ?? "";
      },
      () => cluster.refreshSlotsCache(),
    );

  return {
    connection,
    isSplit,
    hasTransactions: true,
    send: connection instanceof Cluster ? sendInCluster(connection) : send,
    connect: async (withinMs) => {
      const isThere = await ready(connection, withinMs);
      // If the database does not exist, Redis reports an error but would count everything in database 0.
      return isThere && (address.db === 0 || isSound)
        ? null
        : `no store responds at ${withoutSecret(settings.url)}: ${reason}`;
    },
    close: async () => {
      flush();
      if (underWay > 0) await new Promise<void>((resolve) => (onIdle = resolve));
      dropConnection(connection);
    },
  };
}

function ready(connection: RedisConnection, withinMs: number): Promise<boolean> {
  return new Promise((resolve) => {
    if (connection.status === "ready") {
      resolve(true);
      return;
    }
    const settle = (isThere: boolean): void => {
      clearTimeout(late);
      connection.off("ready", isReady);
      resolve(isThere);
    };
    const isReady = (): void => settle(true);
    const late = setTimeout(settle, withinMs, false);
    connection.once("ready", isReady);
    if (connection.status === "wait") connection.connect().catch(ignoreError);
  });
}

/** The connection also emits this error, and `reasonOf` reads it there. */
const ignoreError = (): void => {};

/** The reason, without the words that the library adds. */
function reasonOf(error: Error): string {
  const { lastNodeError } = error as { lastNodeError?: Error | null };
  const { message } = lastNodeError ?? error;
  if (message.startsWith("Unknown RESP type")) return "the server is not Redis";
  return message.replace(/^.* Last error: /, "");
}

/** The budget of a batch in a cluster, where all operations of a batch are on one budget. */
const budgetKeyOf = (op: ScriptedOp): string =>
  keyStem("", op.op === "take" ? op.levels[0]! : op.level, op.client);

/** Calls back once: with the reply, or with a time-out. A reply after the time-out is dropped. */
function callOnceWithin<T>(
  timeoutUs: number,
  onReply: (answer: T | StoreFailure) => void,
): (answer: T | StoreFailure) => void {
  let isOver = false;
  const settle = (answer: T | StoreFailure): void => {
    if (isOver) return;
    isOver = true;
    clearTimeout(timer);
    onReply(answer);
  };
  // If this process was busy, a reply that has arrived but is unread still counts as in time.
  const timer = setTimeout(() => setImmediate(settle, TIMEOUT), toMilliseconds(micros(timeoutUs)));
  return settle;
}
