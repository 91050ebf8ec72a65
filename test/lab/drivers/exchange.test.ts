// One request without a response, as its client knows it (LIM-C18).
import { Agent } from "node:http";
import { once } from "node:events";
import { createServer, type AddressInfo, type Socket } from "node:net";
import { expect, test } from "vitest";
import {
  exchange,
  type ExchangeResult,
  type LostExchange,
} from "#src/lab/drivers/exchange.node.ts";
import { readClockUs } from "#src/lab/drivers/open-loop.node.ts";

const SILENCE_MS = 100;

/** To a server that does this with the connection once a request has arrived; null: nothing listens there. */
async function exchangeWith(
  onRequest: ((socket: Socket) => void) | null,
): Promise<ExchangeResult | LostExchange> {
  const server = createServer((socket) => {
    socket.on("error", () => undefined); // the client may close first
    socket.once("data", () => onRequest?.(socket));
  }).listen(0, "127.0.0.1");
  await once(server, "listening");
  const { port } = server.address() as AddressInfo;
  const close = async (): Promise<void> => {
    server.close();
    await once(server, "close");
  };
  if (onRequest === null) await close();
  const agent = new Agent({ keepAlive: false });
  try {
    const request = { method: "GET", path: "/orders", headers: {}, body: null };
    const url = new URL(`http://127.0.0.1:${port}`);
    return await exchange(agent, { url, ...request }, readClockUs, SILENCE_MS);
  } finally {
    agent.destroy();
    if (onRequest !== null) await close();
  }
}

const HALF = "HTTP/1.1 200 OK\r\nContent-Length: 9\r\n\r\nhalf";

test.each<[string, ((socket: Socket) => void) | null, string]>([
  ["nothing listens", null, "unreachable"],
  ["the connection is reset", (socket) => socket.resetAndDestroy(), "broken"],
  ["the connection is closed", (socket) => socket.end(), "broken"],
  ["the response is cut off", (socket) => socket.end(HALF), "broken"],
  ["the response is no HTTP", (socket) => socket.end("nonsense\r\n\r\n"), "broken"],
  ["the server is silent", () => undefined, "timeout"],
  ["the response stops in its body", (socket) => void socket.write(HALF), "timeout"],
])("a request is lost where %s", async (_, onRequest, reason) => {
  const beganUs = readClockUs();
  const lost = await exchangeWith(onRequest);
  if (!("lostUs" in lost)) throw new Error(`it got the status ${lost.status}`);
  expect(lost.reason).toBe(reason);
  expect(lost.sentUs).toBeGreaterThanOrEqual(beganUs);
  const waitedUs = lost.lostUs - lost.sentUs;
  const leastUs = reason === "timeout" ? SILENCE_MS * 1_000 : 0;
  expect(waitedUs).toBeGreaterThanOrEqual(leastUs);
});

test("one with a whole response is not", async () => {
  const found = await exchangeWith((socket) => socket.end(HALF.replace("9", "4")));
  expect(found).toMatchObject({ status: 200, body: "half" });
});
