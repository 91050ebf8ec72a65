// The configurations that translators write, on the real servers: no request passes a limit because its method or its path is
// unusual, or because it is of no place of the world.
import { once } from "node:events";
import { connect, createServer, type AddressInfo, type Server } from "node:net";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { findImplementation } from "#src/lab/implementations/catalogue.node.ts";
import { whyNotRunnable } from "#src/lab/implementations/home.node.ts";
import { serveImplementation } from "#src/lab/implementations/serve.node.ts";
import { readWantedWorld } from "#src/lab/implementations/wanted.ts";
import { requireValue } from "#src/kit/reading/failure.ts";
import type { JsonMap } from "#src/kit/reading/shape.ts";
import { readConfiguration } from "#src/limiter/world/read.ts";

const LIMIT = 4;
const SENT = 12;
/** Long enough that no budget is whole again while the test runs. */
const PER = 240;

/** Of all requests, by address, as `weir recommend` writes it. */
const ONE_API: JsonMap = {
  apis: { api: { listen: "/", keyless: true, rate: LIMIT, per: PER, key_by: "ip" } },
  gateway: { algorithm: "gcra", burst: "rate" },
};

/** Limits of an API, of an endpoint and of keys, and an API and an endpoint without one. */
const SEVERAL: JsonMap = {
  apis: {
    free: { listen: "/free", keyless: true },
    orders: {
      listen: "/orders",
      keyless: true,
      rate: LIMIT,
      per: PER,
      endpoints: [
        { path: "/health", method: "GET", rate: -1, per: PER },
        { path: "/*/report", method: "GET", rate: LIMIT, per: PER },
      ],
    },
    items: { listen: "/items" },
  },
  keys: { alice: { apis: ["items"], rate: LIMIT, per: PER }, bob: { apis: ["items"] } },
  gateway: { algorithm: "gcra", burst: "rate" },
};

interface OddRequest {
  readonly line: string; // method and target
  readonly credential?: string;
}

const ODD: readonly string[] = [
  "GET /a",
  "GET /a%20b",
  "GET /a%0ab",
  "GET /a%0a",
  "GET /%20GET%20/b",
  "GET /a%25%20%ff",
  "GET /a?b%20c",
  "GET //a",
  "GET http://x/a%20b",
  "M-SEARCH /a",
  "PROPFIND_X /a",
  "FOO+BAR /a",
  "OPTIONS *",
];

const LIMITED: readonly OddRequest[] = [
  ...ODD.map((line) => ({ line: line.replace(" /", " /orders/") })),
  { line: "GET /orders/health%0a" },
  { line: "POST /orders/health" },
  { line: "GET /orders/a%20b/report" },
  { line: "GET /orders/a%0ab/report" },
  { line: "GET /nowhere" },
  { line: "GET /nowhere%20GET%20/free/a" },
  { line: "GET /nowhere%0aGET%20/free/a" },
  { line: "M-SEARCH /items/a%20b", credential: "alice" },
  { line: "GET /items/a" },
  { line: "GET /items/a%20b", credential: "of nowhere" },
];

const FREE: readonly OddRequest[] = [
  { line: "GET /free" },
  { line: "M-SEARCH /free/a%20b" },
  { line: "GET /orders/health" },
  { line: "GET /items/a", credential: "bob" },
];

let upstream: Server;
let upstreamUrl: URL;
beforeAll(async () => {
  // By a socket too: a parser would reject some of these requests. No test sends two at once.
  upstream = createServer((socket) =>
    socket
      .on("data", () => socket.write("HTTP/1.1 200 OK\r\ncontent-length: 0\r\n\r\n"))
      .on("error", () => socket.destroy()),
  );
  await once(upstream.listen(0, "127.0.0.1"), "listening");
  upstreamUrl = new URL(`http://127.0.0.1:${(upstream.address() as AddressInfo).port}`);
});
afterAll(() => void upstream.close());

/** By a socket: clients of HTTP correct such requests, or reject them. */
async function send({ port }: URL, { line, credential }: OddRequest): Promise<number> {
  const socket = connect(Number(port), "127.0.0.1");
  const header = credential === undefined ? "" : `authorization: ${credential}\r\n`;
  socket.write(`${line} HTTP/1.1\r\nhost: x\r\n${header}connection: close\r\n\r\n`);
  let text = "";
  for await (const chunk of socket) text += String(chunk);
  return Number(text.split(" ")[1]);
}

/** The statuses of requests that are sent one after the other, to a server that has just been started. */
async function statusesOf(id: string, raw: JsonMap, request: OddRequest): Promise<string> {
  const served = requireValue(
    await serveImplementation({
      implementation: requireValue(await findImplementation(id)),
      wanted: readWantedWorld(readConfiguration(raw).configuration!),
      upstream: upstreamUrl,
      redis: null,
    }),
  );
  const counts = new Map<number, number>();
  try {
    for (let i = 0; i < SENT; i++) {
      const status = await send(served.url, request);
      counts.set(status, (counts.get(status) ?? 0) + 1);
    }
  } finally {
    await served.stop();
  }
  return [...counts]
    .toSorted(([a], [b]) => a - b)
    .map(([status, count]) => `${count} x ${status}`)
    .join(", ");
}

const ALL = `${SENT} x 200`;
const SOME = `${LIMIT} x 200, ${SENT - LIMIT} x 429`;
const NONE = `${SENT} x 400`; // the server itself rejects such a line

describe.each(["nginx", "haproxy/admitted", "haproxy/rate"])("%s", (id) => {
  const isRejected = (line: string): boolean =>
    id === "nginx" && (line.startsWith("FOO+BAR") || line === "OPTIONS *");

  test.for([
    ["one API", ONE_API, ODD.map((line): OddRequest => ({ line }))],
    ["several places", SEVERAL, LIMITED],
  ] as const)("a limit of %s counts every odd request", async ([, world, requests], context) => {
    const why = whyNotRunnable(requireValue(await findImplementation(id)));
    context.skip(why !== null, why ?? "");
    for (const request of requests)
      expect({ ...request, statuses: await statusesOf(id, world, request) }).toEqual({
        ...request,
        statuses: isRejected(request.line) ? NONE : SOME,
      });
  });

  test("requests without a limit are not counted", async (context) => {
    const why = whyNotRunnable(requireValue(await findImplementation(id)));
    context.skip(why !== null, why ?? "");
    for (const request of FREE)
      expect({ ...request, statuses: await statusesOf(id, SEVERAL, request) }).toEqual({
        ...request,
        statuses: ALL,
      });
  });
});
