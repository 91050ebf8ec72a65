// The resource usage of the processes of a repeat: read before, during and after it.
import { gatewayFigures, type GatewayFigures } from "./prometheus.ts";
import { figuresOf } from "./processes.node.ts";
import type { RedisProbe } from "./redis.node.ts";
import { usageBetween } from "./redis-info.ts";
import type { ProcessesSample, RepeatUsage } from "./usage.ts";

interface WatchedProcesses {
  readonly gatewayPid: number | null; // null: a target, whose process is unknown
  readonly loadPid: number;
  readonly metricsUrl: string | null; // null: the server has no metrics page, like a control
  /** Bytes that survived collections of young objects since the gateway started; null: unknown. */
  readonly survivorBytes: () => number | null;
  readonly redis: { readonly probe: RedisProbe; readonly prefix: string } | null;
}

interface RunningWatch {
  /** Call once. Returns the usage. Slow readings are made last, so that they delay no other reading. */
  readonly stop: () => Promise<RepeatUsage>;
}

const EVERY_MS = 250;

export async function watch(
  { gatewayPid, loadPid, metricsUrl, survivorBytes, redis }: WatchedProcesses,
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
  const survivorsBefore = survivorBytes();
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
  // If the run is interrupted, nothing stops this timer, so it must not keep the process alive.
  timer.unref();

  return {
    stop: async () => {
      clearInterval(timer);
      await looking;
      const after = await read();
      const survived = survivorBytes();
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
        survivorBytes:
          survived === null || survivorsBefore === null ? null : survived - survivorsBefore,
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

/** Returns null, not an error, if the page cannot be read: if the server has ended, the load fails too. */
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
