// A certificate for this machine, which only a client that is given the file trusts.
import { execFile } from "node:child_process";
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { promisify } from "node:util";

export interface SelfSigned {
  readonly certificate: string; // file
  readonly key: string; // file
  readonly remove: () => Promise<void>;
}

const CURVE = ["-newkey", "ec", "-pkeyopt", "ec_paramgen_curve:prime256v1"];

export async function selfSigned(keyOf: readonly string[] = CURVE): Promise<SelfSigned> {
  const folder = await mkdtemp(join(tmpdir(), "weir-tls-"));
  const certificate = join(folder, "certificate.pem");
  const key = join(folder, "key.pem");
  const subject = [
    "-subj",
    "/CN=localhost",
    "-addext",
    "subjectAltName=IP:127.0.0.1,DNS:localhost",
  ];
  const files = ["-keyout", key, "-out", certificate];
  const words = ["req", "-x509", "-days", "2", ...subject, ...keyOf, "-nodes", ...files];
  await promisify(execFile)("openssl", words);
  return { certificate, key, remove: () => rm(folder, { recursive: true, force: true }) };
}
