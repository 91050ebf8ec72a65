// Several sockets accept the connections of one server. libuv takes one connection from a socket in each turn of its loop,
// so that the last of 500 clients would wait for 500 turns. The kernel spreads connections over the sockets (decision 060).
import cluster from "node:cluster";
import type { Server } from "node:http";
import {
  createServer,
  type AddressInfo,
  type ListenOptions,
  type Server as Accepting,
} from "node:net";

/** Elsewhere than on Linux the kernel spreads nothing. For workers their primary accepts, which has nothing else to do. */
const CAN_SPREAD = process.platform === "linux" && cluster.isPrimary;

/** Further sockets for a server, so that it has `count` of them where this helps. They do not listen yet. */
export function furtherSockets(server: Server, count: number): readonly Accepting[] {
  const { allowHalfOpen } = server as Server & { readonly allowHalfOpen: boolean };
  return Array.from({ length: CAN_SPREAD ? count - 1 : 0 }, () =>
    createServer({ allowHalfOpen, noDelay: true }, (socket) => server.emit("connection", socket)),
  );
}

/** Listens with a server and its further sockets. Throws the error of `listen` if the port is taken. */
export async function listenWith(
  server: Server,
  further: readonly Accepting[],
  { host, port }: { readonly host: string; readonly port: number },
): Promise<AddressInfo> {
  const reusePort = further.length > 0;
  // With `reusePort`, a port that another process of the same user shares would not be taken.
  if (reusePort && port !== 0) await listenBriefly(host, port);
  await listen(server, { host, port, reusePort });
  const address = server.address() as AddressInfo;
  for (const each of further) await listen(each, { host, port: address.port, reusePort });
  return address;
}

/** Throws the error of `listen` if this process alone cannot have the port. */
export async function listenBriefly(host: string, port: number): Promise<void> {
  const server = createServer();
  await listen(server, { host, port, exclusive: true });
  await new Promise((closed) => server.close(closed));
}

async function listen(server: Accepting, options: ListenOptions): Promise<void> {
  const { promise: listening, resolve, reject } = Promise.withResolvers<void>();
  server.once("error", reject).listen(options, resolve);
  await listening;
}
