// How a server ends: slowly, so that what is running is answered, or at once.
import type { Server } from "node:http";
import type { Socket } from "node:net";
import type { Micros } from "../core/units.ts";
import { toMilliseconds } from "./wire.ts";

export interface Ending {
  readonly isDraining: () => boolean;
  readonly drain: () => Promise<void>;
  readonly stop: () => Promise<void>;
}

const LOOK_AGAIN_MS = 100;

export function endingOf(server: Server, drainTimeoutUs: Micros): Ending {
  let isDraining = false;
  const open = new Set<Socket>();
  server.on("connection", (socket: Socket) => {
    open.add(socket);
    socket.once("close", () => open.delete(socket));
  });
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
  };
  const drain = async (): Promise<void> => {
    isDraining = true;
    server.close();
    const look = setInterval(closeIdle, LOOK_AGAIN_MS);
    const wait = setTimeout(() => void stop(), toMilliseconds(drainTimeoutUs));
    await ended;
    clearInterval(look);
    clearTimeout(wait);
  };
  return { isDraining: () => isDraining, drain, stop };
}
