// One repeat: load on one server, and what it costs meanwhile.
import { microsToSeconds, type Micros } from "../core/units.ts";
import { Stop, type Ending } from "./ending.node.ts";
import type { LoadFigures, Order, Progress } from "./load/load.ts";
import type { Sample, Used } from "./resources/used.ts";
import { watch } from "./resources/watch.node.ts";
import type { Served } from "./served.node.ts";
import type { Stage } from "./stage.node.ts";
import type { Subject } from "./subjects.ts";
import type { Suite } from "./suite.ts";
import { noneLeft, overCap, type Spent } from "./target.ts";
import { KEY_PREFIX, offered } from "./world-of.ts";

export interface Asked {
  readonly subject: Subject;
  readonly served: Served;
  readonly lastsUs: Micros;
  readonly round: number;
  readonly capacity: number | null; // null: not known yet, and the load is closed
}

export interface Answered {
  readonly figures: LoadFigures;
  readonly used: Used;
}

export interface Asking {
  readonly suite: Suite;
  readonly seed: number;
  /** Somebody's gateway, and what it wants to see in Authorization. */
  readonly target: { readonly url: URL; readonly key: string | null; readonly caps: Spent } | null;
  readonly ending: Ending;
  readonly onProgress: (subject: Subject, progress: Progress, forSeconds: number) => void;
  readonly onSample: (subject: Subject, sample: Sample) => void;
}

export function asking(
  { load, redis }: Pick<Stage, "load" | "redis">,
  { suite, seed, target, ending, onProgress, onSample }: Asking,
): (asked: Asked) => Promise<Answered> {
  const startedMs = performance.now();
  let requests = 1; // whether it is there at all was asked before

  return async ({ subject, served, lastsUs, round, capacity }) => {
    const seconds = microsToSeconds(lastsUs);
    if (target !== null) {
      const spent = { requests, seconds: (performance.now() - startedMs) / 1_000 };
      const why = overCap(spent, seconds, target.caps);
      if (why !== null) throw new Stop({ how: "capped", why });
    }
    const { load_model: loadModel, connections, keys } = subject.asked;
    const order: Order = {
      url: served.url,
      loadModel,
      connections,
      perSecond: loadModel === "closed" ? null : offered(subject.asked, capacity!),
      lastsUs,
      keys,
      keyCount: suite.keyCount,
      keyPrefix: KEY_PREFIX,
      ...(target?.key == null ? {} : { authorization: target.key }),
      ...(target === null ? {} : { atMost: target.caps.requests - requests }),
      seed: seed + round,
    };
    const watching = await ending.orEnd(
      withoutRedis(
        watch(
          {
            gatewayPid: served.pid,
            loadPid: load.pidOf(loadModel),
            metricsUrl: served.metricsUrl,
            redis:
              redis === null || served.prefix === null
                ? null
                : { asked: redis, prefix: served.prefix },
          },
          (sample) => onSample(subject, sample),
        ),
      ),
    );
    const sinceMs = performance.now();
    const playing = load
      .play(order, (progress) =>
        onProgress(subject, progress, (performance.now() - sinceMs) / 1_000),
      )
      .catch(gone(""));
    let figures: LoadFigures;
    try {
      figures = await ending.orEnd(playing);
    } catch (error) {
      // Whoever ended it may have taken the store along, or keep it from answering: why it ended is known already.
      void watching.stop().catch(() => {});
      throw error;
    }
    const used = await ending.orEnd(withoutRedis(watching.stop()));
    requests += figures.sent;
    // What was sent in a part of its time is no repeat.
    if (target !== null && figures.isCut)
      throw new Stop({ how: "capped", why: noneLeft(target.caps) });
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

/** What is asked about a repeat is asked of the system, of the gateway, and of the store, which alone may not answer. */
const withoutRedis = <T>(asked: Promise<T>): Promise<T> =>
  asked.catch(gone("the Redis of this run no longer answers: "));

const gone =
  (what: string) =>
  (error: Error): never => {
    throw new Stop({ how: "gone", why: `${what}${error.message}` });
  };
