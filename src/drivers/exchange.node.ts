// One request and its answer, as a client sees them.
import { request as send, type Agent, type IncomingHttpHeaders } from "node:http";

export interface Sent {
  readonly url: URL;
  readonly method: string;
  readonly path: string;
  readonly headers: Readonly<Record<string, string | string[]>>;
  readonly body?: string | null;
}

export interface Heard {
  readonly sentUs: number;
  readonly heardUs: number;
  readonly status: number;
  readonly headers: IncomingHttpHeaders;
  readonly body: string;
}

/** A gateway that says nothing for so long is taken to have lost the request. */
const SILENCE_MS = 60_000;

/** Null where nobody answered: the history counts it as such. */
export function exchange(
  agent: Agent,
  { url, method, path, headers, body: sent }: Sent,
  nowUs: () => number,
): Promise<Heard | null> {
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
      const heardUs = nowUs();
      let body = "";
      answer.setEncoding("utf8");
      answer.on("data", (chunk: string) => (body += chunk));
      answer.on("error", () => resolve(null));
      answer.on("end", () =>
        resolve({
          sentUs,
          heardUs,
          status: answer.statusCode!,
          headers: answer.headers,
          body,
        }),
      );
    });
    onward.end(sent ?? undefined);
  });
}
