// Upstreams over TLS: no byte of a request is sent to one whose certificate is not valid for its host.
import { once } from "node:events";
import type { AddressInfo } from "node:net";
import { createServer as createTlsServer } from "node:tls";
import { afterAll, beforeAll, expect, onTestFinished, test } from "vitest";
import { selfSigned } from "../../redis/self-signed.ts";
import { readFileSync } from "node:fs";
import { rawUpstream } from "../http/wire.ts";
import { answer, poolTo, request, trustCertificate, upstreamThat, whole } from "./pools.ts";

let trusted: Awaited<ReturnType<typeof trustCertificate>>;
beforeAll(async () => {
  trusted = await trustCertificate();
});
afterAll(() => trusted.remove());

interface SecureUpstream {
  readonly url: URL;
  readonly names: (string | false | null)[]; // of SNI
  readonly transcript: () => string;
}

async function serveAt(host: string): Promise<SecureUpstream> {
  const names: (string | false | null)[] = [];
  let received = "";
  const server = createTlsServer(trusted, (socket) => {
    names.push(socket.servername);
    socket.on("error", () => {});
    socket.on("data", (chunk) => {
      received += chunk.toString();
      socket.write(answer("a"));
    });
  });
  server.on("tlsClientError", () => {}).listen(0, host);
  await once(server, "listening");
  onTestFinished(() => void server.close());
  const { port } = server.address() as AddressInfo;
  return { url: new URL(`https://${host}:${port}`), names, transcript: () => received };
}

test("the name of the host is sent as SNI, and an address is not", async () => {
  const { url, names } = await serveAt("127.0.0.1");
  const named = { url: new URL(url.href.replace("127.0.0.1", "localhost")) };
  expect(await request(poolTo(named))).toEqual(whole("a"));
  expect(await request(poolTo({ url }))).toEqual(whole("a"));
  expect(names).toEqual(["localhost", false]);
});

test("an unknown authority is refused before a byte of the request is sent", async () => {
  const files = await selfSigned();
  onTestFinished(() => files.remove());
  const [key, cert] = [readFileSync(files.key), readFileSync(files.certificate)];
  const upstream = await rawUpstream((socket) => socket.write(answer("a")), { key, cert });
  expect(await request(poolTo(upstream))).toMatchObject({
    status: 0,
    failure: "DEPTH_ZERO_SELF_SIGNED_CERT",
  });
  expect(upstream.transcript()).toBe("");
});

test("a certificate of another host is refused before a byte of the request is sent", async () => {
  const upstream = await serveAt("127.0.0.2");
  expect(await request(poolTo(upstream))).toMatchObject({
    status: 0,
    failure: "ERR_TLS_CERT_ALTNAME_INVALID",
  });
  expect(upstream.transcript()).toBe("");
});

test("an upstream that speaks no TLS fails, and one that breaks off in the handshake", async () => {
  const plain = await rawUpstream((socket) => socket.write(answer("a")));
  const closing = await rawUpstream((socket) => socket.destroy());
  for (const { url } of [plain, closing]) {
    const secure = { url: new URL(url.href.replace("http:", "https:")) };
    const { status, failure } = await request(poolTo(secure));
    expect([status, failure]).toEqual([0, expect.stringMatching(/^ERR_SSL|^UPSTREAM_CLOSED$/)]);
  }
  expect(plain.transcript()).not.toContain("GET");
});

test("a request after the end of a connection has another one", async () => {
  const upstream = await upstreamThat((socket) => socket.write(answer("a")), trusted);
  const pool = poolTo(upstream);
  expect(await request(pool)).toEqual(whole("a"));
  upstream.sockets[0]!.end();
  await expect.poll(() => upstream.sockets[0]!.destroyed).toBe(true);
  expect(await request(pool)).toEqual(whole("connection 2"));
});
