// Listeners that speak TLS, over real sockets.
import { once } from "node:events";
import { readFileSync } from "node:fs";
import { connect as connectPlainly } from "node:net";
import { connect, type ConnectionOptions, type TLSSocket } from "node:tls";
import { afterAll, beforeAll, expect, onTestFinished, test } from "vitest";
import {
  serveGateway,
  type GatewayServer,
  type ServeOptions,
} from "#src/gateway/http/gateway.node.ts";
import { listener } from "#src/gateway/management/http/listener.node.ts";
import { datesProblem, problemOf, type Certificate } from "#src/gateway/http/tls.node.ts";
import { micros } from "#src/kit/units.ts";
import { replaceCertificates } from "#src/gateway/serving/certificates.node.ts";
import { DEFAULT_WIRE } from "#src/gateway/http/wire.ts";
import { selfSigned, type SelfSigned } from "../../redis/self-signed.ts";
import { echoing, message, rawUpstream, readWorld, WIRE_WORLD } from "./wire.ts";

const files: SelfSigned[] = [];
let first: Certificate;
let second: Certificate;
let short: Certificate; // its key
beforeAll(async () => {
  for (const keyOf of [undefined, undefined, ["-newkey", "rsa:1024"]])
    files.push(await selfSigned(keyOf));
  const [one, two, three] = files.map(({ certificate, key }) => ({
    cert: readFileSync(certificate, "utf8"),
    key: readFileSync(key, "utf8"),
  }));
  [first, second, short] = [one!, two!, three!];
});
afterAll(() => Promise.all(files.map(({ remove }) => remove())));

async function serveTls(
  upstream: URL | null = null,
  wire: ServeOptions["wire"] = {},
): Promise<GatewayServer> {
  const server = await serveGateway({
    configuration: readWorld(WIRE_WORLD),
    upstream,
    host: "127.0.0.1",
    port: 0,
    store: null,
    observer: { onEvent: () => {}, onExchange: null },
    wire,
    certificate: first,
  });
  onTestFinished(() => server.stop());
  return server;
}

/** Trusts both of them. */
async function connectTls(url: URL, more: ConnectionOptions = {}): Promise<TLSSocket> {
  const ca = [first.cert, second.cert];
  const socket = connect({ port: Number(url.port), host: url.hostname, ca, ...more });
  onTestFinished(() => void socket.destroy());
  await new Promise((resolve, reject) =>
    socket.once("secureConnect", resolve as () => void).once("error", reject),
  );
  return socket;
}

/** All bytes until they match `enough`, or until the other side ends. */
function receive(socket: TLSSocket, enough: RegExp, request = ""): Promise<string> {
  return new Promise((resolve) => {
    let text = "";
    socket.on("data", (chunk: Buffer) => {
      text += chunk.toString("latin1");
      if (enough.test(text)) resolve(text);
    });
    socket.once("close", () => resolve(`${text}(closed)`));
    if (request !== "") socket.write(request);
  });
}

const GET = message("GET /open HTTP/1.1", "Host: g");
const ANSWERED = /\r\n\r\n[^]*\r\n\r\n/;

test("a request over TLS is served, and its upstream gets https as the protocol", async () => {
  const { url } = await serveTls((await rawUpstream(echoing)).url);
  expect(url.protocol).toBe("https:");
  const socket = await connectTls(url, { ALPNProtocols: ["h2", "http/1.1"] });
  expect(socket.alpnProtocol).toBe("http/1.1");
  expect(await receive(socket, ANSWERED, GET)).toMatch(/200 OK[^]*x-forwarded-proto: https\r\n/);
});

test("TLS below 1.2 and a client of HTTP/2 alone fail in the handshake", async () => {
  const { url } = await serveTls();
  const old = { maxVersion: "TLSv1.1", minVersion: "TLSv1", ciphers: "ALL:@SECLEVEL=0" } as const;
  await expect(connectTls(url, old)).rejects.toThrow(/protocol version|alert/);
  await expect(connectTls(url, { ALPNProtocols: ["h2"] })).rejects.toThrow(
    /no application protocol/,
  );
});

