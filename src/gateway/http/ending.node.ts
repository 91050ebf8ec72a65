// How a server ends: slowly, so that what is running is answered, or at once.
import type { IncomingMessage, Server } from "node:http";
import { Server as Listening, type Socket } from "node:net";
import { Server as TlsServer } from "node:tls";
import { toMilliseconds, type Micros } from "../../core/units.ts";

export interface Ending {
  readonly isDraining: () => boolean;
  readonly drain: () => Promise<void>;
  readonly stop: () => Promise<void>;
}

const LOOK_AGAIN_MS = 100;

/**
 * A client that asks one thing after the other may just be asking the next, and on a connection that is closed
 * nobody hears that. So it gets one more answer first, which says that the connection closes.
 */
const ONE_MORE_MS = 500;

export function endingOf(server: Server, drainTimeoutUs: Micros): Ending {
  let isDraining = false;
  const open = new Set<Socket>();
  server.on("connection", (socket: Socket) => {
    open.add(socket);
    socket.once("close", () => open.delete(socket));
  });
  // Over TLS a handshake has been read by then, so what has asked nothing is known otherwise.
  const silent = new Set<Socket>();
  if (server instanceof TlsServer) {
    server.on("secureConnection", (socket: Socket) => {
      silent.add(socket);
      socket.once("close", () => silent.delete(socket));
    });
    for (const asked of ["request", "checkContinue"])
      server.on(asked, ({ socket }: IncomingMessage) => silent.delete(socket));
  }
  const ended = new Promise<void>((resolve) => server.once("close", () => resolve()));
  const stop = (): Promise<void> => {
    server.close();
    server.closeAllConnections();
    return ended;
  };
  // Answers that had begun before said nothing of a close, and a connection that never asked counts as busy.
  const closeIdle = (): void => {
    server.closeIdleConnections();
    for (const socket of open) if (socket.bytesRead === 0) socket.destroy();
    for (const socket of silent) socket.destroy();
  };
  const drain = async (): Promise<void> => {
    isDraining = true;
    const idleFromMs = performance.now() + ONE_MORE_MS;
    Listening.prototype.close.call(server); // which of a server for HTTP would close what is idle as well
    const look = setInterval(() => {
      if (performance.now() >= idleFromMs) closeIdle();
    }, LOOK_AGAIN_MS);
    const wait = setTimeout(() => void stop(), toMilliseconds(drainTimeoutUs));
    await ended;
    clearInterval(look);
    clearTimeout(wait);
    server.close();
  };
  return { isDraining: () => isDraining, drain, stop };
}
