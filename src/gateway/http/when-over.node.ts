// Detects the end of a response: the response is sent, or its client has disconnected.
import type { IncomingMessage, ServerResponse } from "node:http";

/** Calls `over` once. A response that waits for earlier ones has no `close` event if its connection closes. */
export function whenOver(from: IncomingMessage, to: ServerResponse, over: () => void): void {
  if (to.socket !== null) {
    to.on("close", over);
    return;
  }
  const { socket } = from;
  socket.setMaxListeners(0); // a client may send any number of requests on one connection
  const once = (): void => {
    to.off("close", once);
    socket.off("close", once);
    to.destroy(); // so that nothing more is started for this response
    over();
  };
  to.on("close", once);
  socket.on("close", once);
}
