// When a response is over: sent, or its client has left.
import type { IncomingMessage, ServerResponse } from "node:http";

/** Calls it once. A response that waits for its turn on a connection does not notice by itself that this closes. */
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
    to.destroy(); // so that nothing is begun for it any more
    over();
  };
  to.on("close", once);
  socket.on("close", once);
}