test("a client that speaks no TLS is closed, and others are served", async () => {
  const { url } = await serveTls();
  const plain = connectPlainly(Number(url.port), url.hostname);
  plain.write(GET);
  const text = await new Promise<string>((resolve) => {
    let all = "";
    plain.on("data", (chunk) => (all += chunk.toString("latin1")));
    plain.on("error", () => {}).on("close", () => resolve(all));
  });
  expect(text).not.toMatch(/HTTP/);
  expect(await receive(await connectTls(url), /\}$/, GET)).toMatch(/200 OK/);
});

test("a renewed certificate is for new connections, and old ones go on", async () => {
  const { url, renew } = await serveTls();
  const fingerprintOf = (socket: TLSSocket): string => socket.getPeerCertificate().fingerprint256;
  const old = await connectTls(url);
  renew(second);
  const next = await connectTls(url);
  expect(fingerprintOf(next)).not.toBe(fingerprintOf(old));
  expect(await receive(next, /\}$/, GET)).toMatch(/200 OK/);
  expect(await receive(old, /\}$/, GET)).toMatch(/200 OK/);
});

test("an answer that breaks off to a client of HTTP/1.0 does not look whole over TLS", async () => {
  const upstream = await rawUpstream((socket) => {
    socket.write("HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n5\r\nhello\r\n");
    setTimeout(() => socket.destroy(), 50);
  });
  const { url } = await serveTls(upstream.url);
  const socket = await connectTls(url);
  const faults: (string | undefined)[] = [];
  socket.on("error", ({ code }: NodeJS.ErrnoException) => faults.push(code));
  const text = await receive(socket, /never/, message("GET /open HTTP/1.0", "Host: g"));
  expect(text).toMatch(/hello\(closed\)$/);
  expect(faults).toEqual(["ECONNRESET"]);
  expect(await receive(await connectTls(url), /hello/, GET)).toMatch(/hello/); // it lives
});

test("a drain ends connections over TLS without a request", async () => {
  const { url, drain } = await serveTls();
  const silent = await connectTls(url);
  const closed = receive(silent, /never/);
  const startMs = performance.now();
  await drain();
  expect(performance.now() - startMs).toBeLessThan(20_000); // of the 30 s that a drain may take
  expect(await closed).toBe("(closed)");
});

test("a drain leaves a connection over TLS alone that waits with its body for the word to send it", async () => {
  const upstream = await rawUpstream(echoing);
  const { url, drain } = await serveTls(upstream.url, { drainTimeoutUs: micros(20_000_000) });
  const socket = await connectTls(url);
  const head = message(
    "POST /open HTTP/1.1",
    "Host: g",
    "Expect: 100-continue",
    "Content-Length: 3",
  );
  expect(await receive(socket, /100 Continue\r\n\r\n/, head)).toMatch(/100 Continue/);
  const drained = drain();
  await new Promise((resolve) => setTimeout(resolve, 800)); // when it closes connections without a request
  expect(await receive(socket, /200 OK[^]*\r\n\r\n/, "abc")).toMatch(/200 OK/);
  await drained;
});

test("a connection above the limit of its address costs no handshake", async () => {
  const { url } = await serveTls(null, { connectionsPerAddress: 1 });
  const only = await connectTls(url);
  await expect(connectTls(url)).rejects.toThrow(/disconnected|ECONNRESET/);
  only.destroy();
  const tryConnecting = (): Promise<boolean> =>
    connectTls(url).then(
      () => true,
      () => false,
    );
  await expect.poll(tryConnecting).toBe(true);
});

