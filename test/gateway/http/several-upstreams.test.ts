// Several upstreams of an API, and upstreams that fail: who gets requests, and what is sent once more.
import { expect, test } from "vitest";
import { micros, MILLISECOND } from "#src/kit/units.ts";
import { loggerTo, observerOf } from "#src/gateway/http/access-log.node.ts";
import { choose } from "#src/gateway/http/circuit.ts";
import { serveUpstreams, times, upstreamAt, worldTo } from "./upstreams.ts";
import { message, rawUpstream, speak, statuses } from "./wire.ts";

test("requests are shared by weight, each with the path of its upstream", async () => {
  const [one, two] = [await upstreamAt(), await upstreamAt()];
  const { get } = await serveUpstreams([`${one.origin}/base`, { url: two.origin, weight: 3 }]);
  expect(await times(8, get)).toEqual(Array(8).fill(200));
  expect(one.paths).toEqual(Array(2).fill("/base/open/x"));
  expect(two.paths).toEqual(Array(6).fill("/open/x"));
});

test("weights are kept without bursts", () => {
  const choice = (weight: number) => ({ weight, upstream: { circuit: null }, current: 0 });
  const [a, b, c] = [choice(5), choice(1), choice(1)];
  const names = new Map([
    [a, "a"],
    [b, "b"],
    [c, "c"],
  ]);
  const chosen = Array.from({ length: 7 }, () => names.get(choose([a, b, c], 0)!));
  expect(chosen.join("")).toBe("aabacaa");
});

test("a request to an upstream that is not there goes to another one, and is counted once", async () => {
  const [gone, there] = [await upstreamAt(), await upstreamAt()];
  gone.server.close();
  const { get, values, gateway } = await serveUpstreams([gone.origin, there.origin]);
  expect(await times(4, get)).toEqual([200, 200, 200, 200]);
  expect(there.paths).toHaveLength(4);
  expect(await values("weir_upstream_retries_total")).toEqual([2]);
  expect(await values("weir_decisions_total")).toEqual([4]);
  expect(gateway.limiter.health.failures).toBe(0);
});

test("the log names the upstream that answered, of two the second, and one that did not", async () => {
  const [gone, there] = [await upstreamAt(), await upstreamAt()];
  gone.server.close();
  const lines: unknown[] = [];
  const logger = loggerTo({ write: (line) => void lines.push(JSON.parse(line)) }, "info");
  const observer = observerOf(logger, () => false);
  const { get, url } = await serveUpstreams([gone.origin, there.origin], {}, { observer });
  expect(await times(2, get)).toEqual([200, 200]);
  await fetch(new URL("/nowhere", url));
  there.server.close();
  there.server.closeAllConnections();
  expect(await get()).toBe(502);
  const answered = {
    status: 200,
    upstream: there.origin,
    upstreamMs: expect.any(Number) as unknown,
  };
  await expect
    .poll(() => lines)
    .toMatchObject([
      answered, // sent to the one that is gone before
      answered,
      { status: 404, upstream: null, upstreamMs: null },
      { status: 502, upstream: there.origin, upstreamMs: null },
    ]);
});

test("an upstream whose check fails twice gets no requests until it succeeds", async () => {
  let status = 200;
  const [ill, well] = [await upstreamAt(0, () => status), await upstreamAt()];
  const { get, values } = await serveUpstreams([ill.origin, well.origin], {
    healthPath: "/health",
    healthIntervalUs: micros(20 * MILLISECOND),
  });
  status = 500;
  await expect.poll(() => values("weir_upstream_up")).toEqual([0, 1]);
  const before = well.paths.filter((path) => path === "/open/x").length;
  expect(await times(4, get)).toEqual([200, 200, 200, 200]);
  expect(well.paths.filter((path) => path === "/open/x").length - before).toBe(4);
  status = 200;
  await expect.poll(() => values("weir_upstream_up")).toEqual([1, 1]);
});

