// Starts gateways of other projects as controls in front of the common upstream. Each key has the limit `OTHERS_LIMIT`.
import { isRedisThere, NO_REDIS, startOwnRedis } from "../../../lab/drivers/own-redis.node.ts";
import {
  findImplementation,
  type Implementation,
} from "../../../lab/implementations/catalogue.node.ts";
import { whyNotRunnable } from "../../../lab/implementations/home.node.ts";
import { serveImplementation } from "../../../lab/implementations/serve.node.ts";
import { readWantedWorld } from "../../../lab/implementations/wanted.ts";
import { Failure, isFailure, requireValue } from "../../../kit/reading/failure.ts";
import { limitText } from "../../../limiter/world/merge-warnings.ts";
import { readConfiguration } from "../../../limiter/world/read.ts";
import type { ControlOfOthers } from "../suite.ts";
import { othersWorld, OTHERS_LIMIT } from "../world-of.ts";
import type { ServedControl } from "./messages.ts";

/** Returns a failure if no implementation has this name, or if the implementation is no HTTP server. */
export async function findControlOfOthers(name: string): Promise<ControlOfOthers | Failure> {
  const implementation = await findImplementation(name);
  if (isFailure(implementation)) return implementation;
  const { kind, about, capabilities } = implementation.manifest;
  if (kind !== "http")
    return new Failure(
      `${name} reads requests as lines, and a control has to be a server (kind: http)`,
    );
  return {
    implementation: name,
    algorithm: about,
    store: capabilities.store === "redis" ? "redis" : "memory",
    limit: limitText(OTHERS_LIMIT),
  };
}

export async function startOfOthers(
  name: string,
  upstream: string,
): Promise<ServedControl | Failure> {
  const implementation = requireValue(await findImplementation(name));
  const obstacle = whyNotRunnable(implementation);
  if (obstacle !== null) return new Failure(obstacle);
  const hasStore = implementation.manifest.capabilities.store === "redis";
  if (hasStore && !isRedisThere()) return new Failure(NO_REDIS);
  const redis = hasStore ? new URL((await startOwnRedis()).url) : null;
  const served = await serveImplementation({
    implementation,
    wanted: readWanted(implementation),
    upstream: new URL(upstream),
    redis: redis === null ? null : { host: redis.hostname, port: Number(redis.port) },
  });
  if (isFailure(served)) return served;
  void served.exited.then((why) => {
    process.stderr.write(why);
    process.exit(1);
  });
  return { origin: served.url.origin, pid: -served.pid };
}

function readWanted({ manifest }: Implementation): ReturnType<typeof readWantedWorld> {
  const isByAddress = !manifest.capabilities.by.includes("credential");
  return readWantedWorld(readConfiguration(othersWorld(isByAddress)).configuration!);
}
