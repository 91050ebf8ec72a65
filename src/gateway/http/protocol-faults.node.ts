// Responds to invalid HTTP and to requests for features that the gateway lacks, and closes the connection.
import { STATUS_CODES, type Server, type ServerResponse } from "node:http";
import type { Duplex } from "node:stream";

const CLOSE_AFTER_MS = 1_000;

export function answerProtocolFaults(server: Server): void {
  server.on("clientError", (error: NodeJS.ErrnoException, socket) => {
    const { _httpMessage: running } = socket as { _httpMessage?: ServerResponse | null };
    // No response is sent after a failed handshake, because a client cannot read it, or while another response is being
    // sent, because a client would read it as a part of the other.
    if (/^ERR_(?:SSL|TLS)/.test(error.code ?? "")) socket.destroy();
    else if (!socket.writable || error.code === "ECONNRESET" || running?.headersSent === true)
      socket.destroy();
    else closeWith(socket, STATUS_OF.get(error.code ?? "") ?? 400);
  });
  server.on("connect", (_from, socket) => closeWith(socket, 501));
}

const STATUS_OF: ReadonlyMap<string, number> = new Map([
  ["HPE_HEADER_OVERFLOW", 431],
  ["HPE_CHUNK_EXTENSIONS_OVERFLOW", 413],
  ["ERR_HTTP_REQUEST_TIMEOUT", 408],
]);

/** Sends a response, and closes the connection after a moment in which the client can read it. */
export function closeWith(
  socket: Duplex,
  status: number,
  text: string | null = null,
  headers: readonly string[] = [],
): void {
  const reason = STATUS_CODES[status] ?? "";
  const body = text ?? JSON.stringify({ error: reason });
  const lines = [
    `HTTP/1.1 ${status} ${reason}`,
    "Content-Type: application/json",
    `Content-Length: ${body.length}`,
    "Connection: close",
    ...headers,
  ];
  socket.on("error", () => socket.destroy());
  socket.end(`${lines.join("\r\n")}\r\n\r\n${body}`);
  setTimeout(() => socket.destroy(), CLOSE_AFTER_MS).unref();
}
