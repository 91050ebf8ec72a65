// `--store`: the real store that a run uses. Its address is checked before anything runs.
import type { DriverName } from "../lab/drivers/driver.ts";
import { isFailure } from "../kit/reading/failure.ts";
import { parseRedisAddress, withoutSecret } from "../limiter/store/redis-address.ts";

/** Returns null if a run can use the address, else the problem. */
export function storeFault(address: string, driver: DriverName): string | null {
  if (driver === "embedded")
    return "--store: the driver embedded uses the memory store; use --driver redis";
  const read = parseRedisAddress(address);
  if (isFailure(read)) return `--store: ${read.message}`;
  return read.kind === "cluster" && driver === "virtual"
    ? "--store needs one server: in a cluster, levels are evaluated one after the other, which gives another history"
    : null;
}

/** The command line without passwords, because a page that contains it may be sent to other people. */
export const withoutPassword = (argv: readonly string[]): readonly string[] =>
  argv.map((arg, at) => {
    if (argv[at - 1] === "--store") return withoutSecret(arg);
    const [, address] = /^--store=([^]*)$/.exec(arg) ?? [];
    return address === undefined ? arg : `--store=${withoutSecret(address)}`;
  });

const REACH_MS = 2_000;

/** Returns null if the store responds, else the reason. */
export async function storeAway(address: string): Promise<string | null> {
  const { redisStore } = await import("../limiter/store/redis.node.ts"); // loaded here because most runs use no store
  const store = redisStore({ url: address });
  const why = await store.connect(REACH_MS);
  await store.close();
  return why;
}
