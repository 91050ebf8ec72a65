// Free ports on loopback; another process may take one before it is used.
import { once } from "node:events";
import { createServer, type AddressInfo } from "node:net";

/** Opens all ports at once, so that they differ. */
export async function freePorts(count: number): Promise<readonly number[]> {
  const probes = await Promise.all(
    Array.from({ length: count }, async () => {
      const probe = createServer().listen(0, "127.0.0.1");
      await once(probe, "listening");
      return probe;
    }),
  );
  const ports = probes.map((probe) => (probe.address() as AddressInfo).port);
  await Promise.all(
    probes.map(async (probe) => {
      probe.close();
      await once(probe, "close");
    }),
  );
  return ports;
}
