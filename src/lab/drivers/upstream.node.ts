// The upstream of a world whose scenario sets response headers.
import { once } from "node:events";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import type { Environment } from "../scenario/world.ts";

export interface OwnUpstream {
  readonly url: URL;
  readonly close: () => Promise<void>;
}

/** Null if the built-in echo server is enough. */
export async function upstreamOf({ upstreamHeaders }: Environment): Promise<OwnUpstream | null> {
  return upstreamHeaders.length === 0 ? null : createUpstream(upstreamHeaders);
}

export async function createUpstream(
  upstreamHeaders: Environment["upstreamHeaders"],
): Promise<OwnUpstream> {
  const server = createServer((_from, to) => {
    for (const [name, value] of upstreamHeaders) to.setHeader(name, value);
    to.end("{}");
  });
  // Keeps connections open: a gateway that sends on a connection being closed responds 502 or 503.
  server.keepAliveTimeout = 600_000;
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
  const { port } = server.address() as AddressInfo;
  return {
    url: new URL(`http://127.0.0.1:${port}`),
    close: async () => {
      server.close();
      server.closeAllConnections();
      await once(server, "close");
    },
  };
}
