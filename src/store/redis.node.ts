// A store of Redis' kind behind the port of a store that is elsewhere. What is asked in one turn of the event
// loop goes out together: as one script call or, where it is much, a few; in a cluster as one for each budget,
// because each lies in a slot of its own.
import { randomBytes } from "node:crypto";
import { Cluster } from "ioredis";
import { type StoreResult, type Level, type Reply, type StoreFailure } from "../core/store.ts";
import { micros, toMilliseconds } from "../core/units.ts";
import { isProblem, prefixProblem, redisAddress, withoutSecret } from "./redis-address.ts";
import {
  addTo,
  answerAll,
  failAll,
  forget,
  isEnough,
  keysIn,
  newBatch,
  rowsOf,
  type Batch,
  type ScriptedOp,
} from "./redis-batch.ts";
import type { Rewrite } from "./lua/script.ts";
import { scriptCaller } from "./redis-call.node.ts";
import { sendCommands } from "./redis-commands.node.ts";
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
  readonly rewrite?: Rewrite; // of the scripts
}

export interface RedisStore extends RemoteStore {
  readonly connection: RedisConnection;
  /** Null once somebody answers; else why nobody did within the time, in one sentence. */
  readonly reached: (withinMs: number) => Promise<string | null>;
}

export const DEFAULT_PREFIX = "weir:";
const EXPIRY: Expiry = { marginMs: 10_000, longestMs: Number.POSITIVE_INFINITY };

const ERROR: StoreFailure = { failed: "error" };
const TIMEOUT: StoreFailure = { failed: "timeout" };

/** The settings have been looked at: a bad address or prefix is whoever asks' fault. */
export function redisStore(settings: RedisSettings): RedisStore {
  const address = redisAddress(settings.url);
  if (isProblem(address)) throw new Error(address.problem);
  const { prefix = DEFAULT_PREFIX, expiry = EXPIRY } = settings;
  const fault = prefixProblem(prefix);
  if (fault !== null) throw new Error(fault);
  let reason = "nobody is there";
  let isSound = true; // the attempt to connect, so far: errors after its first only follow from that
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
  const open = new Map<string, Batch>(); // of this turn, by budget in a cluster
  let calls = 0;
  let waiting = 0; // questions whose answer is not there yet
  let underWay = 0; // calls and pipelines that the store has not answered
  let allAnswered = (): void => {}; // close() waits for it
  const nonce = (): string => `${gateway}${(calls++).toString(36)}.`;

  const pack = (level: Level): PackedLevel => {
    let known = packed.get(level);
    if (known === undefined) packed.set(level, (known = packLevel(level, expiry)));
    return known;
  };

  const add = (op: ScriptedOp, timeoutUs: number, hear: (answer: StoreResult) => void): void => {
    const place = isSplit ? placeOf(op) : "";
    let batch = open.get(place);
    if (batch === undefined) {
      if (open.size === 0) setImmediate(flush);
      open.set(place, (batch = newBatch(prefix, pack)));
    }
    addTo(batch, op, timeoutUs, hear);
    waiting++;
    if (!isEnough(batch, waiting)) return;
    open.delete(place);
    dispatch(batch);
  };

  const flush = (): void => {
    if (open.size === 0) return;
    const batches = [...open.values()];
    open.clear();
    for (const batch of batches) dispatch(batch);
  };

  const within: typeof heardWithin = (timeoutUs, hear) => {
    underWay++;
    return heardWithin(timeoutUs, (answer) => {
      hear(answer);
      if (--underWay === 0) allAnswered();
    });
  };

  const dispatch = (batch: Batch): void => {
    const heard = within(batch.timeoutUs, (bytes: Buffer | StoreFailure) => {
      waiting -= batch.ops.length;
      if ("failed" in bytes) failAll(batch, bytes);
      else answerAll(batch, bytes);
    });
    const keys = keysIn(batch);
    const rows = rowsOf(batch);
    call(batch.pieces, keys, nonce(), rows, (bytes) => {
      heard(bytes ?? ERROR);
      forget(batch, keys, rows);
    });
  };

  const ask: RemoteStore["ask"] = (op, timeoutUs, hear) => {
    if (op.op !== "pipeline") {
      add(op, timeoutUs, hear);
      return;
    }
    flush(); // what was asked before comes before
    const heard = within<Reply>(timeoutUs, hear);
    const about = { prefix, nonce: nonce(), pack };
    sendCommands(connection, op, about, (reply) => heard(reply ?? ERROR));
  };

  const split = (cluster: Cluster): RemoteStore["ask"] =>
    askByNode(
      ask,
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
    ask: connection instanceof Cluster ? split(connection) : ask,
    reached: async (withinMs) => {
      const isThere = await ready(connection, withinMs);
      // A database that is not there is told as an error, and then all would be counted in the first one.
      return isThere && (address.db === 0 || isSound)
        ? null
        : `no store answers at ${withoutSecret(settings.url)}: ${reason}`;
    },
    close: async () => {
      flush();
      if (underWay > 0) await new Promise<void>((resolve) => (allAnswered = resolve));
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
    const say = (isThere: boolean): void => {
      clearTimeout(late);
      connection.off("ready", isReady);
      resolve(isThere);
    };
    const isReady = (): void => say(true);
    const late = setTimeout(say, withinMs, false);
    connection.once("ready", isReady);
    if (connection.status === "wait") connection.connect().catch(told);
  });
}

/** It is an event too, and whoever waits hears that. */
const told = (): void => {};

/** Why, without what the library says around it. */
function reasonOf(error: Error): string {
  const { lastNodeError } = error as { lastNodeError?: Error | null };
  const { message } = lastNodeError ?? error;
  if (message.startsWith("Unknown RESP type")) return "what answers there is no Redis";
  return message.replace(/^.* Last error: /, "");
}

/** Whose slot it is: every question speaks to one budget there. */
const placeOf = (op: ScriptedOp): string =>
  keyStem("", op.op === "take" ? op.levels[0]! : op.level, op.client);

/** A batch is told once: its answer, or that none came in time. What comes later is dropped. */
function heardWithin<T>(
  timeoutUs: number,
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
  const timer = setTimeout(() => setImmediate(say, TIMEOUT), toMilliseconds(micros(timeoutUs)));
  return say;
}
