// The least that a server in Node can do: answer, or pass on. Nobody is known and nothing is limited.
import { createServer, type Server } from "node:http";
import type { AddressInfo } from "node:net";
import { Pool } from "undici";
import { HOST } from "./address.ts";

export function bareServer(status: number, body: string): Promise<URL> {
  const headers = { "Content-Type": "application/json", "Content-Length": Buffer.byteLength(body) };
  return listening(
    createServer((_, to) => {
      to.writeHead(status, headers);
      to.end(body);
    }),
  );
}

/** node:http before undici, by `dispatch`: `stream` needs as long, and `request` more than twice the time. */
export function bareProxy(upstream: string): Promise<URL> {
  const pool = new Pool(upstream);
  return listening(
    createServer((from, to) => {
      const { host: _, connection: __, ...headers } = from.headers;
      const isBodiless = from.method === "GET" || from.method === "HEAD";
      pool.dispatch(
        {
          method: from.method ?? "GET",
          path: from.url ?? "/",
          headers,
          body: isBodiless ? null : from,
        },
        {
          onRequestStart: () => {},
          onResponseStart: (_controller, status, answered) => {
            const {
              connection: ___,
              "keep-alive": ____,
              "transfer-encoding": _____,
              ...kept
            } = answered;
            to.writeHead(status, kept);
          },
          onResponseData: (controller, chunk) => {
            if (to.write(chunk)) return;
            controller.pause();
            to.once("drain", () => controller.resume());
          },
          onResponseEnd: () => void to.end(),
          onResponseError: () => void to.destroy(),
        },
      );
    }),
  );
}

export async function listening(server: Server): Promise<URL> {
  await new Promise<void>((resolve) => server.listen(0, HOST, resolve));
  return new URL(`http://${HOST}:${(server.address() as AddressInfo).port}`);
}
