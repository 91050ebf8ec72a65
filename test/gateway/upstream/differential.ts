// The gateway's client of upstreams and undici read the same responses, on sockets of this machine. What the one reads
// has to be what the other reads; only the first may refuse more. After each response another request goes out: its
// response must be its own, whatever has come before.
import { createServer, type AddressInfo, type Socket } from "node:net";
import { setImmediate as turn } from "node:timers/promises";
import { rng } from "#src/kit/chance/rng.ts";
import { undiciPool } from "#src/gateway/http/undici-pool.node.ts";
import { ConnectionPool, type UpstreamPool } from "#src/gateway/upstream/pool.node.ts";
import type { ResponseHeaders } from "#src/gateway/upstream/response-head.ts";
import { generateResponse, type GeneratedResponse } from "./responses.ts";

const HOST = "127.0.0.1";

export interface ReadResponse {
  status: number;
  headers: string;
  body: string;
  failure: string | null;
}

export interface DifferentialOptions {
  readonly seed: number;
  readonly from: number;
  readonly responses: number;
  readonly lanes: number;
  readonly progress?: (done: number) => void;
  readonly generate?: typeof generateResponse;
}

export interface DifferentialResult {
  readonly differences: readonly string[];
  readonly equal: number;
  readonly refusedByBoth: number;
  readonly stricter: ReadonlyMap<string, number>; // refused by this client alone, by its reason
  readonly connections: number; // of both clients
}

const MOST_DIFFERENCES = 10;
const STEP = 10_000;
const OPTIONS = {
  connections: 1,
  connectTimeout: 60_000,
  headersTimeout: 60_000,
  bodyTimeout: 60_000,
};

export async function compareClients(options: DifferentialOptions): Promise<DifferentialResult> {
  const { seed, from, responses, lanes, progress, generate = generateResponse } = options;
  const server = await serveScripts();
  const counts = {
    differences: [] as string[],
    equal: 0,
    refusedByBoth: 0,
    stricter: new Map<string, number>(),
  };
  let [next, done] = [from, 0];
  const lane = async (): Promise<void> => {
    const clients: readonly UpstreamPool[] = [
      new ConnectionPool(server.origin, OPTIONS),
      undiciPool(server.origin, OPTIONS),
    ];
    while (next < from + responses && counts.differences.length < MOST_DIFFERENCES) {
      const index = next++;
      const response = generate(rng(seed, `response/${index}`));
      const readings = await Promise.all(clients.map((client) => server.play(client, response)));
      const difference = compareReadings(readings as [PairReading, PairReading], response, counts);
      if (difference !== null)
        counts.differences.push(
          `seed ${seed}, response ${index}: ${difference}\n${shorten(JSON.stringify({ ...response, readings }))}`,
        );
      if (++done % STEP === 0) progress?.(done);
    }
    await Promise.all(clients.map((client) => client.destroy()));
  };
  await Promise.all(Array.from({ length: lanes }, lane));
  server.close();
  return { ...counts, connections: server.connections() };
}

export interface PairReading {
  readonly read: ReadResponse;
  readonly next: ReadResponse; // the response to the request after it
  readonly token: string; // its body
}

/** Why this client alone may refuse: docs/decisions/045-a-client-for-upstreams.md. */
const STRICTER: ReadonlySet<string> = new Set(
  [
    "there are two transfer codings",
    "its transfer coding is not chunked",
    "it has a transfer coding in HTTP/1.0",
    "it is no HTTP/1",
    "the status line is malformed",
    "a stray control character is in the head",
    "a stray control character is between chunks",
    "a preliminary response has a body",
    "a preliminary response closes the connection",
    "blanks follow the value of its content-length",
    "blanks follow the value of its transfer-encoding",
    "its length is no number",
    "a chunk has no valid size",
    "a trailer is malformed",
    "a line between chunks is too long",
  ].map((why) => `The response is malformed: ${why}`),
);

