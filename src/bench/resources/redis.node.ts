// Asks a Redis what it did, and what it keeps.
import { isProblem, redisAddress } from "../../store/redis-address.ts";
import { dropConnection, redisConnection } from "../../store/redis-connection.node.ts";
import { keptOf, redisInfo, type Kept, type RedisInfo, type SampledKey } from "./redis-info.ts";

export interface AskedRedis {
  readonly ask: (command: string, ...more: readonly string[]) => Promise<unknown>;
  readonly info: () => Promise<RedisInfo>;
  readonly version: () => Promise<string | null>;
  readonly pid: () => Promise<number | null>; // on its own machine
  /** Null: nothing of this prefix is there. */
  readonly kept: (prefix: string) => Promise<Kept | null>;
  readonly close: () => void;
}

const SAMPLED = 100;

export async function askRedis(url: string): Promise<AskedRedis> {
  const address = redisAddress(url);
  if (isProblem(address)) throw new Error(address.problem);
  const errors: Error[] = [];
  const connection = redisConnection(address, {}, (error) => void errors.push(error));
  const ask = (command: string, ...more: readonly string[]): Promise<unknown> =>
    connection.call(command, ...more);
  const info = async (): Promise<string> => String(await ask("INFO", "everything"));
  try {
    await connection.connect();
  } catch (error) {
    dropConnection(connection);
    throw errors[0] ?? error;
  }

  async function keysBelow(prefix: string): Promise<readonly string[]> {
    const found = new Set<string>(); // a scan may tell a key twice
    let cursor = "0";
    do {
      const said = await ask("SCAN", cursor, "MATCH", `${literal(prefix)}*`, "COUNT", "1000");
      const [next, keys] = said as readonly [string, readonly string[]];
      for (const key of keys) found.add(key);
      cursor = next;
    } while (cursor !== "0");
    return [...found];
  }

  async function sampled(key: string): Promise<SampledKey | null> {
    const [bytes, type] = await Promise.all([
      ask("MEMORY", "USAGE", key, "SAMPLES", "0"),
      ask("TYPE", key),
    ]);
    if (bytes === null) return null; // its time was over
    return { bytes: Number(bytes), entries: type === "zset" ? Number(await ask("ZCARD", key)) : 1 };
  }

  return {
    ask,
    info: async () => redisInfo(await info()),
    version: async () => /^redis_version:(\S+)/m.exec(await info())?.[1] ?? null,
    pid: async () => {
      const pid = /^process_id:(\d+)/m.exec(await info())?.[1];
      return pid === undefined ? null : Number(pid);
    },
    kept: async (prefix) => {
      const keys = await keysBelow(prefix);
      const step = Math.max(1, Math.floor(keys.length / SAMPLED));
      const some = keys.filter((_, at) => at % step === 0);
      return keptOf(keys, await Promise.all(some.map(sampled)));
    },
    close: () => dropConnection(connection),
  };
}

const literal = (text: string): string => text.replaceAll(/[\\*?[\]]/g, String.raw`\$&`);
