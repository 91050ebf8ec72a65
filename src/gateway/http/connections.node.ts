// Open connections of one client address: one above the limit is told so and closed, before any of it is read.
import type { Server } from "node:http";
import { Server as TlsServer } from "node:tls";
import type { Socket } from "node:net";
import type { Micros } from "../../core/units.ts";
import { addressCounts } from "./address-counts.ts";
import type { Observer } from "./observer.ts";
import { closeWith } from "./protocol-faults.node.ts";
import { REJECTIONS } from "./rejections.ts";
import { addressOf, isTrusted, type Trusted } from "./trusted.node.ts";

export interface ConnectionsOptions {
  readonly most: number;
  readonly trusted: Trusted; // proxies carry the connections of many clients
  readonly observer: Observer;
  readonly clock: () => Micros;
}

/** How many may be told at a time: a client that does not read holds its connection for a moment. */
const MOST_TOLD = 256;

/** Call it before anything else waits for connections of the server. */
export function limitConnections(server: Server, options: ConnectionsOptions): void {
  const { trusted, observer, clock } = options;
  const counts = addressCounts(options.most);
  let told = 0;
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
    observer.rejected?.("connections", clock(), address);
    // Over TLS a word costs more than what it protects.
    if (server instanceof TlsServer || told >= MOST_TOLD) {
      socket.destroy();
      return;
    }
    told++;
    socket.once("close", () => told--);
    const { status, text } = REJECTIONS.connections;
    closeWith(socket, status, text, ["Retry-After: 1"]);
    socket.resume(); // a connection that is closed with something unread is reset, and its client may not hear the answer
  });
}
