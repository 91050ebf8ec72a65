// A gateway between raw sockets: what tests of the wire have in common.
import { connect, createServer, type AddressInfo, type Socket } from "node:net";
import { createServer as createTlsServer, type TlsOptions } from "node:tls";
import { onTestFinished } from "vitest";
import type { Configuration } from "#src/limiter/core/config.ts";
import { readConfiguration } from "#src/limiter/world/read.ts";
import {
  serveGateway,
  type GatewayServer,
  type ServeOptions,
} from "#src/gateway/http/gateway.node.ts";

const HOST = "127.0.0.1";

/** WEIR_CLIENT=undici runs tests of the wire with the client of upstreams that is not the default. */
export const CLIENT = {
  upstreamClient: process.env["WEIR_CLIENT"] === "undici" ? "undici" : "weir",
} as const;

/** A keyless API at /open, and one at /orders for `alice`, which has two requests a minute. */
export const WIRE_WORLD = {
  apis: { open: { listen: "/open", keyless: true }, orders: { listen: "/orders" } },
  keys: { alice: { apis: ["orders"], rate: 2, per: 60 } },
};

export function readWorld(world: unknown): Configuration {
  const { configuration, problems } = readConfiguration(world);
  if (configuration === null) throw new Error(JSON.stringify(problems));
  return configuration;
}

export async function gatewayTo(
  upstream: URL | null,
  wire: ServeOptions["wire"] = {},
  world: unknown = WIRE_WORLD,
  pages: ServeOptions["pages"] = new Map(),
  observer: ServeOptions["observer"] = { onEvent: () => {}, onExchange: null },
): Promise<GatewayServer> {
  const server = await serveGateway({
    configuration: readWorld(world),
    upstream,
    host: HOST,
    port: 0,
    store: null,
    observer,
    wire: { ...CLIENT, ...wire },
    pages,
  });
  onTestFinished(() => server.stop());
  return server;
}

export interface RawUpstream {
  readonly url: URL;
  readonly transcript: () => string; // everything, of all connections
  readonly sockets: readonly Socket[];
}

/** A server that knows no HTTP: `speak` is called with what has come on a connection so far. Over TLS with a certificate. */
export async function rawUpstream(
  speak: (socket: Socket, received: string) => void,
  certificate: TlsOptions | null = null,
): Promise<RawUpstream> {
  const sockets: Socket[] = [];
  let all = "";
  const onSocket = (socket: Socket): void => {
    sockets.push(socket);
    let received = "";
    socket.on("error", () => socket.destroy());
    socket.on("data", (chunk) => {
      const text = chunk.toString("latin1");
      received += text;
      all += text;
      speak(socket, received);
    });
  };
  const server =
    certificate === null ? createServer(onSocket) : createTlsServer(certificate, onSocket);
  await new Promise<void>((resolve) => server.listen(0, HOST, resolve));
  onTestFinished(() => {
    for (const socket of sockets) socket.destroy();
    server.close();
  });
  const { port } = server.address() as AddressInfo;
  const protocol = certificate === null ? "http" : "https";
  return { url: new URL(`${protocol}://${HOST}:${port}`), transcript: () => all, sockets };
}

/** Responds to each request with its own head and body, as text. Without pipelining. */
export const echoing = (socket: Socket, received: string): void => {
  if (!isWholeRequest(received.slice(spoken.get(socket) ?? 0))) return;
  const text = received.slice(spoken.get(socket) ?? 0);
  spoken.set(socket, received.length);
  socket.write(`HTTP/1.1 200 OK\r\nContent-Length: ${text.length}\r\n\r\n${text}`);
};
const spoken = new WeakMap<Socket, number>();

function isWholeRequest(text: string): boolean {
  const end = text.indexOf("\r\n\r\n");
  if (end < 0) return false;
  const length = /content-length: (\d+)/i.exec(text.slice(0, end))?.[1];
  if (length !== undefined) return text.length >= end + 4 + Number(length);
  return !/transfer-encoding/i.test(text.slice(0, end)) || text.endsWith("0\r\n\r\n");
}

export interface Spoken {
  readonly text: string;
  readonly ended: "closed" | "reset" | "open"; // open: still there when the time was over
}

/** Longer than a busy machine takes, and shorter than the 30 and 60 s after which a gateway closes by default. */
const PATIENCE_MS = 20_000;
/** For tests of the one default that is shorter: a gateway waits 10 s for the headers of a request. */
export const SHORTER_THAN_HEADERS_MS = 8_000;

/** Sends the pieces and reads until the other side closes, or until the response matches `enough`. */
export function speak(
  { hostname, port }: URL,
  pieces: string | readonly string[],
  enough: RegExp | null = null,
  mostMs = PATIENCE_MS,
): Promise<Spoken> {
  return new Promise((resolve) => {
    const socket = connect(Number(port), hostname);
    let text = "";
    const end = (ended: Spoken["ended"]): void => {
      clearTimeout(late);
      socket.destroy();
      resolve({ text, ended });
    };
    const late = setTimeout(end, mostMs, "open");
    socket.on("error", () => end("reset"));
    socket.on("end", () => end("closed"));
    socket.on("data", (chunk) => {
      text += chunk.toString("latin1");
      if (enough?.test(text) === true) end("open");
    });
    for (const piece of [pieces].flat()) socket.write(piece, "latin1");
  });
}

/** The statuses of all answers in a text, in their order. */
export const statuses = (text: string): readonly number[] =>
  [...text.matchAll(/HTTP\/1\.1 (\d{3})/g)].map(([, status]) => Number(status));

/** A request with its lines as they are given. */
export const message = (...lines: readonly string[]): string => `${lines.join("\r\n")}\r\n\r\n`;
