// A Redis that speaks TLS only, with a certificate that nobody but the test trusts.
import { execFile } from "node:child_process";
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { promisify } from "node:util";
import { KEEPS_NOTHING, startRedis, type RedisServer } from "./server.ts";

export interface TlsRedis extends RedisServer {
  readonly certificate: string; // file, to be trusted by the client
}

export async function startTlsRedis(): Promise<TlsRedis> {
  const folder = await mkdtemp(join(tmpdir(), "weir-tls-"));
  const certificate = join(folder, "certificate.pem");
  const key = join(folder, "key.pem");
  const subject = [
    "-subj",
    "/CN=localhost",
    "-addext",
    "subjectAltName=IP:127.0.0.1,DNS:localhost",
  ];
  const kind = ["-newkey", "ec", "-pkeyopt", "ec_paramgen_curve:prime256v1", "-nodes"];
  const files = ["-keyout", key, "-out", certificate];
  await promisify(execFile)("openssl", [
    "req",
    "-x509",
    "-days",
    "2",
    ...subject,
    ...kind,
    ...files,
  ]);
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
      await rm(folder, { recursive: true, force: true });
    },
  };
}
