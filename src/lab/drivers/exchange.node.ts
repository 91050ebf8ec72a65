// One request and its response, as a client sees them.
import { request as send, type Agent, type IncomingHttpHeaders } from "node:http";
import type { LossReason } from "../scenario/history.ts";

export interface ExchangeRequest {
  readonly url: URL;
  readonly method: string;
  readonly path: string;
  readonly headers: Readonly<Record<string, string | string[]>>;
  readonly body?: string | null;
}

export interface ExchangeResult {
  readonly sentUs: number;
  readonly receivedUs: number;
  readonly status: number;
  readonly headers: IncomingHttpHeaders;
  readonly body: string;
}

/** A request without a response for this long is lost. A gateway may delay a response for a minute in its queue. */
const SILENCE_MS = 90_000;

/** A request without a response, and when its client noticed the loss. */
export interface LostExchange {
  readonly sentUs: number;
  readonly lostUs: number;
  readonly reason: LossReason;
}

export function exchange(
  agent: Agent,
  { url, method, path, headers, body: sent }: ExchangeRequest,
  nowUs: () => number,
  silenceMs: number = SILENCE_MS,
): Promise<ExchangeResult | LostExchange> {
  return new Promise((resolve) => {
    const sentUs = nowUs();
    let isPatient = true;
    const lose = (error: NodeJS.ErrnoException): void => {
      const reason = isPatient ? lossReasonOf(error) : "timeout";
      resolve({ sentUs, lostUs: nowUs(), reason });
    };
    const onward = send({
      agent,
      host: url.hostname,
      port: url.port,
      method: method.toUpperCase(),
      path,
      headers,
      timeout: silenceMs,
    });
    onward.on("timeout", () => {
      isPatient = false;
      onward.destroy();
    });
    onward.on("error", lose);
    onward.on("response", (answer) => {
      const receivedUs = nowUs();
      let body = "";
      answer.setEncoding("utf8");
      answer.on("data", (chunk: string) => (body += chunk));
      answer.on("error", lose);
      answer.on("end", () =>
        resolve({
          sentUs,
          receivedUs,
          status: answer.statusCode!,
          headers: answer.headers,
          body,
        }),
      );
    });
    onward.end(sent ?? undefined);
  });
}

/** Error codes of a failed connection: nothing listens at the address, or the network has no route to it. */
const UNREACHABLE: ReadonlySet<string> = new Set([
  "ECONNREFUSED",
  "EHOSTUNREACH",
  "ENETUNREACH",
  "ENOTFOUND",
  "EAI_AGAIN",
]);

const lossReasonOf = ({ code = "" }: NodeJS.ErrnoException): LossReason =>
  UNREACHABLE.has(code) ? "unreachable" : code === "ETIMEDOUT" ? "timeout" : "broken";
