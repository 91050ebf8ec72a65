// The smallest servers that Node allows: one responds, one proxies. They know no keys and limit nothing.
import { createServer, type IncomingMessage, type Server, type ServerResponse } from "node:http";
import { Pool } from "undici";
import { PATH } from "../world-of.ts";
import type { AddressInfo } from "node:net";

export const HOST = "127.0.0.1";

export async function listen(server: Server): Promise<URL> {
  await new Promise<void>((resolve) => server.listen(0, HOST, resolve));
  return new URL(`http://${HOST}:${(server.address() as AddressInfo).port}`);
}

/** The upstream of every gateway and proxy of a run. */
export function bareServer(): Promise<URL> {
  const body = JSON.stringify({ method: "GET", target: PATH });
  const headers = { "Content-Type": "application/json", "Content-Length": body.length };
  return listen(
    createServer((_, to) => {
      to.writeHead(200, headers);
      to.end(body);
    }),
  );
}

type Forward = (from: IncomingMessage, to: ServerResponse) => void;

export const bareProxy = (upstream: string): Promise<URL> =>
  listen(createServer(forwardTo(upstream)));

/** Forwards requests by undici's `dispatch`; undici's `stream` is as fast, `request` takes more than twice as long. */
export function forwardTo(upstream: string): Forward {
  const pool = new Pool(upstream);
  return (from, to) => {
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
            ...forwarded
          } = answered;
          to.writeHead(status, forwarded);
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
  };
}
