// One request and its response, as a client sees them.
import { request as send, type Agent, type IncomingHttpHeaders } from "node:http";

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

/** A gateway that sends nothing for this long has lost the request. Longer than a queue of a minute, which delays by it. */
const SILENCE_MS = 90_000;

/** Null without a response: the history counts it as unanswered. */
export function exchange(
  agent: Agent,
  { url, method, path, headers, body: sent }: ExchangeRequest,
  nowUs: () => number,
): Promise<ExchangeResult | null> {
  return new Promise((resolve) => {
    const sentUs = nowUs();
    const onward = send({
      agent,
      host: url.hostname,
      port: url.port,
      method: method.toUpperCase(),
      path,
      headers,
      timeout: SILENCE_MS,
    });
    onward.on("timeout", () => onward.destroy());
    onward.on("error", () => resolve(null));
    onward.on("response", (answer) => {
      const receivedUs = nowUs();
      let body = "";
      answer.setEncoding("utf8");
      answer.on("data", (chunk: string) => (body += chunk));
      answer.on("error", () => resolve(null));
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
