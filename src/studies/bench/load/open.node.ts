// An open loop sends at planned times, independently of earlier requests. A load generator that waits for responses
// would send fewer requests just when the target is slow. Latency is measured from the planned time, so it includes
// delays of the target and of the load generator.
import { extname } from "node:path";
import { Worker } from "node:worker_threads";
import { Pool } from "undici";
import { micros } from "../../../kit/units.ts";
import { WAKING, type Alarms } from "./alarm.node.ts";
import { keysInTurn, planArrivals } from "./arrivals.ts";
import { createResponseCounts, createHistogram } from "./latencies.ts";
import {
  keyAt,
  type LoadFigures,
  type LoadOrder,
  type LoadProgress,
  describeOverrun,
} from "./load.ts";
import { clockUs, EVERY_MS, measureSender } from "./sender-usage.node.ts";

const LONGEST_ANSWER_MS = 10_000;
const BEFORE_US = 5_000; // from now to the first arrival, so that the alarm can be set

interface OpenLoopSender {
  readonly run: (
    order: LoadOrder,
    onProgress: (progress: LoadProgress) => void,
  ) => Promise<LoadFigures>;
  readonly stop: () => Promise<number>;
}

export function createOpenLoop(): OpenLoopSender {
  const alarm = new Worker(
    new URL(`./alarm.node${extname(import.meta.filename)}`, import.meta.url),
  );
  return {
    run: (order, onProgress) => runOpenLoop(order, onProgress, alarm),
    stop: () => alarm.terminate(),
  };
}

async function runOpenLoop(
  order: LoadOrder,
  onProgress: (progress: LoadProgress) => void,
  alarm: Worker,
): Promise<LoadFigures> {
  const { origin, pathname, search } = new URL(order.url);
  const { loadModel, lastsUs, seed, perSecond, atMost } = order;
  if (loadModel === "closed" || perSecond === null)
    throw new Error("an open loop needs arrivals a second");
  const planned = planArrivals(loadModel, perSecond, lastsUs, seed, atMost);
  const plannedUs = new Float64Array(new SharedArrayBuffer(planned.length * 8));
  plannedUs.set(planned);
  const state = new Int32Array(new SharedArrayBuffer(8));
  // If the arrivals of a whole second are in flight, the target will not catch up: further arrivals are dropped.
  const mostInFlight = Math.max(order.connections, Math.ceil(perSecond));
  const key = keysInTurn(order.keys, order.keyCount, seed);
  const pool = new Pool(origin, {
    connections: order.connections,
    pipelining: 1,
    headersTimeout: LONGEST_ANSWER_MS,
    bodyTimeout: LONGEST_ANSWER_MS,
    connect: { timeout: LONGEST_ANSWER_MS },
  });
  const { count, time, progress, figures } = createResponseCounts();
  const late = createHistogram();
  let dropped = 0;
  let unanswered = 0;
  let inFlight = 0;
  let next = 0;
  const since = measureSender();
  const startUs = clockUs() + BEFORE_US;

  let sendDue: () => void = () => {};
  const done = new Promise<void>((resolve) => {
    const finishRequest = (): void => {
      inFlight--;
      if (next === plannedUs.length && inFlight === 0) resolve();
    };
    const send = (authorization: string, atUs: number): void => {
      let status = 0;
      inFlight++;
      pool.dispatch(
        { method: "GET", path: `${pathname}${search}`, headers: { authorization } },
        {
          onRequestStart: () => {},
          onResponseStart: (_controller, answered) => {
            status = answered;
          },
          onResponseData: () => {},
          onResponseEnd: () => {
            count(status);
            time(status, clockUs() - startUs - atUs);
            finishRequest();
          },
          onResponseError: () => {
            unanswered++;
            finishRequest();
          },
        },
      );
    };
    sendDue = (): void => {
      Atomics.store(state, WAKING, 0);
      for (let nowUs = clockUs() - startUs; next < plannedUs.length; nowUs = clockUs() - startUs) {
        const atUs = plannedUs[next]!;
        if (atUs > nowUs) return;
        next++;
        const authorization = order.authorization ?? keyAt(order.keyPrefix, key());
        if (inFlight >= mostInFlight) dropped++;
        else {
          late.record(nowUs - atUs);
          send(authorization, atUs);
        }
      }
      if (inFlight === 0) resolve();
    };
  });
  const reporting = setInterval(() => onProgress(progress(unanswered)), EVERY_MS);
  // Requests that wait in the pool have no timeout of their own. At this time they are given up as unanswered.
  const giveUp = setTimeout(() => void pool.destroy(), lastsUs / 1_000 + LONGEST_ANSWER_MS);
  alarm.on("message", sendDue);
  alarm.postMessage({ plannedUs, startUs, state } satisfies Alarms, []);
  sendDue();
  await done;
  const tookUs = micros(Math.round(clockUs() - startUs));
  const own = since();
  clearInterval(reporting);
  clearTimeout(giveUp);
  alarm.off("message", sendDue);
  await pool.destroy();
  const lateness = late.quantiles();
  return {
    tookUs,
    sent: plannedUs.length - dropped,
    isCut: plannedUs.length === atMost,
    ...figures(),
    unanswered,
    sending: {
      planned: plannedUs.length,
      dropped,
      late: lateness,
      overran: describeOverrun(lateness, own.busy),
    },
    ...own,
  };
}
