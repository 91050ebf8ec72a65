// Ends a server: after running requests have their responses, or at once.
import type { IncomingMessage, Server } from "node:http";
import { Server as Listening, type Socket } from "node:net";
import { Server as TlsServer } from "node:tls";
import { toMilliseconds, type Micros } from "../../kit/units.ts";

interface ServerEnding {
  readonly isDraining: () => boolean;
  readonly ended: Promise<void>; // when all connections are closed
  readonly drain: () => Promise<void>;
  readonly stop: () => Promise<void>;
}

const LOOK_AGAIN_MS = 100;

/**
 * For this time after a drain begins, each connection can get one more response, with `Connection: close`. Closing it
 * earlier could lose a request that is just arriving.
 */
const ONE_MORE_MS = 500;

/** `further` are sockets that accept connections for the server. */
export function endingOf(
  server: Server,
  further: readonly Listening[],
  drainTimeoutUs: Micros,
): ServerEnding {
  let isDraining = false;
  const open = new Set<Socket>();
  server.on("connection", (socket: Socket) => {
    open.add(socket);
    socket.once("close", () => open.delete(socket));
  });
  // TLS connections that have sent no request. Their `bytesRead` does not show this: it includes the handshake.
  const silent = new Set<Socket>();
  if (server instanceof TlsServer) {
    server.on("secureConnection", (socket: Socket) => {
      silent.add(socket);
      socket.once("close", () => silent.delete(socket));
    });
    for (const name of ["request", "checkContinue"])
      server.on(name, ({ socket }: IncomingMessage) => silent.delete(socket));
  }
  const ended = waitForClose([server, ...further]);
  const stop = (): Promise<void> => {
    server.close();
    for (const each of further) each.close();
    server.closeAllConnections();
    return ended;
  };
  // Clients keep idle connections open, and Node treats a connection that has never had a request as busy.
  const closeIdle = (): void => {
    server.closeIdleConnections();
    for (const socket of open) if (socket.bytesRead === 0) socket.destroy();
    for (const socket of silent) socket.destroy();
  };
  const drain = async (): Promise<void> => {
    isDraining = true;
    const idleFromMs = performance.now() + ONE_MORE_MS;
    Listening.prototype.close.call(server); // `close` of an HTTP server would also close idle connections
    for (const each of further) each.close();
    const look = setInterval(() => {
      if (performance.now() >= idleFromMs) closeIdle();
    }, LOOK_AGAIN_MS);
    const wait = setTimeout(() => void stop(), toMilliseconds(drainTimeoutUs));
    await ended;
    clearInterval(look);
    clearTimeout(wait);
    server.close();
  };
  return { isDraining: () => isDraining, ended, drain, stop };
}

async function waitForClose(all: readonly Listening[]): Promise<void> {
  await Promise.all(
    all.map((each) => new Promise<void>((resolve) => each.once("close", () => resolve()))),
  );
}
