// Requests with unusual methods and paths, as bytes on a socket: clients of HTTP correct such requests, or reject them.
import { once } from "node:events";
import { connect, createServer, type AddressInfo } from "node:net";

export interface OddRequest {
  readonly line: string; // method and target
  readonly credential?: string;
}

export const ODD: readonly string[] = [
  "GET /a",
  "GET /a%20b",
  "GET /a%0ab",
  "GET /a%0a",
  "GET /%20GET%20/b",
  "GET /a%25%20%ff",
  "GET /a?b%20c",
  "GET //a",
  "GET http://x/a%20b",
  "M-SEARCH /a",
  "PROPFIND_X /a",
  "FOO+BAR /a",
  "OPTIONS *",
];

/** Whether the server itself rejects such a line, with 400. */
export const isRejectedBy = (id: string, { line }: OddRequest): boolean =>
  id === "nginx" && (line.startsWith("FOO+BAR") || line === "OPTIONS *");

export async function send(
  { port }: URL,
  { line, credential }: OddRequest,
  localAddress: string = "127.0.0.1",
): Promise<number> {
  const socket = connect({ port: Number(port), host: "127.0.0.1", localAddress });
  const header = credential === undefined ? "" : `authorization: ${credential}\r\n`;
  socket.write(`${line} HTTP/1.1\r\nhost: x\r\n${header}connection: close\r\n\r\n`);
  let text = "";
  for await (const chunk of socket) text += String(chunk);
  return Number(text.split(" ")[1]);
}

export interface Upstream {
  readonly url: URL;
  readonly close: () => void;
}

/** Responds to anything. By a socket too: a parser would reject some of these requests. No test sends two at once. */
export async function openUpstream(): Promise<Upstream> {
  const server = createServer((socket) =>
    socket
      .on("data", () => socket.write("HTTP/1.1 200 OK\r\ncontent-length: 0\r\n\r\n"))
      .on("error", () => socket.destroy()),
  );
  await once(server.listen(0, "127.0.0.1"), "listening");
  const { port } = server.address() as AddressInfo;
  return { url: new URL(`http://127.0.0.1:${port}`), close: () => void server.close() };
}
