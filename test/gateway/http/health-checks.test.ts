// Checks of upstreams: none waits for another one, and none for ever.
import { expect, test } from "vitest";
import { micros, MILLISECOND } from "#src/kit/units.ts";
import { createCircuit } from "#src/gateway/http/circuit.ts";
import { checkHealth } from "#src/gateway/http/health-checks.node.ts";
import { serveUpstreams, upstreamAt, worldTo } from "./upstreams.ts";
import { rawUpstream } from "./wire.ts";

const CHECKS = {
  healthPath: "/health",
  healthIntervalUs: micros(20 * MILLISECOND),
  healthTimeoutUs: micros(100 * MILLISECOND),
};
/** No check of an upstream that responds fails on a busy machine. */
const PATIENT = { ...CHECKS, healthTimeoutUs: micros(60_000 * MILLISECOND) };

test("a check whose response never ends has failed, and the next one begins", async () => {
  let isWell = false;
  const { url, sockets } = await rawUpstream((socket) => {
    if (isWell) {
      socket.write("HTTP/1.1 200 OK\r\nContent-Length: 0\r\n\r\n");
      return;
    }
    socket.write("HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n");
    const drip = setInterval(() => socket.write("1\r\na\r\n"), 10);
    socket.on("close", () => clearInterval(drip));
  });
  const well = await upstreamAt();
  const { values } = await serveUpstreams([url.origin, well.origin], CHECKS);
  await expect.poll(() => values("weir_upstream_up")).toEqual([0, 1]);
  await expect.poll(() => sockets.length).toBeGreaterThan(2);
  isWell = true;
  await expect.poll(() => values("weir_upstream_up")).toEqual([1, 1]);
});

test("an upstream that a reload takes away is checked no more, and has no more changes", async () => {
  let status = 200;
  const [stays, goes] = [await upstreamAt(), await upstreamAt(0, () => status)];
  const origins: string[] = [];
  const { reload, values } = await serveUpstreams([stays.origin, goes.origin], PATIENT, {
    observer: {
      onEvent: () => {},
      onExchange: null,
      onUpstreamChange: (origin) => void origins.push(origin),
    },
  });
  reload(worldTo(stays.origin));
  status = 500;
  const before = [goes.paths.length, stays.paths.length] as const;
  await expect.poll(() => stays.paths.length - before[1]).toBeGreaterThan(4);
  expect(goes.paths.length - before[0]).toBeLessThan(2); // one may have been on its way
  expect(await values("weir_upstream_up")).toEqual([1]);
  expect(origins).toEqual([]);
});

test("checks that end find nothing wrong with an upstream", async () => {
  const { url, sockets } = await rawUpstream((socket) => {
    if (socket === sockets[0]) socket.destroy(); // and the second one waits
  });
  const circuit = createCircuit(url.origin);
  const leave = checkHealth({
    path: "/",
    intervalMs: 5,
    timeoutMs: 60_000,
    circuits: () => [circuit],
    onChange: () => {},
  });
  await expect.poll(() => sockets.length).toBe(2);
  leave();
  await expect.poll(() => sockets[1]!.destroyed).toBe(true);
  await new Promise(setImmediate);
  expect(circuit.isHealthy).toBe(true);
});
