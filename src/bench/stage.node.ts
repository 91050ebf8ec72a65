// Everything that a run stands on: what sends the load, a store, an upstream, and whatever is measured. All of it
// is gone when the run is.
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { startOwnRedis } from "../drivers/own-redis.node.ts";
import type { Ending } from "./ending.node.ts";
import type { Load } from "./load/load.ts";
import { startLoad } from "./load/start-load.node.ts";
import { startControl, startGateway, type Missing, type Served } from "./served.node.ts";
import type { Subject } from "./subjects.ts";
import type { Suite } from "./suite.ts";
import { worldOf } from "./world-of.ts";

export interface Stage {
  readonly load: Load;
  readonly redis: string | null; // null: no cell counts there
  /** `capacity` null: its limit is never reached. */
  readonly start: (subject: Subject, capacity: number | null) => Promise<Served | Missing>;
  readonly stop: () => Promise<void>;
}

export async function openStage(
  suite: Suite,
  subjects: readonly Subject[],
  ending: Ending,
): Promise<Stage> {
  const stops: (() => Promise<void>)[] = [];
  const folder = mkdtempSync(join(tmpdir(), "weir-bench-"));
  const stop = async (): Promise<void> => {
    await Promise.all(stops.map((each) => each()));
    rmSync(folder, { recursive: true });
  };
  const hold = <T extends Served | Missing>(served: T): T => {
    if ("missing" in served) return served;
    stops.push(served.stop);
    void served.gone.then((why) => ending.end({ how: "gone", why }));
    return served;
  };
  try {
    const load = startLoad();
    stops.push(load.stop);
    const wantsRedis = subjects.some(({ asked }) => asked.store === "redis");
    const redis = wantsRedis ? await startOwnRedis() : null;
    if (redis !== null) stops.push(redis.stop);
    const upstream = hold(await startControl("upstream", null));
    if ("missing" in upstream) throw new Error(upstream.missing);
    let started = 0;
    const start: Stage["start"] = async ({ name, asked, factors, control }, capacity) => {
      if (control === "upstream") return upstream;
      const behind = new URL(upstream.url).origin;
      if (control !== null && control !== "unlimited")
        return hold(await startControl(control, behind));
      const number = started++;
      const isRemote = factors !== null && asked.store === "redis" && redis !== null;
      return hold(
        await startGateway({
          name,
          folder: join(folder, `${number}`),
          world: worldOf(factors, capacity, suite),
          upstream: behind,
          store: isRemote ? { url: redis.url, prefix: `cell${number}:` } : null,
        }),
      );
    };
    return { load, redis: redis?.url ?? null, start, stop };
  } catch (error) {
    await stop();
    throw error;
  }
}
