// Compares a store on Redis with the memory store, and the expiries of its keys with the allowed ones. Redis' clock is
// simulated: the time that passes in the run is subtracted from every expiry, so that hours take no real time.
import { isDeepStrictEqual } from "node:util";
import { hasFailed, type StoreResult, type StoreOp } from "../../limiter/core/store.ts";
import { micros } from "../../kit/units.ts";
import type { Rewrite } from "../../limiter/store/lua/script.ts";
import { keysOf, packLevel, type Expiry } from "../../limiter/store/redis-level.ts";
import { redisStore, type RedisStore } from "../../limiter/store/redis.node.ts";
import type { ScriptRun } from "./script-traffic.ts";

const PREFIX = "mutants:";
const EXPIRY: Expiry = { marginMs: 100, longestMs: Number.POSITIVE_INFINITY };
const WITHIN_US = micros(30_000_000);
const MOST_REPEATS = 5;
const LONGEST_EXPIRY = 14; // index of the longest expiry in the numbers of a level

/** Opens a store with rewritten scripts. */
export async function openStore(url: string, rewrite: Rewrite): Promise<RedisStore> {
  const store = redisStore({ url, prefix: PREFIX, expiry: EXPIRY, rewrite });
  const fault = await store.connect(5_000);
  if (fault !== null) throw new Error(fault);
  return store;
}

/** The first difference as a sentence; null if there is none. */
export async function findDifference(
  store: RedisStore,
  runs: readonly ScriptRun[],
): Promise<string | null> {
  for (const run of runs) {
    const fault = await findDifferenceInTime(store, run);
    if (fault !== null) return `${run.name}: ${fault}`;
  }
  return null;
}

/** Repeats a run if two turns were further apart in real time than `EXPIRY.marginMs`: keys then expire too early. */
async function findDifferenceInTime(store: RedisStore, run: ScriptRun): Promise<string | null> {
  for (let left = MOST_REPEATS; ; left--) {
    const clock = redisClock(store);
    const fault = await findDifferenceInRun(store, run, clock);
    if (fault === null || left === 0) return fault;
    const { slackMs } = await clock.pass(0);
    if (slackMs <= EXPIRY.marginMs) return fault;
  }
}

async function findDifferenceInRun(
  store: RedisStore,
  run: ScriptRun,
  clock: RedisClock,
): Promise<string | null> {
  await store.connection.flushall();
  await clock.pass(0);
  const longest = longestExpiries(run);
  for (const [turn, { ops, replies, pauseUs }] of run.turns.entries()) {
    const answers = await Promise.all(ops.map((op) => perform(store, op)));
    for (const [place, answer] of answers.entries()) {
      const { op } = ops[place]!;
      if (hasFailed(answer)) return `turn ${turn}: the store failed on "${op}"`;
      if (!isDeepStrictEqual(answer, replies[place]))
        return `turn ${turn}: "${op}" has another reply than from memory`;
    }
    const { left, slackMs } = await clock.pass(pauseUs);
    for (const [key, leftMs] of left) {
      const most = longest.get(key);
      if (most === undefined) return `turn ${turn}: ${key} belongs to no budget`;
      if (most >= 0 && leftMs < 0) return `turn ${turn}: ${key} never expires`;
      if (most >= 0 && leftMs > most + slackMs)
        return `turn ${turn}: ${key} expires in ${leftMs} ms, at most ${most} ms are allowed`;
    }
  }
  return null;
}

const perform = (store: RedisStore, op: StoreOp): Promise<StoreResult> =>
  new Promise((resolve) => store.send(op, WITHIN_US, resolve));

/** The longest allowed expiry of each key in ms, twice the time it is needed; -1: the key needs no expiry. */
function longestExpiries({ levels, clients }: ScriptRun): ReadonlyMap<string, number> {
  const longest = new Map<string, number>();
  for (const level of levels)
    for (const client of clients) {
      const { numbers, keepMs } = packLevel(level, EXPIRY);
      const own = keepMs < 0 ? -1 : 2 * (level.rule === null ? keepMs : numbers[LONGEST_EXPIRY]!);
      for (const key of keysOf(PREFIX, level, client)) {
        const known = longest.get(key);
        longest.set(key, own < 0 || (known ?? 0) < 0 ? -1 : Math.max(own, known ?? 0));
      }
    }
  return longest;
}

/**
 * Returns the remaining time of each key, then simulates that time passes. The real time since the last call is added
 * to expiries, so that no key expires on a busy machine; a key written since then may therefore expire too late.
 */
const PASS = `
local time = redis.call('TIME')
local now = time[1] * 1000 + math.floor(time[2] / 1000)
local really = ARGV[1] == '' and 0 or now - tonumber(ARGV[1])
local fields = { tostring(now) }
for _, key in ipairs(redis.call('KEYS', '*')) do
  fields[#fields + 1] = key
  local left = redis.call('PTTL', key)
  fields[#fields + 1] = tostring(left)
  if left >= 0 then
    local ends = redis.call('PEXPIRETIME', key) + really - tonumber(ARGV[2])
    if ends <= now then
      redis.call('DEL', key)
    else
      redis.call('PEXPIREAT', key, ends)
    end
  end
end
return fields`;

interface Passed {
  readonly left: readonly (readonly [key: string, ms: number])[];
  readonly slackMs: number;
}

interface RedisClock {
  readonly pass: (us: number) => Promise<Passed>;
}

function redisClock({ connection }: RedisStore): RedisClock {
  let lastMs = "";
  let passedUs = 0;
  let slackMs = 0;
  return {
    pass: async (us) => {
      const ms = Math.floor((passedUs + us) / 1_000) - Math.floor(passedUs / 1_000);
      passedUs += us;
      const [nowMs, ...fields] = (await connection.eval(PASS, 0, lastMs, ms)) as readonly string[];
      if (lastMs !== "") slackMs = Math.max(slackMs, Number(nowMs) - Number(lastMs));
      lastMs = nowMs ?? "";
      const left = Array.from(
        { length: fields.length / 2 },
        (_, i) => [fields[2 * i]!, Number(fields[2 * i + 1])] as const,
      );
      return { left, slackMs };
    },
  };
}
