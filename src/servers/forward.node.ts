// An admitted request on its way to the upstream and back, streamed both ways.
import {
  Agent,
  request as send,
  type IncomingMessage,
  type OutgoingHttpHeader,
  type OutgoingHttpHeaders,
  type RequestOptions,
  type ServerResponse,
} from "node:http";
import { pipeline } from "node:stream";

export interface Upstream {
  readonly url: URL;
  readonly agent: Agent;
}

export const upstreamAt = (url: URL): Upstream => ({ url, agent: new Agent({ keepAlive: true }) });

/** They speak of one connection, and a message that goes on to another one leaves them behind. */
const HOP_BY_HOP: ReadonlySet<string> = new Set([
  "connection",
  "keep-alive",
  "proxy-authenticate",
  "proxy-authorization",
  "proxy-connection",
  "te",
  "trailer",
  "transfer-encoding",
  "upgrade",
]);

/** The headers of a message that go on, without those that its own `Connection` names. */
function endToEnd(
  { headers, rawHeaders }: IncomingMessage,
  without: readonly string[],
): OutgoingHttpHeaders {
  const named = (headers.connection ?? "").split(",").map((name) => name.trim().toLowerCase());
  const stays = new Set([...named, ...without]);
  const kept = new Map<string, string[]>();
  for (let i = 0; i + 1 < rawHeaders.length; i += 2) {
    const name = rawHeaders[i]!.toLowerCase();
    if (HOP_BY_HOP.has(name) || stays.has(name)) continue;
    const values = kept.get(name);
    if (values === undefined) kept.set(name, [rawHeaders[i + 1]!]);
    else values.push(rawHeaders[i + 1]!);
  }
  const single = ([name, values]: readonly [string, string[]]): [string, OutgoingHttpHeader] => [
    name,
    values.length === 1 ? values[0]! : values,
  ];
  return Object.fromEntries([...kept].map(single));
}

export interface Forwarding {
  readonly target: string; // path and query as they go on
  readonly withhold: readonly string[]; // names of headers that are the gateway's own business
  readonly drop: readonly string[]; // names of headers of the answer that the gateway alone may send
  readonly add: OutgoingHttpHeaders; // to the answer
  readonly heard: () => void; // the answer has begun
}

/** Calls `failed` where the upstream gave no answer; one that breaks off later breaks off here too. */
export function forward(
  upstream: Upstream,
  from: IncomingMessage,
  to: ServerResponse,
  { target, withhold, drop, add, heard }: Forwarding,
  failed: () => void,
): void {
  const options: RequestOptions = {
    agent: upstream.agent,
    host: upstream.url.hostname,
    port: upstream.url.port,
    method: from.method ?? "GET",
    path: upstream.url.pathname.replace(/\/$/, "") + target,
    headers: endToEnd(from, ["host", ...withhold]),
  };
  const onward = send(options);
  // A method without a usual body says nothing of its length unless it is told to.
  if (from.headers["transfer-encoding"] !== undefined)
    onward.setHeader("Transfer-Encoding", "chunked");
  onward.on("response", (answer) => {
    heard();
    to.writeHead(answer.statusCode ?? 502, { ...endToEnd(answer, drop), ...add });
    pipeline(answer, to, () => onward.destroy());
  });
  onward.on("error", () => {
    if (to.headersSent) to.destroy();
    else failed();
  });
  to.on("close", () => {
    if (!to.writableFinished) onward.destroy();
  });
  from.pipe(onward);
}
