// Receivers of webhooks that behave as the tests want them to.
import { createServer, type IncomingMessage, type ServerResponse } from "node:http";
import type { AddressInfo, Server, Socket } from "node:net";
import { parseAllowedReceivers } from "#src/gateway/management/http/allowed-receivers.node.ts";
import type { AllowedReceivers } from "#src/gateway/management/http/receiver-addresses.ts";
import { requireValue } from "#src/kit/reading/failure.ts";

const ends: (() => void | Promise<void>)[] = [];

/** To be called after each test. */
export async function endAll(): Promise<void> {
  for (const end of ends.splice(0).toReversed()) await end();
}

export const atEnd = (end: () => void | Promise<void>): void => void ends.push(end);

export const allowing = (...list: readonly string[]): AllowedReceivers =>
  requireValue(parseAllowedReceivers(list));

export const HERE = allowing("127.0.0.0/8:*");

const kills = new Map<Server, () => Promise<void>>();

/** With all its connections. */
const kill = async (server: Server): Promise<void> => kills.get(server)?.();

export async function listening(server: Server, at = 0): Promise<number> {
  const sockets = new Set<Socket>();
  server.on("connection", (socket: Socket) => sockets.add(socket));
  await new Promise<void>((resolve) => server.listen(at, "127.0.0.1", resolve));
  kills.set(server, async () => {
    for (const socket of sockets) socket.destroy();
    await new Promise((resolve) => server.close(resolve));
  });
  atEnd(() => kill(server));
  return (server.address() as AddressInfo).port;
}

export interface Received {
  readonly method: string | undefined;
  readonly url: string | undefined;
  readonly id: string; // of the delivery
  readonly headers: readonly string[];
  readonly body: string;
}

export interface Receiver {
  readonly port: number;
  readonly url: string;
  readonly received: Received[];
  readonly kill: () => Promise<void>;
}

export async function receiver(
  answer: (from: IncomingMessage, to: ServerResponse) => void = (_, to) => to.end("thanks"),
  at = 0, // any port that is free
): Promise<Receiver> {
  const received: Received[] = [];
  const server = createServer((from, to) => {
    let body = "";
    from.setEncoding("utf8").on("data", (chunk: string) => (body += chunk));
    from.on("end", () => {
      const id = String(from.headers["webhook-id"]);
      received.push({ method: from.method, url: from.url, id, headers: from.rawHeaders, body });
      answer(from, to);
    });
  });
  const port = await listening(server, at);
  const url = `http://127.0.0.1:${port}/hook`;
  return { port, url, received, kill: () => kill(server) };
}
