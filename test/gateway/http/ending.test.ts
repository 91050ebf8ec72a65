// A drain, without a gateway: which connections it ends by itself, long before its timeout.
import { readFileSync } from "node:fs";
import { createServer, type Server } from "node:http";
import { createServer as createTlsServer } from "node:https";
import { connect, type AddressInfo, type Socket } from "node:net";
import { connect as connectTls } from "node:tls";
import { afterAll, beforeAll, expect, onTestFinished, test } from "vitest";
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

async function serve(transport: string): Promise<Server> {
  const cert = (): string => readFileSync(files.certificate, "utf8");
  const server =
    transport === "TLS"
      ? createTlsServer({ cert: cert(), key: readFileSync(files.key, "utf8") })
      : createServer();
  server.on("request", (_, response) => response.end("hello"));
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  return server;
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
  const server = await serve(transport);
  const { drain, stop } = endingOf(server, AN_HOUR);
  onTestFinished(stop);
  const connections = {
    silent: await open(transport, server),
    idle: await open(transport, server),
  };
  connections.idle.write(message("GET / HTTP/1.1", "Host: g"));
  await new Promise((resolve) => connections.idle.once("data", resolve));
  const stillOpen = new Set(Object.keys(connections));
  for (const [name, socket] of Object.entries(connections))
    socket.resume().once("close", () => stillOpen.delete(name));
  const tooLong = new Promise<ReadonlySet<string>>((resolve) => {
    const timer = setTimeout(resolve, TOO_LONG_MS, stillOpen);
    onTestFinished(() => clearTimeout(timer));
  });
  const drained = drain().then((): ReadonlySet<string> => new Set());
  expect([...(await Promise.race([drained, tooLong]))]).toEqual([]);
});
