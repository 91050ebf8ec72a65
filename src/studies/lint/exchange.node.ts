// Sends one request to the examined server, and returns the response, or why there is none.
import { Agent as HttpAgent, request as sendHttp, type IncomingMessage } from "node:http";
import { Agent as HttpsAgent, request as sendHttps } from "node:https";
import type { ReceivedHeader } from "../../limiter/limit-headers/advertised.ts";
import type { RecordedExchange } from "../../limiter/limit-headers/exchange.ts";
import { Failure } from "../../kit/reading/failure.ts";

export interface ProbeRequest {
  readonly url: URL;
  readonly method: string;
  readonly headers: readonly ReceivedHeader[];
  readonly localAddress?: string;
}

/** A server that sends no headers within this time counts as one that does not respond. */
export const LONGEST_RESPONSE_MS = 10_000;
/** If a body is longer, the connection is closed before the end of the body. */
const LONGEST_BODY_BYTES = 1_000_000;

/** Seconds since 1970 by a monotonic clock: a step of the machine's clock does not change measured times. */
export const unixNow = (): number => (performance.timeOrigin + performance.now()) / 1000;

export function createAgent(url: URL, maxSockets: number): HttpAgent | HttpsAgent {
  const options = { keepAlive: true, maxSockets, scheduling: "fifo" } as const;
  return url.protocol === "https:" ? new HttpsAgent(options) : new HttpAgent(options);
}

/** `until`: when the exchange ends. The message of a failure begins with a verb whose subject is the server. */
export function exchangeOnce(
  { url, method, headers, localAddress }: ProbeRequest,
  agent: HttpAgent | HttpsAgent,
  stop: AbortSignal,
  until: "headers" | "body",
): Promise<RecordedExchange | Failure> {
  return new Promise((resolve) => {
    const isTls = url.protocol === "https:";
    const signal = AbortSignal.any([stop, AbortSignal.timeout(LONGEST_RESPONSE_MS)]);
    let sentS = unixNow();
    const request = (isTls ? sendHttps : sendHttp)(url, {
      method,
      agent,
      signal,
      ...(localAddress === undefined ? {} : { localAddress }),
    });
    for (const [name, value] of headers) request.appendHeader(name, value);
    request.on("error", (error) => resolve(new Failure(whyLost(error))));
    request.on("socket", (socket) => {
      // Sending starts here: the server did not cause the wait for a free connection.
      sentS = unixNow();
      if (socket.connecting)
        socket.once(isTls ? "secureConnect" : "connect", () => {
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
      if (until === "headers") resolve(exchange);
    });
    request.end();
  });
}

/** The headers as received, because Node's object joins or drops duplicates. */
const pairsOf = (raw: readonly string[]): readonly ReceivedHeader[] =>
  Array.from({ length: raw.length / 2 }, (_, index) => [raw[2 * index]!, raw[2 * index + 1]!]);

function whyLost({ code = "", message, name }: NodeJS.ErrnoException): string {
  if (name === "TimeoutError" || code === "ABORT_ERR")
    return `does not respond within ${LONGEST_RESPONSE_MS / 1000} s`;
  const tls = /^(?:CERT_|ERR_TLS|ERR_SSL|EPROTO|DEPTH_ZERO|SELF_SIGNED|UNABLE_TO)/.test(code);
  if (tls)
    return `has no connection by TLS that can be trusted (${code}); correct its certificate, or set NODE_EXTRA_CA_CERTS to the file of its authority`;
  if (code.startsWith("HPE_"))
    return `responds with something that is no HTTP (${code}); check scheme and port`;
  return `does not respond: ${code === "" ? message : code}`;
}
