// Open connections of one client address: one above the limit gets a response and is closed, before it is read.
import type { Server } from "node:http";
import { Server as TlsServer } from "node:tls";
import type { Socket } from "node:net";
import type { Micros } from "../../kit/units.ts";
import { addressCounts } from "./address-counts.ts";
import type { Observer } from "./observer.ts";
import { closeWith } from "./protocol-faults.node.ts";
import { REJECTIONS } from "./rejections.ts";
import { addressOf, isTrusted, type TrustedProxies } from "./trusted.node.ts";

interface ConnectionsOptions {
  readonly most: number;
  readonly trusted: TrustedProxies; // proxies carry the connections of many clients
  readonly observer: Observer;
  readonly clock: () => Micros;
}

/** Responses at a time: a client that does not read one holds its connection for a moment. */
const MOST_ANSWERED = 256;

/** Call it before another listener for connections is added to the server. */
export function limitConnections(server: Server, options: ConnectionsOptions): void {
  const { trusted, observer, clock } = options;
  const counts = addressCounts(options.most);
  let answering = 0;
  const serve = server.listeners("connection");
  server.removeAllListeners("connection");
  server.on("connection", (socket: Socket) => {
    const address = addressOf(socket);
    const isCounted = !isTrusted(trusted, address);
    if (!isCounted || counts.enter(address)) {
      if (isCounted) socket.once("close", () => counts.leave(address));
      for (const each of serve) each.call(server, socket);
      return;
    }
    observer.onRejection?.("connections", clock(), address);
    // Over TLS a response costs more than the limit saves.
    if (server instanceof TlsServer || answering >= MOST_ANSWERED) {
      socket.destroy();
      return;
    }
    answering++;
    socket.once("close", () => answering--);
    const { status, text } = REJECTIONS.connections;
    closeWith(socket, status, text, ["Retry-After: 1"]);
    socket.resume(); // closing with unread bytes resets the connection, and its client may not receive the response
  });
}
