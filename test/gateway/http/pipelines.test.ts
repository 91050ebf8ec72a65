// Requests that a client sends before it has the responses to earlier ones.
import { expect, test } from "vitest";
import { MOST_AT_ONCE, MOST_WAITING } from "#src/gateway/http/pipeline.node.ts";
import type { Exchange } from "#src/gateway/http/observer.ts";
import { echoing, gatewayTo, message, rawUpstream, speak, statuses, WIRE_WORLD } from "./wire.ts";

const ORDERS = ["GET /orders HTTP/1.1", "Host: g", "Authorization: alice"];

test("pipelined requests are answered in their order", async () => {
  const { url } = await gatewayTo((await rawUpstream(echoing)).url);
  const all = Array.from({ length: 50 }, (_, i) => message(`GET /open/${i} HTTP/1.1`, "Host: g"));
  const { text } = await speak(url, all.join(""), /open\/49 /);
  expect([...text.matchAll(/GET \/open\/(\d+) /g)].map(([, index]) => Number(index))).toEqual(
    all.map((_, index) => index),
  );
});

test("pipelined requests spend one after the other", async () => {
  const { url } = await gatewayTo(null);
  const { text } = await speak(url, message(...ORDERS).repeat(4), /(?:429[^]*){2}Exceeded"\}$/);
  expect(statuses(text)).toEqual([200, 200, 429, 429]);
});

test("a pipeline takes few connections to its upstream at a time, however long it is, and is answered whole", async () => {
  const held: (() => void)[] = [];
  let most = 0;
  const upstream = await rawUpstream((socket, request) => {
    most = Math.max(
      most,
      held.push(() => echoing(socket, request)),
    );
  });
  const { url } = await gatewayTo(upstream.url);
  const all = Array.from({ length: 3_000 }, (_, i) =>
    message(`GET /open/${i} HTTP/1.1`, "Host: g"),
  );
  const exchange = speak(url, all.join(""), /open\/2999 /, 60_000);
  await expect.poll(() => held.length).toBe(MOST_AT_ONCE + 1);
  const timer = setInterval(() => held.splice(0).forEach((answer) => answer()), 1);
  const { text } = await exchange;
  clearInterval(timer);
  expect(most).toBeLessThanOrEqual(MOST_AT_ONCE + 1);
  expect(text.match(/GET \/open\/\d+ /g)).toEqual(all.map((_, i) => `GET /open/${i} `));
});

test("a connection ends after the last request that its pipeline accepts", async () => {
  const unanswered: (() => void)[] = [];
  const upstream = await rawUpstream((socket, request) => {
    unanswered.push(() => echoing(socket, request));
  });
  const { url } = await gatewayTo(upstream.url);
  const accepted = 1 + MOST_AT_ONCE + MOST_WAITING + 1;
  const all = Array.from({ length: accepted + 1_000 }, (_, i) =>
    message(`GET /open/${i} HTTP/1.1`, "Host: g"),
  );
  const exchange = speak(url, all.join(""), null, 60_000);
  await expect.poll(() => unanswered.length).toBe(MOST_AT_ONCE + 1);
  const timer = setInterval(() => unanswered.splice(0).forEach((answer) => answer()), 1);
  const { text, ended } = await exchange;
  clearInterval(timer);
  expect(ended).toBe("closed");
  expect(text.match(/GET \/open\/\d+ /g)).toEqual(
    Array.from({ length: accepted }, (_, i) => `GET /open/${i} `),
  );
  expect(text.match(/^connection: close/gim)).toHaveLength(1);
});

test("a client that leaves with requests that wait for their turn leaves nothing behind", async () => {
  const upstream = await rawUpstream(() => {});
  const { url } = await gatewayTo(upstream.url);
  await speak(url, message("GET /open HTTP/1.1", "Host: g").repeat(100), null, 300);
  await expect.poll(() => upstream.sockets.length).toBe(MOST_AT_ONCE + 1);
  await expect.poll(() => upstream.sockets.every(({ destroyed }) => destroyed)).toBe(true);
  expect(upstream.sockets).toHaveLength(MOST_AT_ONCE + 1);
});

test("a client that leaves with requests in its pipeline leaves nothing behind", async () => {
  const upstream = await rawUpstream(() => {});
  const { url } = await gatewayTo(upstream.url);
  await speak(url, message("GET /open HTTP/1.1", "Host: g").repeat(5), null, 300);
  await expect.poll(() => upstream.sockets.length).toBe(5);
  await expect.poll(() => upstream.sockets.every(({ destroyed }) => destroyed)).toBe(true);
});

test("an observer gets each request of a pipeline once, also one whose response waits when the client leaves", async () => {
  // The first gets no answer; those behind it have theirs, and wait.
  const upstream = await rawUpstream((socket, bytes) => {
    if (!bytes.includes("/open/0 ")) echoing(socket, bytes);
  });
  const observed: string[] = [];
  const observer = {
    onEvent: () => {},
    onExchange: ({ request }: Exchange) => void observed.push(request.target),
  };
  const { url } = await gatewayTo(upstream.url, {}, WIRE_WORLD, new Map(), observer);
  const all = Array.from({ length: 5 }, (_, i) => message(`GET /open/${i} HTTP/1.1`, "Host: g"));
  const leaving = speak(url, all.join(""), null, 300);
  await expect.poll(() => upstream.transcript().match(/\/open\/\d /g)?.length).toBe(5);
  await leaving;
  await expect.poll(() => observed.length).toBeGreaterThanOrEqual(5);
  expect(observed.toSorted()).toEqual(all.map((_, i) => `/open/${i}`));
});
