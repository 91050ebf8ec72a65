// Serves pages to browsers on this machine only.
import { once } from "node:events";
import { createServer, type IncomingMessage, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";

export interface LoopbackServer {
  readonly url: string;
  readonly stop: () => Promise<void>;
}

export interface PageRequest {
  readonly path: string; // as sent, without the query
  readonly request: IncomingMessage; // GET or HEAD
  readonly response: ServerResponse;
  readonly refuse: (status: number, why: string) => void;
}

const ADDRESS = "127.0.0.1";

/** Headers of every response. */
export const HEADERS = { "cache-control": "no-store", "x-content-type-options": "nosniff" };
export const HTML = "text/html; charset=utf-8";

/** Throws the error of `listen` if the port is taken. */
export async function startLoopback(
  port: number,
  respond: (page: PageRequest) => void,
): Promise<LoopbackServer> {
  const server = createServer((request, response) => {
    const refuse = (status: number, why: string): void => {
      response.writeHead(status, { "content-type": "text/plain; charset=utf-8" }).end(`${why}\n`);
    };
    // Prevents DNS rebinding: a foreign page whose host name resolves to this address could otherwise read the pages.
    if (!hosts.has(request.headers.host ?? "")) refuse(421, `open ${url} instead`);
    else if (request.method !== "GET" && request.method !== "HEAD")
      refuse(405, "only GET and HEAD are allowed");
    else {
      // A client may send a target that is not a URL, so the path is split off as text.
      const [path = ""] = (request.url ?? "").split("?");
      respond({ path, request, response, refuse });
    }
  });
  server.listen(port, ADDRESS);
  await once(server, "listening");
  const { port: bound } = server.address() as AddressInfo;
  const url = `http://${ADDRESS}:${bound}/`;
  const hosts = new Set([`${ADDRESS}:${bound}`, `localhost:${bound}`]);
  return {
    url,
    stop: async () => {
      server.close();
      server.closeAllConnections();
      await once(server, "close");
    },
  };
}
