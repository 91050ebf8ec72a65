// Everything that a run stands on: what sends the load, a store, an upstream, and whatever is measured. All of it
// is gone when the run is.
import { rmSync } from "node:fs";
import { join } from "node:path";
import { startOwnRedis } from "../drivers/own-redis.node.ts";
import type { Ending } from "./ending.node.ts";
import type { Load } from "./load/load.ts";
import { startLoad } from "./load/start-load.node.ts";
import type { Pin } from "./pin.node.ts";
import { runFolder } from "./run-folder.node.ts";
import { askRedis, type AskedRedis } from "./resources/redis.node.ts";
import { startControl, startGateway, type Missing, type Served } from "./served.node.ts";
import type { Subject } from "./subjects.ts";
import type { Suite } from "./suite.ts";
import { worldOf } from "./world-of.ts";

export interface Stage {
  readonly load: Load;
  readonly redis: AskedRedis | null; // null: no cell counts there
  /** Of all that has a part in the run, but for what is started by `start`. */
  readonly pids: readonly number[];
  /** `capacity` null: its limit is never reached. */
  readonly start: (subject: Subject, capacity: number | null) => Promise<Served | Missing>;
  readonly stop: () => Promise<void>;
}

export interface StageOrder {
  readonly suite: Suite;
  readonly subjects: readonly Subject[];
  readonly target: URL | null;
  readonly weir: string; // the file of the command that serves
  readonly pin: Pin;
  readonly ending: Ending;
}

export async function openStage({ suite, subjects, ...order }: StageOrder): Promise<Stage> {
  const { target, pin, ending } = order;
  const stops: (() => Promise<void>)[] = [];
  const folder = runFolder();
  let isOver = false;
  const stop = async (): Promise<void> => {
    isOver = true;
    await Promise.all(stops.map((each) => each()));
    rmSync(folder, { recursive: true });
  };
  const hold = (served: Served, core: "gateway" | "load"): Served => {
    // It was on its way when the run was interrupted.
    if (isOver) void served.stop();
    stops.push(served.stop);
    void served.gone.then((why) => ending.end({ how: "gone", why }));
    if (served.pid !== null) pin(served.pid, core);
    return served;
  };
  try {
    const load = startLoad();
    stops.push(load.stop);
    const senders = [load.pidOf("closed"), load.pidOf("poisson")];
    for (const pid of senders) pin(pid, "load");
    const pids = [process.pid, ...senders];
    if (target !== null) {
      const start: Stage["start"] = () => Promise.resolve(servedElsewhere(target));
      return { load, redis: null, pids, start, stop };
    }

    const wantsRedis = subjects.some(({ factors }) => factors?.store === "redis");
    const own = wantsRedis ? await startOwnRedis() : null;
    const redis = own === null ? null : await askRedis(own.url);
    if (own !== null)
      stops.push(async () => {
        redis?.close();
        await own.stop();
      });
    const behind = await startControl("upstream", null);
    if ("missing" in behind) throw new Error(behind.missing);
    const upstream = hold(behind, "load");
    pids.push(behind.pid!);
    if (redis !== null) pids.push(await pidOf(redis));
    let started = 0;

    const start: Stage["start"] = async (
      { name, factors, control, preload, weir = order.weir, called },
      capacity,
    ) => {
      // Everybody needs it until the end.
      if (control === "upstream") return { ...upstream, stop: () => Promise.resolve() };
      const { origin } = new URL(upstream.url);
      if (control !== null && control !== "unlimited") {
        const peer = await startControl(control, origin);
        return "missing" in peer ? peer : hold(peer, "gateway");
      }
      const number = started++;
      const gateway = await startGateway({
        name: called ?? name,
        folder: join(folder, `${number}`),
        world: worldOf(factors, capacity, suite),
        upstream: origin,
        ...(preload === undefined ? {} : { preload }),
        weir,
        store:
          own === null || factors?.store !== "redis"
            ? null
            : { url: own.url, prefix: `cell${number}:` },
      });
      return hold(gateway, "gateway");
    };
    return { load, redis, pids, start, stop };
  } catch (error) {
    await stop();
    throw error;
  }
}

const pidOf = async (redis: AskedRedis): Promise<number> =>
  Number(/^process_id:(\d+)/m.exec(String(await redis.ask("INFO", "server")))?.[1]);

export const servedElsewhere = (url: URL): Served => ({
  url: url.href,
  metricsUrl: null,
  prefix: null,
  pid: null,
  gone: new Promise<never>(() => {}),
  stop: () => Promise.resolve(),
});
