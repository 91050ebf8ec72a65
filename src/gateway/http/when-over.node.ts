// When a response is over: sent, or its client has left.
import type { IncomingMessage, ServerResponse } from "node:http";

/** Calls `over` once. A response that waits for its turn on a connection does not notice when that connection closes. */
export function whenOver(from: IncomingMessage, to: ServerResponse, over: () => void): void {
  if (to.socket !== null) {
    to.on("close", over);
    return;
  }
  const { socket } = from;
  socket.setMaxListeners(0); // a client may send any number of requests in one piece
  const once = (): void => {
    to.off("close", once);
    socket.off("close", once);
    to.destroy(); // so that nothing more is started for it
    over();
  };
  to.on("close", once);
  socket.on("close", once);
}
