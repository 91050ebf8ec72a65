// A request by node:http, because fetch tidies addresses and headers by itself.
import { request } from "node:http";

export interface Sent {
  readonly path: string;
  readonly headers: Readonly<Record<string, string>>;
}

/** The status of its answer. */
export const answerOf = (
  url: URL,
  { path = "/", headers = {} }: Partial<Sent>,
): Promise<number | undefined> =>
  new Promise((resolve, reject) => {
    const { hostname: host, port } = url;
    const sending = request({ host, port, path, headers, agent: false }, (answer) => {
      answer.on("end", () => resolve(answer.statusCode));
      answer.resume();
    });
    sending.on("error", reject);
    sending.end();
  });
