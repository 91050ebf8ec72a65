// `weir serve` with certificates: clients and operators over TLS, and files that are renewed while it serves.
import { chmodSync, copyFileSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { connect, type TLSSocket } from "node:tls";
import { afterAll, beforeAll, expect, onTestFinished, test } from "vitest";
import { selfSigned, type SelfSigned } from "../redis/self-signed.ts";
import { serving, WORLD } from "./serving.ts";
import { folderWith, weir } from "./weir.ts";

let first: SelfSigned;
let second: SelfSigned;
beforeAll(async () => {
  [first, second] = [await selfSigned(), await selfSigned()];
});
afterAll(() => Promise.all([first.remove(), second.remove()]));

const SETTINGS = `world: world.yaml
records: off
upstream: echo
listen: { tls_cert: c.pem, tls_key: k.pem }
admin: { tls_cert: c.pem, tls_key: k.pem }
`;

function put({ certificate, key }: SelfSigned, folder: string): void {
  copyFileSync(certificate, join(folder, "c.pem"));
  copyFileSync(key, join(folder, "k.pem"));
  for (const file of ["c.pem", "k.pem"]) chmodSync(join(folder, file), 0o600);
}

async function connectTo(origin: string): Promise<TLSSocket> {
  const { hostname: host, port } = new URL(origin);
  const ca = [first, second].map(({ certificate }) => readFileSync(certificate));
  const socket = connect({ host, port: Number(port), ca });
  onTestFinished(() => void socket.destroy());
  await new Promise((resolve, reject) =>
    socket.once("secureConnect", resolve as () => void).once("error", reject),
  );
  return socket;
}

const answerOn = (socket: TLSSocket): Promise<string> =>
  new Promise((resolve) => {
    socket.once("data", (chunk: Buffer) => resolve(chunk.toString().split("\r\n", 1)[0]!));
    socket.write("GET /hello HTTP/1.1\r\nHost: localhost\r\n\r\n");
  });

const fingerprintOf = (socket: TLSSocket): string => socket.getPeerCertificate().fingerprint256;

test("certificates are renewed by SIGHUP, and open connections go on", async () => {
  const folder = folderWith({ "weir.yaml": SETTINGS, "world.yaml": WORLD });
  put(first, folder);
  const { gateway, admin, kill, waitFor, output } = await serving(folder);
  expect([gateway, admin].map((origin) => new URL(origin).protocol)).toEqual(["https:", "https:"]);
  const old = [await connectTo(gateway), await connectTo(admin)];

  copyFileSync(second.certificate, join(folder, "c.pem")); // its key is not there yet
  kill("SIGHUP");
  await waitFor("is not the key of the certificate of CN=localhost");
  expect(output()).toMatch(
    /error SET-CERTIFICATE k\.pem is not the key of the certificate of CN=localhost/,
  );
  put(second, folder);
  kill("SIGHUP");
  await waitFor("reloaded");
  for (const [at, origin] of [gateway, admin].entries()) {
    const next = await connectTo(origin);
    expect(fingerprintOf(next)).not.toBe(fingerprintOf(old[at]!));
    expect(await answerOn(next)).toBe("HTTP/1.1 200 OK");
    expect(await answerOn(old[at]!)).toBe("HTTP/1.1 200 OK");
  }
});

test.each([
  [
    "listen: { tls_cert: c.pem }",
    /weir\.yaml:4 error SET-TOGETHER listen\.tls_cert is set without listen\.tls_key/,
  ],
  [
    "admin: { tls_key: k.pem }",
    /weir\.yaml:4 error SET-TOGETHER admin\.tls_key is set without admin\.tls_cert/,
  ],
  [
    "listen: { tls_cert: none.pem, tls_key: k.pem }",
    /none\.pem: there is no such file.*weir\.yaml:4 names it/,
  ],
  [
    "listen: { tls_cert: k.pem, tls_key: k.pem }",
    /weir\.yaml:4 error SET-CERTIFICATE k\.pem holds no certificate in PEM/,
  ],
  [
    "listen: { tls_cert: c.pem, tls_key: c.pem }",
    /weir\.yaml:4 error SET-CERTIFICATE c\.pem holds no private key in PEM/,
  ],
])("%s is refused before anything is served", async (settings, why) => {
  const yaml = `world: world.yaml\nrecords: off\nupstream: echo\n${settings}\n`;
  const folder = folderWith({ "weir.yaml": yaml, "world.yaml": WORLD });
  put(first, folder);
  const { code, err } = await weir(folder, ["config"]);
  expect(code).toBe(2);
  expect(err).toMatch(why);
});

test("a key that others can read is refused", async () => {
  const yaml = "world: world.yaml\nrecords: off\nlisten: { tls_cert: c.pem, tls_key: k.pem }\n";
  const folder = folderWith({ "weir.yaml": yaml, "world.yaml": WORLD });
  put(first, folder);
  chmodSync(join(folder, "k.pem"), 0o644);
  const { code, err } = await weir(folder, ["config"]);
  expect(code).toBe(2);
  expect(err).toMatch(
    /weir\.yaml:3 error SET-CERTIFICATE k\.pem is open .*mode 0644\); chmod 600 k\.pem/,
  );
});