test("where no upstream is up, the answer is 503 with Retry-After", async () => {
  const ill = await upstreamAt(0, () => 500);
  const { url, values } = await serveUpstreams(ill.origin, {
    healthPath: "/health",
    healthIntervalUs: micros(20 * MILLISECOND),
  });
  await expect.poll(() => values("weir_upstream_up")).toEqual([0]);
  const { text } = await speak(url, message("GET /open HTTP/1.1", "Host: g"), /\}$/);
  expect(text).toMatch(
    /^HTTP\/1\.1 503 [^]*Retry-After: 1\r\n[^]*No upstream of this API responds/,
  );
});

test.each([
  ["/base", "", "/open", "/"],
  ["", "/base", "/open", "/base"],
  ["/a", "/b", "/open/x", "/b/x"],
  ["/a", "/b/c", "/open?q=/a", "/b/c?q=/a"],
  ["", "", "/open?q", "/?q"],
])("a retry from base %j to %j requests %s as %s", async (one, two, path, sent) => {
  const [gone, there] = [await upstreamAt(), await upstreamAt()];
  gone.server.close();
  const target = [`${gone.origin}${one}`, `${there.origin}${two}`];
  const configuration = worldTo(target, { strip_listen_path: true });
  const { url, values } = await serveUpstreams(null, { circuitFailures: 1 }, { configuration });
  const { text } = await speak(url, message(`GET ${path} HTTP/1.1`, "Host: g"), /\r\n\r\n/);
  expect(statuses(text)).toEqual([200]);
  expect(there.paths).toEqual([sent]);
  expect(await values("weir_upstream_up")).toEqual([0, 1]);
});

/** It closes the first connection when a request has come, and answers on all others. */
async function closingOnce(
  before = "",
): Promise<{ readonly url: URL; readonly transcript: () => string }> {
  const { url, transcript, sockets } = await rawUpstream((socket) => {
    if (socket === sockets[0]) socket.end(before);
    else socket.write("HTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\n{}");
  });
  return { url, transcript };
}

const requestOf = (method: string, body: string): string =>
  message(
    `${method} /open HTTP/1.1`,
    "Host: g",
    ...(body === "" ? [] : [`Content-Length: ${body.length}`]),
  ) + body;

test.each([
  ["GET", 0, true, 200],
  ["HEAD", 0, true, 200],
  ["OPTIONS", 0, true, 200],
  ["DELETE", 0, true, 200],
  ["PUT", 5, true, 200],
  ["PUT", 16_385, true, 502],
  ["POST", 0, true, 502],
  ["POST", 5, true, 502],
  ["PATCH", 5, true, 502],
  ["GET", 0, false, 502],
  ["PUT", 5, false, 502],
])(
  "%s with %d bytes on a connection that dies, retries %j: %d",
  async (method, length, retries, status) => {
    const body = length === 5 ? "small" : "x".repeat(length);
    const upstream = await closingOnce();
    const { url, values } = await serveUpstreams(upstream.url.href, { retries });
    const { text } = await speak(url, requestOf(method, body), /\r\n\r\n/);
    expect(statuses(text)).toEqual([status]);
    expect(await values("weir_upstream_retries_total")).toEqual([status === 200 ? 1 : 0]);
    const sent = upstream.transcript().split(`${method} /open`).length - 1;
    expect(sent).toBe(status === 200 ? 2 : 1);
    expect(upstream.transcript().match(/small/g) ?? []).toHaveLength(length === 5 ? sent : 0);
  },
);

test("a request is sent twice at most", async () => {
  const upstream = await rawUpstream((socket) => void socket.end());
  const { url } = await serveUpstreams(upstream.url.href);
  const { text } = await speak(url, requestOf("GET", ""), /\}$/);
  expect(statuses(text)).toEqual([502]);
  expect(upstream.sockets).toHaveLength(2);
});
