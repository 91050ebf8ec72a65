// Real time: the gateways of the scenario are served on loopback and count in a real Redis.
import { randomBytes } from "node:crypto";
import type { Configuration } from "../../limiter/core/config.ts";
import { micros, SECOND } from "../../kit/units.ts";
import { requireValue } from "../../kit/reading/failure.ts";
import { parseRedisAddress, type RedisAddress } from "../../limiter/store/redis-address.ts";
import { channelName, redisChannel } from "../../limiter/store/redis-channel.node.ts";
import { dropConnection } from "../../limiter/store/redis-connection.node.ts";
import { redisStore, type RedisStore } from "../../limiter/store/redis.node.ts";
import type { Variant } from "../scenario/types.ts";
import type { Driver } from "./driver.ts";
import { OFFERS } from "./offers.ts";
import { until } from "./open-loop.node.ts";
import { applyWorld, type StoreHarm } from "./real-world.node.ts";
import type { NodeStore } from "./served-fleet.node.ts";
import { storeWay, type StoreWay } from "./store-way.node.ts";

const REACHED_MS = 30_000; // time to connect: long, for busy machines

/** The command has already validated the address. */
const addressOf = (text: string): RedisAddress => requireValue(parseRedisAddress(text));

export function redis(address: string): Driver {
  const read = addressOf(address);
  return {
    offer: OFFERS.redis,
    apply: async (variant) => {
      const prefix = `weir-run:${randomBytes(6).toString("hex")}:`;
      const way = read.kind === "single" && !read.tls ? await storeWay(new URL(address)) : null;
      const url = way === null ? address : way.url;
      return applyWorld({
        driver: "redis",
        variant: waitForStore(variant),
        newStore: () => newStore(url, prefix),
        harmStore: way === null ? null : (fault, nowUs) => harm(way, address, prefix, fault, nowUs),
        closeStore: async () => {
          await forget(address, prefix);
          await way?.close();
        },
      });
    },
    close: () => Promise.resolve(),
  };
}

const PATIENCE_US = 10 * SECOND;

/**
 * Without an injected fault of the store, a reply slower than `store_timeout` only means that the machine is busy. The
 * timeout is raised, and the reply time is recorded.
 */
export function waitForStore(variant: Variant): Variant {
  const { world, faults } = variant;
  if (faults.some(({ kind }) => kind.startsWith("store"))) return variant;
  const patient = (configuration: Configuration): Configuration => {
    const { options } = configuration;
    const storeTimeoutUs = micros(Math.max(options.storeTimeoutUs, PATIENCE_US));
    return { ...configuration, options: { ...options, storeTimeoutUs } };
  };
  return {
    ...variant,
    world: {
      ...world,
      configuration: world.configuration === null ? null : patient(world.configuration),
    },
    faults: faults.map((fault) =>
      fault.kind === "configure"
        ? { ...fault, configuration: patient(fault.configuration) }
        : fault,
    ),
  };
}

async function newStore(url: string, prefix: string): Promise<NodeStore> {
  const store = await connectStore(url, prefix);
  return {
    store,
    channel: redisChannel(store.connection, channelName(prefix, 0)),
    drop: () => dropConnection(store.connection),
    reconnect: () => store.connect(REACHED_MS),
  };
}

async function connectStore(url: string, prefix: string): Promise<RedisStore> {
  const store = redisStore({ url, prefix });
  const problem = await store.connect(REACHED_MS);
  if (problem === null) return store;
  await store.close();
  throw new Error(problem);
}

const harm = async (
  way: StoreWay,
  address: string,
  prefix: string,
  fault: StoreHarm,
  nowUs: () => number,
): Promise<void> => {
  way.cut();
  if (fault.kind === "store_restart") await forget(address, prefix);
  else await until(micros(fault.toUs), nowUs, undefined);
  way.mend();
};

const MOST_ATTEMPTS = 3;

/**
 * Deletes only the keys of this world, as a restart would, because other worlds use the same store. If a busy machine
 * loses the connection, a new one continues with the remaining keys.
 */
async function forget(address: string, prefix: string): Promise<void> {
  for (let attempt = 1; ; attempt++) {
    const store = await connectStore(address, prefix);
    try {
      await deleteKeys(store, prefix);
      return;
    } catch (error) {
      if (attempt === MOST_ATTEMPTS)
        throw new Error(
          `the connection to the store was lost ${MOST_ATTEMPTS} times while keys were deleted`,
          { cause: error },
        );
    } finally {
      await store.close();
    }
  }
}

async function deleteKeys({ connection }: RedisStore, prefix: string): Promise<void> {
  if (connection.isCluster) return; // in a cluster, the keys are left until they expire
  let cursor = "0";
  do {
    const [next, keys] = await connection.scan(cursor, "MATCH", `${prefix}*`, "COUNT", 1_000);
    if (keys.length > 0) await connection.unlink(...keys);
    cursor = next;
  } while (cursor !== "0");
}
