// Reloads while requests are on their way: none is lost, and none brings back what was taken away.
import { connect } from "node:net";
import { text } from "node:stream/consumers";
import { expect, onTestFinished, test } from "vitest";
import { serveUpstreams, times, upstreamAt, worldTo } from "./upstreams.ts";
import { message, rawUpstream, readWorld, speak, statuses } from "./wire.ts";

const PUT = message("PUT /open/x HTTP/1.1", "Host: g", "Content-Length: 5", "Connection: close");
const WATCHED = { circuitFailures: 5 };

const without = readWorld({ apis: { other: { listen: "/other", keyless: true } } });

test.each([
  ["leads elsewhere", (to: string) => worldTo(to)],
  ["takes the API away", () => without],
])("a body that is still coming when a reload %s is not lost", async (_, next) => {
  const [before, after] = [await upstreamAt(), await upstreamAt()];
  let decided = 0;
  const { url, reload, circuits } = await serveUpstreams(before.origin, WATCHED, {
    observer: { onEvent: () => {}, onExchange: null, onDecision: () => void decided++ },
  });
  const socket = connect(Number(url.port), url.hostname);
  onTestFinished(() => void socket.destroy());
  socket.write(PUT);
  await expect.poll(() => decided).toBe(1);
  reload(next(after.origin));
  socket.write("small");
  expect(statuses(await text(socket))).toEqual([200]);
  expect([before.paths, after.paths]).toEqual([["/open/x"], []]); // where it was decided to go
  expect(circuits().map(({ origin }) => origin)).not.toContain(before.origin);
});

/** It holds the first request until it is let go, and then closes; all others it answers. */
async function holding() {
  const {
    url,
    transcript: received,
    sockets,
  } = await rawUpstream((socket) => {
    if (socket !== sockets[0]) socket.write("HTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\n{}");
  });
  return { origin: url.origin, received, drop: () => sockets[0]!.end() };
}

test("a retry goes to an upstream that is still in use", async () => {
  const [held, gone] = [await holding(), await upstreamAt()];
  const { url, reload, circuits } = await serveUpstreams([held.origin, gone.origin], WATCHED);
  const answer = speak(url, message("GET /open HTTP/1.1", "Host: g"), /\r\n\r\n/);
  await expect.poll(held.received).toContain("GET");
  reload(worldTo(held.origin));
  held.drop();
  expect(statuses((await answer).text)).toEqual([200]);
  expect(gone.paths).toEqual([]);
  expect(circuits().map(({ origin }) => origin)).toEqual([held.origin]);
});

test("where a reload has taken all its upstreams away, a request is not sent again", async () => {
  const [held, gone, next] = [await holding(), await upstreamAt(), await upstreamAt()];
  const { url, reload, circuits } = await serveUpstreams([held.origin, gone.origin], WATCHED);
  const answer = speak(url, message("GET /open HTTP/1.1", "Host: g"), /\}$/);
  await expect.poll(held.received).toContain("GET");
  reload(worldTo(next.origin));
  held.drop();
  expect(statuses((await answer).text)).toEqual([502]);
  expect([gone.paths, next.paths]).toEqual([[], []]);
  expect(circuits().map(({ origin }) => origin)).toEqual([next.origin]);
});

test("a reload that leaves the upstreams of an API as they are leaves their turns as well", async () => {
  const [one, two] = [await upstreamAt(), await upstreamAt()];
  const target = [one.origin, { url: two.origin, weight: 3 }];
  const { get, reload } = await serveUpstreams(target);
  await times(8, () => {
    reload(worldTo(target, { rate: 1e5 }));
    return get();
  });
  expect([one.paths.length, two.paths.length]).toEqual([2, 6]);
  reload(worldTo([one.origin, two.origin]));
  await times(4, get);
  expect([one.paths.length, two.paths.length]).toEqual([4, 8]);
});

test("a watched upstream is in the metrics before it gets a request", async () => {
  const { values } = await serveUpstreams(["http://127.0.0.1:1", "http://127.0.0.1:2"], WATCHED);
  expect(await values("weir_upstream_up")).toEqual([1, 1]);
});
