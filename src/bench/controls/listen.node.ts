import type { Server } from "node:http";
import type { AddressInfo } from "node:net";

export const HOST = "127.0.0.1";

export async function listen(server: Server): Promise<URL> {
  await new Promise<void>((resolve) => server.listen(0, HOST, resolve));
  return new URL(`http://${HOST}:${(server.address() as AddressInfo).port}`);
}
