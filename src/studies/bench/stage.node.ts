// The environment of a run: load generators, a store, an upstream, and the measured servers. Everything here ends with
// the run.
import { rmSync } from "node:fs";
import { join } from "node:path";
import { startOwnRedis } from "../../lab/drivers/own-redis.node.ts";
import { type Failure, isFailure, requireValue } from "../../kit/reading/failure.ts";
import type { BenchEnding } from "./ending.node.ts";
import { pidsOf } from "./resources/processes.node.ts";
import type { Load } from "./load/load.ts";
import { startLoad } from "./load/start-load.node.ts";
import type { Pin } from "./pin.node.ts";
import { runFolder } from "./run-folder.node.ts";
import { openRedisProbe, type RedisProbe } from "./resources/redis.node.ts";
import { startControl, startGateway, type BenchServer, type OnStart } from "./servers.node.ts";
import type { BenchSubject } from "./subjects.ts";
import type { Suite } from "./suite.ts";
import { worldOf } from "./world-of.ts";

export interface BenchStage {
  readonly load: Load;
  readonly redis: RedisProbe | null; // null: no cell uses Redis
  /** All processes of the run, except those that `start` starts. */
  readonly pids: readonly number[];
  /** Starts the server of a subject. If `capacity` is null, the server's limit is never reached. */
  readonly start: (
    subject: BenchSubject,
    capacity: number | null,
  ) => Promise<BenchServer | Failure>;
  readonly stop: () => Promise<void>;
}

interface StageOrder {
  readonly suite: Suite;
  readonly subjects: readonly BenchSubject[];
  readonly target: URL | null;
  readonly weir: string; // the file of the command `weir`
  readonly pin: Pin;
  readonly ending: BenchEnding;
}

export async function openStage({ suite, subjects, ...order }: StageOrder): Promise<BenchStage> {
  const { target, pin, ending } = order;
  const stops: (() => Promise<void>)[] = [];
  const folder = runFolder();
  const stop = async (): Promise<void> => {
    await Promise.all(stops.map((each) => each()));
    rmSync(folder, { recursive: true });
  };
  const stopAtEnd: OnStart = (child) => void stops.push(child.stop);
  const track = (served: BenchServer, core: "gateway" | "load"): BenchServer => {
    void served.exited.then((why) => ending.end({ how: "gone", why }));
    for (const pid of served.pid === null ? [] : pidsOf(served.pid)) pin(pid, core);
    return served;
  };
  try {
    const load = startLoad();
    stops.push(load.stop);
    const senders = [load.pidOf("closed"), load.pidOf("poisson")];
    for (const pid of senders) pin(pid, "load");
    const pids = [process.pid, ...senders];
    if (target !== null) {
      const start: BenchStage["start"] = () => Promise.resolve(remoteServer(target));
      return { load, redis: null, pids, start, stop };
    }

    const wantsRedis = subjects.some(({ factors }) => factors?.store === "redis");
    const own = wantsRedis ? await startOwnRedis() : null;
    const redis = own === null ? null : await openRedisProbe(own.url);
    if (own !== null)
      stops.push(async () => {
        redis?.close();
        await own.stop();
      });
    const upstreamControl = requireValue(
      await ending.orEnd(startControl("upstream", { upstream: null, store: null }, stopAtEnd)),
    );
    const upstream = track(upstreamControl, "load");
    pids.push(upstreamControl.pid!);
    if (redis !== null) pids.push(await pidOf(redis));
    let started = 0;

    const start: BenchStage["start"] = async (
      { name, factors, control, preload, weir = order.weir, processName },
      capacity,
    ) => {
      // The upstream stops last, because all other servers need it.
      if (control === "upstream") return { ...upstream, stop: () => Promise.resolve() };
      const { origin } = new URL(upstream.url);
      if (control !== null && control !== "unlimited") {
        const served = { upstream: origin, store: own?.url ?? null };
        const peer = await startControl(control, served, stopAtEnd);
        return isFailure(peer) ? peer : track(peer, "gateway");
      }
      const number = started++;
      const gateway = await startGateway(
        {
          name: processName ?? name,
          folder: join(folder, `${number}`),
          world: worldOf(factors, capacity, suite),
          upstream: origin,
          ...(preload === undefined ? {} : { preload }),
          weir,
          store:
            own === null || factors?.store !== "redis"
              ? null
              : { url: own.url, prefix: `cell${number}:` },
        },
        stopAtEnd,
      );
      return track(gateway, "gateway");
    };
    return { load, redis, pids, start, stop };
  } catch (error) {
    await stop();
    throw error;
  }
}

const pidOf = async (redis: RedisProbe): Promise<number> =>
  Number(/^process_id:(\d+)/m.exec(String(await redis.call("INFO", "server")))?.[1]);

export const remoteServer = (url: URL): BenchServer => ({
  url: url.href,
  metricsUrl: null,
  survivorBytes: () => null,
  prefix: null,
  pid: null,
  exited: new Promise<never>(() => {}),
  stop: () => Promise.resolve(),
});
