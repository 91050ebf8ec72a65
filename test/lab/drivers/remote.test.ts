// A gateway that runs already: nothing but its responses is known of it.
import { createServer } from "node:http";
import { once } from "node:events";
import type { AddressInfo } from "node:net";
import { expect, test } from "vitest";
import { playOn } from "#src/lab/drivers/driver.ts";
import { remote } from "#src/lab/drivers/remote.node.ts";
import { decode } from "#src/lab/scenario/read/decode.ts";
import { plan } from "#src/lab/scenario/plan/plan.ts";
import { NO_GATEWAY, REASONS, type History } from "#src/lab/scenario/history.ts";

const TEXT = `id: a/b
title: two addresses
world:
  apis: { orders: { listen: /orders, key_by: ip } }
  keys: { alice: { apis: [orders], rate: 5, per: 1 } }
traffic:
  - { name: home, as: alice, send: GET /orders, from: 192.0.2.7, burst: 2 }
  - { name: office, as: alice, send: GET /orders, from: 127.0.0.9, burst: 2 }
expect:
  - { id: all, count: { status: 200 }, equals: 4 }
`;

const DONE = { name: "done", as: "alice", send: "GET /orders", burst: 1 };
const withFlow = (text: string, flow: object): string =>
  text.replace("expect:", `  - ${JSON.stringify(flow)}\nexpect:`);

async function play(url: string, text = TEXT): Promise<History> {
  const [variant] = decode("a/b.yaml", text).scenario!.variants;
  const driver = await remote({ kind: "target", url });
  return playOn(driver, variant!, plan(variant!, "a/b", 1));
}

test("each address of a scenario sends from an address of this machine", async () => {
  const seen: string[] = [];
  const server = createServer((request, response) => {
    seen.push(request.socket.remoteAddress ?? "");
    response.end();
  }).listen(0, "127.0.0.1");
  await once(server, "listening");
  try {
    const { port } = server.address() as AddressInfo;
    await play(`http://127.0.0.1:${port}`);
    const [first, second] = [...new Set(seen)].toSorted();
    expect([first, second]).toEqual(["127.0.0.9", "127.101.0.1"]);
    expect(seen).toHaveLength(4);
  } finally {
    server.closeAllConnections();
    server.close();
  }
});

const RETRYING = TEXT.replace("from: 192.0.2.7, burst: 2", "burst: 1, behaviour: honourRetryAfter");

test.each(["", "soon", "Tue, 24 Nov 2026 04:00:00 GMT"])(
  "a client that honours Retry-After waits for no number in %j, and gives up",
  async (retryAfter) => {
    const server = createServer((_, response) => {
      response.writeHead(429, { "Retry-After": retryAfter }).end();
    }).listen(0, "127.0.0.1");
    await once(server, "listening");
    try {
      const { port } = server.address() as AddressInfo;
      const { requests } = await play(`http://127.0.0.1:${port}`, RETRYING);
      expect([...requests.attempt]).toEqual([0, 0, 0]);
    } finally {
      server.closeAllConnections();
      server.close();
    }
  },
);

/** Of each attempt: its number, the reason of its loss or its status, and the gateway. */
const inWords = ({ requests }: History): readonly string[] =>
  Array.from({ length: requests.length }, (_, row) => {
    const gateway = requests.gateway[row] === NO_GATEWAY ? "none" : requests.gateway[row];
    const reason = REASONS[requests.reason[row]!]!;
    return `${requests.attempt[row]} ${requests.status[row] || reason} at ${gateway}`;
  });

const ONE = TEXT.replace(/ {2}- \{ name: office.*\n/, "");

test.each([
  ["{ backoff: { base: 100ms, factor: 2, maxAttempts: 3 } }", ["0 broken at 0", "1 200 at 0"]],
  ["honourRetryAfter", ["0 broken at 0"]],
  ["ignore", ["0 broken at 0"]],
])("after a connection that breaks, with %s", async (behaviour, expected) => {
  let seen = 0;
  const server = createServer((request, response) => {
    if (++seen === 1) request.socket.destroy();
    else response.end();
  }).listen(0, "127.0.0.1");
  await once(server, "listening");
  try {
    const { port } = server.address() as AddressInfo;
    const text = ONE.replace("from: 192.0.2.7, burst: 2", `burst: 1, behaviour: ${behaviour}`);
    const answered = { ...DONE, at: "400ms" };
    const history = await play(`http://127.0.0.1:${port}`, withFlow(text, answered));
    expect(inWords(history).slice(0, -1)).toEqual(expected);
    const { sentUs, answeredUs } = history.requests;
    expect(sentUs[1]! - answeredUs[0]!).toBeGreaterThanOrEqual(100_000); // a retry, or the other one
  } finally {
    server.closeAllConnections();
    server.close();
  }
});

test("a request to a target that has closed met no gateway, and names its API and key", async () => {
  const server = createServer((_, response) => {
    response.setHeader("Connection", "close");
    response.end();
    server.close();
  }).listen(0, "127.0.0.1");
  await once(server, "listening");
  const { port } = server.address() as AddressInfo;
  const text = ONE.replace("from: 192.0.2.7, burst: 2", "burst: 1");
  const history = await play(`http://127.0.0.1:${port}`, withFlow(text, { ...DONE, at: "300ms" }));
  expect(inWords(history)).toEqual(["0 200 at 0", "0 unreachable at none"]);
  const { requests, header } = history;
  expect([header.apis[requests.api[1]!], header.keys[requests.key[1]!]]).toEqual([
    "orders",
    "alice",
  ]);
});

test("a target that does not respond is an error with its address", async () => {
  const server = createServer().listen(0, "127.0.0.1");
  await once(server, "listening");
  const { port } = server.address() as AddressInfo;
  server.close();
  await once(server, "close");
  await expect(play(`http://127.0.0.1:${port}`)).rejects.toThrow(
    `no request to http://127.0.0.1:${port} gets a response; look in the log of the gateway`,
  );
});
