// What a repeat costs the processes that take part: read before and after, and looked at while it runs.
import { gatewayFigures, type GatewayFigures } from "./prometheus.ts";
import { figuresOf } from "./processes.node.ts";
import type { RedisProbe } from "./redis.node.ts";
import { usageBetween } from "./redis-info.ts";
import type { ProcessesSample, RepeatUsage } from "./used.ts";

export interface WatchedProcesses {
  readonly gatewayPid: number | null; // null: nobody's to see, a target elsewhere
  readonly loadPid: number;
  readonly metricsUrl: string | null; // null: a control, which has none
  readonly redis: { readonly probe: RedisProbe; readonly prefix: string } | null;
}

export interface RunningWatch {
  /** Once. What takes time to find out is asked after all else has been read. */
  readonly stop: () => Promise<RepeatUsage>;
}

const EVERY_MS = 250;

export async function watch(
  { gatewayPid, loadPid, metricsUrl, redis }: WatchedProcesses,
  onSample: (sample: ProcessesSample) => void = () => {},
): Promise<RunningWatch> {
  const startUs = performance.now() * 1_000;
  const read = async () => ({
    atUs: performance.now() * 1_000 - startUs,
    gateway: gatewayPid === null ? null : await figuresOf(gatewayPid),
    load: await figuresOf(loadPid),
  });
  const readRedis = async () => (redis === null ? null : redis.probe.info());
  const redisBefore = await readRedis();
  const pageBefore = await readPage(metricsUrl);
  const before = await read();
  let highest = before.gateway?.rssBytes ?? 0;
  let looking = Promise.resolve();
  const look = async (): Promise<void> => {
    const now = await read();
    highest = Math.max(highest, now.gateway?.rssBytes ?? 0);
    onSample({ what: "processes", ...now });
  };
  const timer = setInterval(() => {
    looking = looking.then(look);
  }, EVERY_MS);
  // A run that is interrupted while this begins has nobody who would stop it.
  timer.unref();

  return {
    stop: async () => {
      clearInterval(timer);
      await looking;
      const after = await read();
      const pageAfter = await readPage(metricsUrl);
      const redisAfter = await readRedis();
      highest = Math.max(highest, after.gateway?.rssBytes ?? 0);
      return {
        tookUs: after.atUs - before.atUs,
        gatewayCpuUs:
          after.gateway === null || before.gateway === null
            ? null
            : after.gateway.cpuUs - before.gateway.cpuUs,
        loadCpuUs: after.load === null ? null : after.load.cpuUs - (before.load?.cpuUs ?? 0),
        rssBytes: after.gateway === null ? null : highest,
        loopP99Ms: pageAfter?.loopP99Ms ?? null,
        gcUs: pageAfter === null || pageBefore === null ? null : pageAfter.gcUs - pageBefore.gcUs,
        memory:
          pageAfter === null || pageAfter.budgets === null || pageAfter.entries === null
            ? null
            : { budgets: pageAfter.budgets, entries: pageAfter.entries },
        redis:
          redis === null || redisBefore === null || redisAfter === null
            ? null
            : {
                ...usageBetween(redisBefore, redisAfter),
                usedMemory: redisAfter.usedMemory,
                footprint: await redis.probe.footprint(redis.prefix),
              },
      };
    },
  };
}

/** Null: nobody answers there with metrics, which the load has noticed too if it matters. */
async function readPage(url: string | null): Promise<GatewayFigures | null> {
  if (url === null) return null;
  try {
    const answer = await fetch(url, { signal: AbortSignal.timeout(2_000) });
    return answer.ok ? gatewayFigures(await answer.text()) : null;
  } catch (error) {
    if (error instanceof Error) return null;
    throw error;
  }
}
