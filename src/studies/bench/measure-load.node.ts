// Measures one repeat: puts load on one server, and records the resource usage meanwhile.
import { microsToSeconds, type Micros } from "../../kit/units.ts";
import { Stop, type BenchEnding } from "./ending.node.ts";
import type { LoadFigures, LoadOrder, LoadProgress } from "./load/load.ts";
import type { ProcessesSample, RepeatUsage } from "./resources/usage.ts";
import { watch } from "./resources/watch.node.ts";
import type { BenchServer } from "./servers.node.ts";
import type { BenchStage } from "./stage.node.ts";
import type { BenchSubject } from "./subjects.ts";
import type { Suite } from "./suite.ts";
import { requestCapReached, findReachedCap, type LoadSpent } from "./target.ts";
import { KEY_PREFIX, arrivalsPerSecond } from "./world-of.ts";

export interface RepeatOrder {
  readonly subject: BenchSubject;
  readonly served: BenchServer;
  readonly lastsUs: Micros;
  readonly round: number;
  readonly capacity: number | null; // responses per second; null: not measured yet, which only a closed loop allows
}

export interface LoadMeasurement {
  readonly figures: LoadFigures;
  readonly used: RepeatUsage;
}

export interface MeasureOptions {
  readonly suite: Suite;
  readonly seed: number;
  /** The server that the user has named; null: the run starts its gateways. `key` is the value of Authorization. */
  readonly target: {
    readonly url: URL;
    readonly key: string | null;
    readonly caps: LoadSpent;
  } | null;
  readonly ending: BenchEnding;
  readonly onProgress: (subject: BenchSubject, progress: LoadProgress, forSeconds: number) => void;
  readonly onSample: (subject: BenchSubject, sample: ProcessesSample) => void;
}

export function buildLoadMeasurer(
  { load, redis }: Pick<BenchStage, "load" | "redis">,
  { suite, seed, target, ending, onProgress, onSample }: MeasureOptions,
): (order: RepeatOrder) => Promise<LoadMeasurement> {
  const startedMs = performance.now();
  let requests = 1; // the request that checked whether the target responds

  return async ({ subject, served, lastsUs, round, capacity }) => {
    const seconds = microsToSeconds(lastsUs);
    if (target !== null) {
      const spent = { requests, seconds: (performance.now() - startedMs) / 1_000 };
      const why = findReachedCap(spent, seconds, target.caps);
      if (why !== null) throw new Stop({ how: "capped", why });
    }
    const { load_model: loadModel, connections, keys } = subject.loadFactors;
    const loadOrder: LoadOrder = {
      url: served.url,
      loadModel,
      connections,
      perSecond: loadModel === "closed" ? null : arrivalsPerSecond(subject.loadFactors, capacity!),
      lastsUs,
      keys,
      keyCount: suite.keyCount,
      keyPrefix: KEY_PREFIX,
      ...(target?.key == null ? {} : { authorization: target.key }),
      ...(target === null ? {} : { atMost: target.caps.requests - requests }),
      seed: seed + round,
    };
    const watching = await ending.orEnd(
      stopWithoutRedis(
        watch(
          {
            gatewayPid: served.pid,
            loadPid: load.pidOf(loadModel),
            metricsUrl: served.metricsUrl,
            survivorBytes: served.survivorBytes,
            redis:
              redis === null || served.prefix === null
                ? null
                : { probe: redis, prefix: served.prefix },
          },
          (sample) => onSample(subject, sample),
        ),
      ),
    );
    const sinceMs = performance.now();
    const running = load
      .run(loadOrder, (progress) =>
        onProgress(subject, progress, (performance.now() - sinceMs) / 1_000),
      )
      .catch(stopWith(""));
    let figures: LoadFigures;
    try {
      figures = await ending.orEnd(running);
    } catch (error) {
      // The event that ended the run may also have stopped the store, so an error of this `stop` adds nothing.
      void watching.stop().catch(() => {});
      throw error;
    }
    const used = await ending.orEnd(stopWithoutRedis(watching.stop()));
    requests += figures.sent;
    // If the cap cut the repeat short, its figures are discarded.
    if (target !== null && figures.isCut)
      throw new Stop({ how: "capped", why: requestCapReached(target.caps) });
    if (target !== null && figures.answers === 0)
      throw new Stop({
        how: "gone",
        why:
          figures.unanswered > 0
            ? `${target.url.href} no longer answers`
            : `${target.url.href} gave no answer within a repeat of ${seconds} s: it needs longer ones`,
      });
    return { figures, used };
  };
}

/** Ends the run if a reading of Redis fails. No other reading can fail: the system and the gateway provide those. */
const stopWithoutRedis = <T>(reading: Promise<T>): Promise<T> =>
  reading.catch(stopWith("the Redis of this run no longer answers: "));

const stopWith =
  (what: string) =>
  (error: Error): never => {
    throw new Stop({ how: "gone", why: `${what}${error.message}` });
  };
