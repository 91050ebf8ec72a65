// A Redis that speaks TLS only, with a certificate that only the test trusts.
import { KEEPS_NOTHING, startRedis, type RedisServer } from "./server.ts";
import { selfSigned } from "./self-signed.ts";

export interface TlsRedis extends RedisServer {
  readonly certificate: string; // file, to be trusted by the client
}

export async function startTlsRedis(): Promise<TlsRedis> {
  const { certificate, key, remove } = await selfSigned();
  const server = await startRedis((port, own) => [
    ...KEEPS_NOTHING(port, own),
    "port 0",
    `tls-port ${port}`,
    `tls-cert-file ${certificate}`,
    `tls-key-file ${key}`,
    `tls-ca-cert-file ${certificate}`,
    "tls-auth-clients no",
  ]);
  return {
    ...server,
    url: `rediss://127.0.0.1:${server.port}`,
    certificate,
    stop: async () => {
      await server.stop();
      await remove();
    },
  };
}