/** Null, or the difference. */
export function compareReadings(
  [own, other]: readonly [PairReading, PairReading],
  { isSound }: GeneratedResponse,
  counts: { equal: number; refusedByBoth: number; readonly stricter: Map<string, number> },
): string | null {
  const { read, next, token } = own;
  if (next.failure !== null || next.body !== token) return "the next request has another response";
  if (read.failure !== null) {
    if (isSound) return `a sound response is refused: ${read.failure}`;
    if (!other.read.body.startsWith(read.body)) return "another body before the refusal";
    if (other.read.failure !== null) {
      counts.refusedByBoth++;
      return null;
    }
    if (!STRICTER.has(read.failure))
      return `a refusal that decision 045 does not list: ${read.failure}`;
    counts.stricter.set(read.failure, (counts.stricter.get(read.failure) ?? 0) + 1);
    return null;
  }
  if (other.read.failure !== null) return `undici alone refuses: ${other.read.failure}`;
  for (const part of ["status", "headers", "body"] as const)
    if (read[part] !== other.read[part]) return `another ${part}`;
  counts.equal++;
  return null;
}

interface ScriptedServer {
  readonly origin: string;
  readonly play: (client: UpstreamPool, response: GeneratedResponse) => Promise<PairReading>;
  readonly connections: () => number; // so far
  readonly close: () => void;
}

/** Responds to the path /N as the script N has it, and to /next/TOKEN with the token. */
async function serveScripts(): Promise<ScriptedServer> {
  const scripts = new Map<string, GeneratedResponse>();
  let [numbers, connections] = [0, 0];
  const server = createServer({ noDelay: true }, (socket) => {
    connections++;
    socket.on("error", () => socket.destroy());
    socket.on("data", (chunk) => {
      const [, path = ""] = chunk.toString("latin1").split(" ", 2);
      const script = scripts.get(path);
      if (script !== undefined) void perform(socket, script);
      else if (path.startsWith("/next/")) {
        const token = path.slice("/next/".length);
        socket.write(`HTTP/1.1 200 OK\r\nContent-Length: ${token.length}\r\n\r\n${token}`);
      } else socket.destroy();
    });
  });
  await new Promise<void>((resolve) => server.listen(0, HOST, resolve));
  const play = async (client: UpstreamPool, response: GeneratedResponse): Promise<PairReading> => {
    const path = `/${numbers++}`;
    scripts.set(path, response);
    const read = await requestOf(client, response.method, path);
    const token = `own${path}`.replace("/", "-");
    let next = await requestOf(client, "POST", `/next/${token}`);
    // A connection may just be closing, and the gateway would send a GET again as well.
    for (let i = 0; i < 5 && next.failure !== null; i++)
      next = await requestOf(client, "POST", `/next/${token}`);
    scripts.delete(path);
    return { read, next, token };
  };
  const { port } = server.address() as AddressInfo;
  const origin = `http://${HOST}:${port}`;
  return { origin, play, connections: () => connections, close: () => server.close() };
}

async function perform(socket: Socket, { pieces, isClosed }: GeneratedResponse): Promise<void> {
  for (const piece of pieces) {
    if (socket.destroyed) return;
    socket.write(piece, "latin1");
    await turn();
  }
  if (isClosed) socket.end();
}

function requestOf(client: UpstreamPool, method: string, path: string): Promise<ReadResponse> {
  return new Promise((resolve) => {
    const read: ReadResponse = { status: 0, headers: "", body: "", failure: null };
    const request = { method, path, headers: [], body: null };
    client.dispatch(request, {
      onRequestStart: () => {},
      onRequestSent: () => {},
      onResponseStart: (_, status, headers) => {
        if (status < 200) return;
        read.status = status;
        read.headers = headersOf(headers);
      },
      onResponseData: (_, chunk) => void (read.body += chunk.toString("latin1")),
      onResponseEnd: () => resolve(read),
      onResponseError: (_, error) => resolve({ ...read, failure: error.message }),
    });
  });
}

const shorten = (text: string): string =>
  text.replaceAll(/x{20,}|(?:abc ){20,}/g, ({ length, [0]: letter }) => `(${letter} * ${length})`);

/** undici leaves blanks at the end of values, which are no part of them (RFC 9112, 5.1). */
function headersOf(headers: ResponseHeaders): string {
  const values = new Map<string, string[]>();
  for (let i = 0; i + 1 < headers.length; i += 2)
    values.set(headers[i]!, [
      ...(values.get(headers[i]!) ?? []),
      headers[i + 1]!.replace(/[ \t]+$/, ""),
    ]);
  return [...values]
    .map((entry) => JSON.stringify(entry))
    .toSorted((a, b) => (a < b ? -1 : 1))
    .join(" ");
}