test("the admin listener speaks TLS, and takes a renewed certificate", async () => {
  const { url, renew, stop } = await listener({
    host: "127.0.0.1",
    port: 0,
    certificate: first,
    pages: new Map([["/hello", (_, to) => void to.end("{}")]]),
    adminRoutes: null,
    interfaces: null,
    wire: DEFAULT_WIRE,
  });
  onTestFinished(() => stop());
  expect(url.protocol).toBe("https:");
  const old = await connectTls(url);
  renew(second);
  const next = await connectTls(url);
  expect(next.getPeerCertificate().fingerprint256).not.toBe(
    old.getPeerCertificate().fingerprint256,
  );
  const hello = message("GET /hello HTTP/1.1", `Host: ${url.host}`);
  expect(await receive(next, /\}$/, hello)).toMatch(/200 OK/);
  expect(await receive(old, /\}$/, hello)).toMatch(/200 OK/);
});

// Node's own time-out is four times as long as the test has.
test(
  "a handshake that never ends is broken off at the admin listener, like one of a client",
  { timeout: 30_000 },
  async () => {
    const wire = { requestHeadersTimeoutUs: micros(200_000) };
    const admin = await listener({
      host: "127.0.0.1",
      port: 0,
      certificate: first,
      pages: new Map(),
      adminRoutes: null,
      interfaces: null,
      wire: { ...DEFAULT_WIRE, ...wire },
    });
    onTestFinished(() => admin.stop());
    for (const { url } of [await serveTls(null, wire), admin]) {
      const silent = connectPlainly(Number(url.port), url.hostname).on("error", () => {});
      onTestFinished(() => void silent.destroy());
      await expect(once(silent, "close")).resolves.toEqual([false]);
    }
  },
);

test("a pair that cannot serve has its problem: no certificate, no key, an encrypted one, another one's", () => {
  const { cert, key } = first;
  const locked =
    "-----BEGIN ENCRYPTED PRIVATE KEY-----\nMIGjMF8=\n-----END ENCRYPTED PRIVATE KEY-----\n";
  expect(problemOf(first)).toBeNull();
  expect(problemOf({ cert: key, key })).toMatchObject({
    of: "cert",
    message: expect.stringMatching(/no certificate/) as string,
  });
  expect(problemOf({ cert, key: cert })).toMatchObject({
    of: "key",
    message: expect.stringMatching(/no private key/) as string,
  });
  expect(problemOf({ cert, key: second.key })).toMatchObject({
    of: "key",
    message: expect.stringMatching(/not the key of the certificate of CN=localhost/) as string,
  });
  expect(problemOf({ cert, key: locked })).toMatchObject({ of: "key" });
});

test("a pair that OpenSSL rejects is reported before it is served: a short key, a damaged chain", () => {
  expect(problemOf(short)).toMatchObject({
    of: "cert",
    message: expect.stringMatching(/key too small/) as string,
  });
  const damaged = "-----BEGIN CERTIFICATE-----\nMIIB\n-----END CERTIFICATE-----\n";
  expect(problemOf({ ...first, cert: `${first.cert}${damaged}` })).toMatchObject({
    of: "cert",
    message: expect.stringMatching(/cannot be served/) as string,
  });
});

test("a listener that has been opened keeps to TLS or to plain HTTP, whatever certificates come and go", () => {
  const old = { listen: first, admin: null };
  expect(replaceCertificates(old, { listen: second, admin: second })).toEqual({
    listen: second,
    admin: null,
  });
  expect(replaceCertificates(old, { listen: null, admin: null })).toEqual(old);
});

test("a certificate that has expired, or is not valid yet, is reported", () => {
  const day = 86_400_000;
  expect(datesProblem(first, Date.now() + day / 2)).toBeNull();
  expect(datesProblem(first, Date.now() + 3 * day)).toMatch(/has expired on \d{4}-/);
  expect(datesProblem(first, Date.now() - day)).toMatch(
    /is valid from \d{4}-.* on, and not before/,
  );
});
