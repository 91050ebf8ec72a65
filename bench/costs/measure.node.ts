// The commands that Redis runs and the bytes that it holds for each algorithm, by INFO commandstats and MEMORY USAGE. The
// simulator reads the result (src/lab/sim/measured-costs.ts).
import { createHash } from "node:crypto";
import { client } from "../../src/limiter/core/client.ts";
import {
  ALGORITHMS,
  isLogBased,
  TRAITS,
  type Algorithm,
} from "../../src/limiter/core/algorithms.ts";
import {
  hasFailed,
  type StoreResult,
  type Intent,
  type Level,
  type LogCommand,
  type StoreOp,
} from "../../src/limiter/core/store.ts";
import { micros, SECOND } from "../../src/kit/units.ts";
import { formName } from "../../src/lab/sim/cost.ts";
import type {
  CommandCounts,
  FormCosts,
  LevelCommands,
  MeasuredCosts,
} from "../../src/lab/sim/measured-costs.ts";
import { formOf, SCRIPT_TEXTS } from "../../src/limiter/store/lua/script.ts";
import { keysOf } from "../../src/limiter/store/redis-level.ts";
import { DEFAULT_PREFIX, type RedisStore } from "../../src/limiter/store/redis.node.ts";
import { atUs, level, smoothing } from "../../test/limiter/store/budgets.ts";

const alice = client("key:alice");
const PER_S = 3_600;
/** Above 1: otherwise a timestamp would be both the newest and the first to expire. */
const RATE = 3;
const SIZES = [1, 64, 128, 129, 1_024, 8_192] as const; // a sorted set of up to 128 is packed

/** Refuses everything, and reads only the records of all levels. */
const CLOSED = level("fixed_window", { rate: 0, per: PER_S, scope: "key-api" });

const levelFor = (algorithm: Algorithm, isSmoothed: boolean, rate = RATE): Level =>
  level(algorithm, {
    rate,
    per: PER_S,
    options: { burst: rate, queue: rate - 1 },
    ...(isSmoothed ? { smoothing: smoothing(rate, 1, 0.5, PER_S / 6) } : {}),
  });

export async function perform(store: RedisStore, op: StoreOp): Promise<StoreResult> {
  const within = micros(20 * SECOND);
  const answer = await new Promise<StoreResult>((resolve) => store.send(op, within, resolve));
  if (hasFailed(answer)) throw new Error(`Redis did not answer "${op.op}": ${answer.failed}`);
  return answer;
}

/** Commands that a script runs are counted like those that a client sends. */
export async function countCommands(
  { connection }: RedisStore,
  action: () => Promise<unknown>,
): Promise<CommandCounts> {
  await connection.config("RESETSTAT");
  await action();
  const stats = await connection.info("commandstats");
  const counts = [...stats.matchAll(/cmdstat_([^:]+):calls=(\d+)/g)]
    .map(([, name, calls]) => [name!, Number(calls)] as const)
    .filter(([name]) => name !== "config|resetstat" && name !== "info");
  return Object.fromEntries(counts.toSorted(([one], [other]) => (one < other ? -1 : 1)));
}

const isScriptCall = (name: string): boolean => name === "eval" || name === "evalsha";

const withoutCalls = (counts: CommandCounts): CommandCounts =>
  Object.fromEntries(Object.entries(counts).filter(([name]) => !isScriptCall(name)));

/** Sends that many requests of a new key, each with its background write. */
async function after(store: RedisStore, one: Level, requests: number): Promise<void> {
  await store.connection.flushall();
  for (let i = 0; i < requests; i++) {
    await perform(store, take([one], i));
    if (one.traits.isWrittenInBackground) await perform(store, about("mark", one, i));
  }
}

const take = (levels: readonly Level[], seconds: number, intent: Intent = "spend"): StoreOp => ({
  op: "take",
  levels,
  client: alice,
  atUs: atUs(seconds),
  intent,
  units: 1,
});

const about = <Op extends "mark" | "give_back" | "reset" | "allowance">(
  op: Op,
  one: Level,
  seconds: number,
) => ({ op, level: one, client: alice, atUs: atUs(seconds), units: 1 });

