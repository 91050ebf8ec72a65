// A gateway that changes or ends while requests are under way.
import { Agent, get, type IncomingMessage } from "node:http";
import { setTimeout as sleep } from "node:timers/promises";
import { expect, test } from "vitest";
import { micros } from "#src/kit/units.ts";
import { echoing, gatewayTo, message, rawUpstream, readWorld, speak, statuses } from "./wire.ts";

const REQUEST = message("GET /open HTTP/1.1", "Host: g");
const NOWHERE = message("GET /nowhere HTTP/1.1", "Host: g");
const WHOLE = /GET \/open[^]*\r\n\r\n$/;

test("fifty reloads under load drop no request", async () => {
  const upstreams = [await rawUpstream(echoing), await rawUpstream(echoing)] as const;
  const world = (index: 0 | 1): unknown => ({
    apis: { open: { listen: "/open", keyless: true, target: upstreams[index].url.href } },
  });
  const { url, reload } = await gatewayTo(null, {}, world(0));
  const seen: number[] = [];
  let reloads = 0;
  const isLoaded = (): boolean =>
    reloads === 50 && seen.length > 16 && upstreams.every(({ sockets }) => sockets.length > 1);
  const client = async (): Promise<void> => {
    while (!isLoaded()) seen.push(...statuses((await speak(url, REQUEST, WHOLE)).text));
  };
  const clients = Array.from({ length: 8 }, client);
  while (reloads < 50) {
    await sleep(10);
    reload(readWorld(world(reloads++ % 2 === 0 ? 1 : 0)));
  }
  await Promise.all(clients);
  expect(seen.filter((status) => status !== 200)).toEqual([]);
});

test("a gateway that drains responds to running requests with Connection: close, and ends", async () => {
  const { promise: mayAnswer, resolve: answer } = Promise.withResolvers<void>();
  const upstream = await rawUpstream(
    (socket, received) => void mayAnswer.then(() => echoing(socket, received)),
  );
  const { url, drain } = await gatewayTo(upstream.url);
  const running = Array.from({ length: 20 }, () => speak(url, REQUEST, null));
  await expect.poll(() => upstream.sockets.length).toBe(20);
  const idle = speak(url, "", null);
  await speak(url, NOWHERE, /404/); // connections are accepted in their order
  const drained = drain();
  expect((await idle).ended).toBe("closed");
  expect((await speak(url, REQUEST, WHOLE)).ended).toBe("reset");
  answer();
  for (const { text, ended } of await Promise.all(running)) {
    expect(statuses(text)).toEqual([200]);
    expect(text.toLowerCase()).toContain("connection: close");
    expect(ended).toBe("closed");
  }
  await drained;
  await expect.poll(() => upstream.sockets.every(({ destroyed }) => destroyed)).toBe(true);
});

test("a client that sends one request after the other loses none to a drain", async () => {
  const { url, drain } = await gatewayTo(null);
  const agent = new Agent({ keepAlive: true, maxSockets: 1 });
  const getOpen = async (): Promise<IncomingMessage> => {
    const answer = await new Promise<IncomingMessage>((resolve, reject) => {
      get(new URL("/open", url), { agent }, resolve).on("error", reject);
    });
    await answer.resume().toArray();
    return answer;
  };
  const before = await getOpen();
  await sleep(20);
  const drained = drain();
  await sleep(20);
  const after = await getOpen();
  expect([before, after].map(({ statusCode }) => statusCode)).toEqual([200, 200]);
  expect([before, after].map(({ headers }) => headers.connection)).toEqual(["keep-alive", "close"]);
  await drained;
});

test("a client that drips its request does not keep a gateway from draining", async () => {
  const { url, drain } = await gatewayTo(null, { drainTimeoutUs: micros(300_000) });
  const dripping = speak(url, "GET /open HT");
  await speak(url, NOWHERE, /404/);
  await drain();
  expect((await dripping).ended).not.toBe("open");
});
