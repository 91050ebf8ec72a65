// As fast as it is answered, by autocannon: each connection asks again when it has its answer. What it can tell is
// throughput; a latency of a closed loop leaves out all that a stall kept from being sent. autocannon's own rates are
// not used (a second's requests go out at its beginning), and without one it corrects no latency: `ignoreCoordinatedOmission`
// is even refused then.
import type { EventEmitter } from "node:events";
import autocannon from "autocannon";
import { micros } from "../../core/units.ts";
import { keysOfConnections } from "./arrivals.ts";
import { createResponseCounts } from "./latencies.ts";
import { keyAt, type LoadFigures, type LoadOrder, type LoadProgress } from "./load.ts";
import { clockUs, EVERY_MS, measureSender } from "./spent.node.ts";

const TICK_MS = 20; // it ends at one of these only
const LONGEST_ANSWER_S = 10;
const ERRORS_OF_A_CONNECTION = 10; // so many, and the target is gone: a broken connection is made again at once

export function runClosedLoop(
  order: LoadOrder,
  onProgress: (progress: LoadProgress) => void,
): Promise<LoadFigures> {
  const { keyPrefix, atMost } = order;
  // autocannon takes a connection's share of none for no bound at all.
  const connections = Math.min(order.connections, atMost ?? order.connections);
  const share = Math.floor((atMost ?? Number.POSITIVE_INFINITY) / connections);
  const shares = keysOfConnections(order.keys, order.keyCount, connections, order.seed);
  const { count, time, progress, figures } = createResponseCounts();
  const warm = new Set<unknown>(); // connections that have been answered: the first time holds the connecting
  let connection = 0;
  let sent = 0;
  let answered = 0;
  let isCut = false;
  return new Promise((resolve, reject) => {
    let since = measureSender();
    let startUs = clockUs();
    const reporting = setInterval(
      () => onProgress(progress(Math.max(0, sent - answered - connections))),
      EVERY_MS,
    );
    const run = autocannon(
      {
        url: order.url,
        connections,
        duration: order.lastsUs / 1e6,
        ...(atMost === undefined ? {} : { maxOverallRequests: atMost }),
        sampleInt: TICK_MS,
        timeout: LONGEST_ANSWER_S,
        bailout: connections * ERRORS_OF_A_CONNECTION,
        skipAggregateResult: true,
        setupClient: (client) => {
          const clientKeys = shares[connection++]!;
          let own = 0;
          client.setRequests(
            clientKeys.map((key) => ({
              headers: { authorization: order.authorization ?? keyAt(keyPrefix, key) },
            })),
          );
          const events: EventEmitter = client; // whose types leave this event out
          events.on("request", () => {
            sent++;
            isCut ||= ++own >= share;
          });
        },
      },
      (error: Error | null) => {
        clearInterval(reporting);
        if (error !== null) {
          reject(error);
          return;
        }
        // At the end each connection has one in flight. After one was lost its connection mistakes an answer for
        // the one before it, so that times are worth nothing: who reads this has to look at `unanswered` first.
        const unanswered = Math.max(0, sent - answered - connections);
        const tookUs = micros(Math.round(clockUs() - startUs));
        resolve({ tookUs, sent, isCut, ...figures(), unanswered, sending: null, ...since() });
      },
    );
    // Whatever had to be built has been built then.
    run.on("start", () => {
      since = measureSender();
      startUs = clockUs();
    });
    run.on("response", (client, status, _bytes, tookMs) => {
      answered++;
      count(status);
      if (warm.has(client)) time(status, tookMs * 1_000);
      else warm.add(client);
    });
  });
}
