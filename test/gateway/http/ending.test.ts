// A drain, without a gateway: which connections it ends by itself, long before its timeout.
import { readFileSync } from "node:fs";
import { createServer, type Server } from "node:http";
import { createServer as createTlsServer } from "node:https";
import { connect, type AddressInfo, type Server as Accepting, type Socket } from "node:net";
import { connect as connectTls } from "node:tls";
import { promisify } from "node:util";
import { afterAll, beforeAll, expect, onTestFinished, test } from "vitest";
import { furtherSockets, listenWith } from "#src/gateway/http/accepting.node.ts";
import { endingOf } from "#src/gateway/http/ending.node.ts";
import { micros } from "#src/kit/units.ts";
import { selfSigned, type SelfSigned } from "../../redis/self-signed.ts";
import { message } from "./wire.ts";

let files: SelfSigned;
beforeAll(async () => {
  files = await selfSigned();
});
afterAll(() => files.remove());

const AN_HOUR = micros(3_600_000_000);
const TOO_LONG_MS = 10_000;

interface Served {
  readonly server: Server;
  readonly further: readonly Accepting[];
}

async function serve(transport: string): Promise<Served> {
  const cert = (): string => readFileSync(files.certificate, "utf8");
  const server =
    transport === "TLS"
      ? createTlsServer({ cert: cert(), key: readFileSync(files.key, "utf8") })
      : createServer();
  server.on("request", (_, response) => response.end("hello"));
  const further = furtherSockets(server, 64);
  await listenWith(server, further, { host: "127.0.0.1", port: 0 });
  return { server, further };
}

async function open(transport: string, server: Server): Promise<Socket> {
  const { port } = server.address() as AddressInfo;
  const socket =
    transport === "TLS"
      ? connectTls({ port, host: "127.0.0.1", ca: readFileSync(files.certificate, "utf8") })
      : connect(port, "127.0.0.1");
  onTestFinished(() => void socket.destroy());
  await new Promise<void>((resolve) => {
    socket.once(transport === "TLS" ? "secureConnect" : "connect", resolve);
  });
  return socket.on("error", () => socket.destroy());
}

test.each(["TCP", "TLS"])("a drain over %s ends silent and idle connections", async (transport) => {
  const { server, further } = await serve(transport);
  const { drain, stop } = endingOf(server, further, AN_HOUR);
  onTestFinished(stop);
  const connections = {
    silent: await open(transport, server),
    idle: await open(transport, server),
  };
  connections.idle.write(message("GET / HTTP/1.1", "Host: g"));
  await new Promise((resolve) => connections.idle.once("data", resolve));
  const stillOpen = new Set([...Object.keys(connections), "the server"]);
  for (const [name, socket] of Object.entries(connections))
    socket.resume().once("close", () => stillOpen.delete(name));
  const tooLong = new Promise<ReadonlySet<string>>((resolve) => {
    const timer = setTimeout(resolve, TOO_LONG_MS, stillOpen);
    onTestFinished(() => clearTimeout(timer));
  });
  const drained = drain().then((): ReadonlySet<string> => new Set());
  expect([...(await Promise.race([drained, tooLong]))]).toEqual([]);
});

const connectionsOf = async (server: Accepting): Promise<number> =>
  promisify(server.getConnections.bind(server))();

test("several sockets accept for one server, and are closed with it", async () => {
  const { server, further } = await serve("TCP");
  const { stop } = endingOf(server, further, AN_HOUR);
  const sockets = await Promise.all(Array.from({ length: 200 }, () => open("TCP", server)));
  for (const socket of sockets) socket.write(message("GET / HTTP/1.1", "Host: g"));
  await Promise.all(
    sockets.map((socket) => new Promise((resolve) => socket.once("data", resolve))),
  );
  const counts = await Promise.all([server, ...further].map(connectionsOf));
  expect(counts.reduce((sum, count) => sum + count)).toBe(200);
  // Where the kernel spreads them, no socket has more than a few.
  expect(Math.max(...counts)).toBeLessThanOrEqual(process.platform === "linux" ? 20 : 200);
  await stop();
  expect(further.some(({ listening }) => listening)).toBe(false);
});

test("a port that another process shares is taken", async () => {
  const { server } = await serve("TCP");
  onTestFinished(() => void server.close());
  const { port } = server.address() as AddressInfo;
  const other = createServer();
  const listening = listenWith(other, furtherSockets(other, 64), { host: "127.0.0.1", port });
  await expect(listening).rejects.toMatchObject({ code: "EADDRINUSE" });
});
