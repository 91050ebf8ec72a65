// Sends the requests of a probe, one after the other over one connection, within its caps.
import { Agent as HttpAgent, request as sendHttp, type IncomingMessage } from "node:http";
import { Agent as HttpsAgent, request as sendHttps } from "node:https";
import { setTimeout as sleep } from "node:timers/promises";
import type { ReceivedHeader } from "../limit-headers/advertised.ts";
import {
  readExchange,
  type JudgedExchange,
  type RecordedExchange,
} from "../limit-headers/exchange.ts";
import { Failure, isFailure } from "../reading/failure.ts";
import { nextProbe, type ProbeCaps } from "./next-probe.ts";

export interface ProbeRequest {
  readonly url: URL;
  readonly method: string;
  readonly headers: readonly ReceivedHeader[];
}

interface ProbeResult {
  readonly exchanges: readonly JudgedExchange[];
  /** Why it ended. */
  readonly why: string;
  /** A response did not come, so that the rest was not sent; null: none failed. */
  readonly lost: string | null;
}

/** A server that sends no headers for this long is one that does not respond. */
const LONGEST_RESPONSE_MS = 10_000;
/** A longer body is not read to its end: the connection is closed instead. */
const LONGEST_BODY_BYTES = 1_000_000;

export async function probe(
  request: ProbeRequest,
  caps: ProbeCaps,
  {
    signal,
    report,
  }: { signal: AbortSignal; report: (exchanges: readonly JudgedExchange[]) => void },
): Promise<ProbeResult> {
  const exchanges: JudgedExchange[] = [];
  const startS = unixNow();
  const deadline = AbortSignal.timeout(caps.seconds * 1000);
  const agent =
    request.url.protocol === "https:"
      ? new HttpsAgent({ keepAlive: true, maxSockets: 1 })
      : new HttpAgent({ keepAlive: true, maxSockets: 1 });
  const stop = AbortSignal.any([signal, deadline]);
  try {
    for (;;) {
      const step = nextProbe({ exchanges, startS, nowS: unixNow(), caps });
      if (step.kind === "end") return { exchanges, why: step.why, lost: null };
      await sleepUntil(step.atS, stop);
      const received = stop.aborted ? null : await exchangeOnce(request, agent, stop);
      const isFirst = exchanges.length === 0;
      if (received === null || (isFailure(received) && hasEnded(stop) && !isFirst)) {
        const why = hasEnded(signal)
          ? "it was interrupted"
          : `the cap of ${caps.seconds} s is reached`;
        return { exchanges, why, lost: null };
      }
      if (isFailure(received)) return { exchanges, why: received.message, lost: received.message };
      exchanges.push(readExchange(received, exchanges.length));
      report(exchanges);
    }
  } finally {
    agent.destroy();
  }
}

/** A function, because the compiler takes the property for unchanged after a wait. */
const hasEnded = (signal: AbortSignal): boolean => signal.aborted;

/** Monotonic, so that a step of the machine's clock moves no wait. */
const unixNow = (): number => (performance.timeOrigin + performance.now()) / 1000;

async function sleepUntil(atS: number, signal: AbortSignal): Promise<void> {
  const milliseconds = (atS - unixNow()) * 1000;
  if (milliseconds <= 0) return;
  try {
    await sleep(milliseconds, undefined, { signal });
  } catch (error) {
    if (!signal.aborted) throw error;
  }
}

function exchangeOnce(
  { url, method, headers }: ProbeRequest,
  agent: HttpAgent | HttpsAgent,
  stop: AbortSignal,
): Promise<RecordedExchange | Failure> {
  return new Promise((resolve) => {
    const signal = AbortSignal.any([stop, AbortSignal.timeout(LONGEST_RESPONSE_MS)]);
    const send = url.protocol === "https:" ? sendHttps : sendHttp;
    const fail = (error: NodeJS.ErrnoException): void => resolve(new Failure(whyLost(url, error)));
    let sentS = unixNow();
    const request = send(url, { method, agent, signal });
    for (const [name, value] of headers) request.appendHeader(name, value);
    request.on("error", fail);
    request.on("socket", (socket) => {
      // The first request waits for its connection, which the server does not count.
      if (socket.connecting)
        socket.once(url.protocol === "https:" ? "secureConnect" : "connect", () => {
          sentS = unixNow();
        });
    });
    request.on("response", (response: IncomingMessage) => {
      const receivedS = unixNow();
      const exchange = {
        sentS,
        receivedS,
        status: response.statusCode ?? 0,
        headers: pairsOf(response.rawHeaders),
      };
      let size = 0;
      response.on("data", (chunk: Buffer) => {
        size += chunk.length;
        if (size > LONGEST_BODY_BYTES) response.destroy();
      });
      response.on("error", () => resolve(exchange));
      response.on("close", () => resolve(exchange));
    });
    request.end();
  });
}

/** As they are received: Node's object joins duplicates, and drops some. */
const pairsOf = (raw: readonly string[]): readonly ReceivedHeader[] =>
  Array.from({ length: raw.length / 2 }, (_, index) => [raw[2 * index]!, raw[2 * index + 1]!]);

function whyLost(url: URL, { code = "", message, name }: NodeJS.ErrnoException): string {
  if (name === "TimeoutError" || code === "ABORT_ERR")
    return `${url.href} does not respond within ${LONGEST_RESPONSE_MS / 1000} s`;
  const tls = /^(?:CERT_|ERR_TLS|ERR_SSL|EPROTO|DEPTH_ZERO|SELF_SIGNED|UNABLE_TO)/.test(code);
  if (tls)
    return `${url.href} has no connection by TLS that can be trusted (${code}); correct its certificate, or set NODE_EXTRA_CA_CERTS to the file of its authority`;
  if (code.startsWith("HPE_"))
    return `${url.href} responds with something that is no HTTP (${code}); check scheme and port`;
  return `${url.href} does not respond: ${code === "" ? message : code}`;
}
