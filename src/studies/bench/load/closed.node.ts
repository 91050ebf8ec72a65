// A closed loop by autocannon: each connection sends its next request after a response. It measures throughput. Its
// latencies leave out the requests that a stall delayed. The option `rate` is not used, because it sends the requests
// of a second at once. Without `rate` autocannon corrects no latency, and rejects `ignoreCoordinatedOmission`.
import type { EventEmitter } from "node:events";
import autocannon from "autocannon";
import { micros } from "../../../kit/units.ts";
import { keysOfConnections } from "./arrivals.ts";
import { createResponseCounts } from "./latencies.ts";
import { keyAt, type LoadFigures, type LoadOrder, type LoadProgress } from "./load.ts";
import { clockUs, EVERY_MS, measureSender } from "./sender-usage.node.ts";

const TICK_MS = 20; // a run ends only at a multiple of this
const LONGEST_ANSWER_S = 10;
const ERRORS_OF_A_CONNECTION = 10; // on average; then the run ends: a broken connection reconnects without delay

export function runClosedLoop(
  order: LoadOrder,
  onProgress: (progress: LoadProgress) => void,
): Promise<LoadFigures> {
  const { keyPrefix, atMost } = order;
  // autocannon takes zero requests for a connection as no limit, so no connection may get zero.
  const connections = Math.min(order.connections, atMost ?? order.connections);
  const share = Math.floor((atMost ?? Number.POSITIVE_INFINITY) / connections);
  const shares = keysOfConnections(order.keys, order.keyCount, connections, order.seed);
  const { count, time, progress, figures } = createResponseCounts();
  const warm = new Set<unknown>(); // connections with a response: the first latency includes connecting
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
          const events: EventEmitter = client; // the types of autocannon lack this event
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
        // At the end each connection has one request in flight. After a lost response, autocannon takes the next
        // response for the lost one, so that latencies are wrong: a reader must check `unanswered` first.
        const unanswered = Math.max(0, sent - answered - connections);
        const tookUs = micros(Math.round(clockUs() - startUs));
        resolve({ tookUs, sent, isCut, ...figures(), unanswered, sending: null, ...since() });
      },
    );
    // autocannon emits "start" after its setup, which is no part of the measurement.
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
