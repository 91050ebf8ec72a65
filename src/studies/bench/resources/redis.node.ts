// Reads the usage of a Redis, and the size of its keys.
import { requireValue } from "../../../kit/reading/failure.ts";
import { parseRedisAddress } from "../../../limiter/store/redis-address.ts";
import { dropConnection, redisConnection } from "../../../limiter/store/redis-connection.node.ts";
import {
  footprintOf,
  redisInfo,
  type BudgetFootprint,
  type RedisInfo,
  type SampledKey,
} from "./redis-info.ts";

export interface RedisProbe {
  readonly call: (command: string, ...more: readonly string[]) => Promise<unknown>;
  readonly info: () => Promise<RedisInfo>;
  readonly version: () => Promise<string | null>;
  readonly pid: () => Promise<number | null>; // the process id on the machine of the Redis
  /** Null: no key has this prefix. */
  readonly footprint: (prefix: string) => Promise<BudgetFootprint | null>;
  readonly close: () => void;
}

const SAMPLED = 100;

export async function openRedisProbe(url: string): Promise<RedisProbe> {
  const address = requireValue(parseRedisAddress(url));
  const errors: Error[] = [];
  const connection = redisConnection(address, {}, (error) => void errors.push(error));
  const call = (command: string, ...more: readonly string[]): Promise<unknown> =>
    connection.call(command, ...more);
  const info = async (): Promise<string> => String(await call("INFO", "everything"));
  try {
    await connection.connect();
  } catch (error) {
    dropConnection(connection);
    throw errors[0] ?? error;
  }

  async function keysBelow(prefix: string): Promise<readonly string[]> {
    const names = new Set<string>(); // a scan may return a key twice
    let cursor = "0";
    do {
      const reply = await call("SCAN", cursor, "MATCH", `${literal(prefix)}*`, "COUNT", "1000");
      const [next, keys] = reply as readonly [string, readonly string[]];
      for (const key of keys) names.add(key);
      cursor = next;
    } while (cursor !== "0");
    return [...names];
  }

  async function sampleKey(key: string): Promise<SampledKey | null> {
    const [bytes, type] = await Promise.all([
      call("MEMORY", "USAGE", key, "SAMPLES", "0"),
      call("TYPE", key),
    ]);
    if (bytes === null) return null; // the key expired
    return {
      bytes: Number(bytes),
      entries: type === "zset" ? Number(await call("ZCARD", key)) : 1,
    };
  }

  return {
    call,
    info: async () => redisInfo(await info()),
    version: async () => /^redis_version:(\S+)/m.exec(await info())?.[1] ?? null,
    pid: async () => {
      const pid = /^process_id:(\d+)/m.exec(await info())?.[1];
      return pid === undefined ? null : Number(pid);
    },
    footprint: async (prefix) => {
      const keys = await keysBelow(prefix);
      const step = Math.max(1, Math.floor(keys.length / SAMPLED));
      const some = keys.filter((_, at) => at % step === 0);
      return footprintOf(keys, await Promise.all(some.map(sampleKey)));
    },
    close: () => dropConnection(connection),
  };
}

const literal = (text: string): string => text.replaceAll(/[\\*?[\]]/g, String.raw`\$&`);