async function commandsFor(store: RedisStore, one: Level): Promise<LevelCommands> {
  const inside = async (requests: number, op: StoreOp): Promise<CommandCounts> => {
    await after(store, one, requests);
    return withoutCalls(await countCommands(store, () => perform(store, op)));
  };
  const later = 100;
  const admitted = await inside(1, take([one], later));
  for (const requests of [0, RATE - 1]) {
    const other = await inside(requests, take([one], later));
    if (sumOf(other) !== sumOf(admitted))
      throw new Error(`${formName(one)}: the first and the last that is admitted differ in cost`);
  }
  const evaluated = await inside(1, take([one, CLOSED], later));
  const { record, isReadAtOnce } = formOf(one);
  if (record === null && !isReadAtOnce) delete (evaluated as Record<string, number>)["mget"];
  return {
    admitted,
    refused: await inside(RATE, take([one], later)),
    evaluated,
    dryRun: await inside(1, take([one], later, "evaluate")),
    dryRunFull: await inside(RATE, take([one], later, "evaluate")),
    givenBack: await inside(1, about("give_back", one, 0)),
    reset: await inside(1, about("reset", one, 0)),
  };
}

const sumOf = (counts: CommandCounts): number =>
  Object.values(counts).reduce((sum, calls) => sum + calls, 0);

async function measureForm(
  store: RedisStore,
  algorithm: Algorithm,
  isSmoothed: boolean,
): Promise<FormCosts> {
  const one = levelFor(algorithm, isSmoothed);
  const alone = async (op: StoreOp): Promise<CommandCounts> => {
    await after(store, one, 1);
    return withoutCalls(await countCommands(store, () => perform(store, op)));
  };
  return {
    commands: await commandsFor(store, one),
    background: TRAITS[algorithm].isWrittenInBackground
      ? await alone(about("mark", one, 100))
      : null,
    step: isSmoothed ? await alone(about("allowance", one, 100)) : null,
    ...(await bytesFor(store, algorithm, isSmoothed)),
  };
}

/** All of one window, as a busy client fills it. */
async function bytesFor(
  store: RedisStore,
  algorithm: Algorithm,
  isSmoothed: boolean,
): Promise<Pick<FormCosts, "recordBytes" | "logBytes">> {
  const one = levelFor(algorithm, isSmoothed, SIZES.at(-1));
  const { record, log } = formOf(one);
  const keys = keysOf(DEFAULT_PREFIX, one, alice);
  const bytesOf = async (key: string | undefined): Promise<number> =>
    key === undefined ? 0 : Number(await store.connection.memory("USAGE", key, "SAMPLES", 0));
  await store.connection.flushall();
  const logBytes: [number, number][] = [];
  let recordBytes = 0;
  let sent = 0;
  for (const size of log === null ? [1] : SIZES) {
    const ops: StoreOp[] = [];
    for (; sent < size; sent++) {
      // An attempt is written with the response, or in the background. Microseconds, as from clients.
      const at = (sent * PER_S) / (2 * SIZES.at(-1)!) + 0.000_357;
      ops.push(TRAITS[algorithm].isWrittenInBackground ? about("mark", one, at) : take([one], at));
    }
    await Promise.all(ops.map((op) => perform(store, op)));
    if (record !== null) recordBytes = await bytesOf(keys[0]);
    if (log !== null) logBytes.push([size, await bytesOf(keys.at(-1))]);
  }
  return { recordBytes, logBytes };
}

async function measureCommands(store: RedisStore, isTransaction: boolean): Promise<CommandCounts> {
  const one = levelFor("non_transactional", false);
  await after(store, one, 1);
  const command = (op: LogCommand["op"]): LogCommand => ({
    op,
    level: one,
    client: alice,
    atUs: atUs(100),
    units: 1,
  });
  const commands = [command("prune"), command("count"), command("add"), command("expire")];
  return countCommands(store, () => perform(store, { op: "pipeline", commands, isTransaction }));
}

/** A digest of all commands that Weir sends: a changed script changes it. */
export const digestOfScripts = (): string =>
  createHash("sha1").update(Object.values(SCRIPT_TEXTS).flat().join("\0")).digest("hex");

export async function measureCosts(store: RedisStore): Promise<MeasuredCosts> {
  const forms: Record<string, FormCosts> = {};
  for (const isSmoothed of [false, true])
    for (const algorithm of ALGORITHMS) {
      if (TRAITS[algorithm].place === "gateway" || (isSmoothed && !isLogBased(algorithm))) continue;
      const name = formName(levelFor(algorithm, isSmoothed));
      forms[name] = await measureForm(store, algorithm, isSmoothed);
    }
  const about = await store.connection.info();
  const fieldOf = (name: string): string =>
    new RegExp(`^${name}:(.*)\r$`, "m").exec(about)?.[1] ?? "";
  return {
    redis: fieldOf("redis_version"),
    allocator: fieldOf("mem_allocator"),
    scripts: digestOfScripts(),
    pipeline: await measureCommands(store, false),
    transaction: await measureCommands(store, true),
    forms,
  };
}
