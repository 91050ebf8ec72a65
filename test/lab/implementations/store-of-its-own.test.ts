// An implementation that counts in Redis gets one of its own, which ends with the run, however that ends.
import { spawn } from "node:child_process";
import { once } from "node:events";
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { connect } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { isRedisThere } from "#src/lab/drivers/own-redis.node.ts";
import { createStarter } from "#src/lab/drivers/started.node.ts";
import { findImplementation } from "#src/lab/implementations/catalogue.node.ts";
import { requireValue } from "#src/kit/reading/failure.ts";

/** Starts a server as its child, and shows the port of its Redis. */
const SERVER = `import { spawn } from "node:child_process";
import { createServer } from "node:http";
import { readFileSync } from "node:fs";
if (process.argv[3] === undefined) spawn(process.execPath, [process.argv[1], process.argv[2], "child"]);
else createServer((request, response) => {
  response.statusCode = request.url === "/weir-ready" ? 204 : 200;
  response.end(request.url === "/weir-ready" ? "" : readFileSync("redis.json"));
}).listen(Number(process.argv[2]), "127.0.0.1");
`;

const TRANSLATE = `export const translate = ({ limits }, { redis }) =>
  limits.length > 0
    ? { cannot: ["it has no limit, with Redis at " + redis.port] }
    : { files: { "redis.json": JSON.stringify(redis) }, enforces: [] };
`;

const MANIFEST = `name: Test server
about: Serves.
version: 1.0.0
kind: http
install: { registry: none }
start: ["{node}", "{folder}/server.mjs", "{port}"]
ready: { within: 60s }
clock: real
model: {}
capabilities: { scopes: [key], store: redis }
`;

const NO_LIMITS = { apis: [], credentials: [], limits: [] };
const UPSTREAM = new URL("http://127.0.0.1:1");

let dir: string;
beforeEach(() => {
  dir = mkdtempSync(join(tmpdir(), "weir-own-store-"));
  mkdirSync(join(dir, "server"));
  writeFileSync(join(dir, "server/manifest.yaml"), MANIFEST);
  writeFileSync(join(dir, "server/translate.js"), TRANSLATE);
  writeFileSync(join(dir, "server/server.mjs"), SERVER);
});
afterEach(() => rmSync(dir, { recursive: true, force: true }));

const accepts = (port: number): Promise<boolean> =>
  new Promise((resolve) => {
    const socket = connect(port, "127.0.0.1");
    socket.once("error", () => resolve(false));
    socket.once("connect", () => {
      socket.destroy();
      resolve(true);
    });
  });

async function waitUntilClosed(ports: readonly number[]): Promise<void> {
  for (const port of ports)
    for (let waitedMs = 0; waitedMs < 60_000 && (await accepts(port)); waitedMs += 50)
      await sleep(50);
  expect(await Promise.all(ports.map(accepts))).toEqual(ports.map(() => false));
}

const redisOf = async (url: URL): Promise<number> => {
  const response = await fetch(new URL("/", url), { headers: { connection: "close" } });
  return ((await response.json()) as { readonly port: number }).port;
};

describe.runIf(isRedisThere())("a store of its own", () => {
  test("ends with the worlds of a run", async () => {
    const starter = createStarter(requireValue(await findImplementation(join(dir, "server"))));
    const served = await starter.start(NO_LIMITS, UPSTREAM);
    const ports = [Number(served.url.port), await redisOf(served.url)];
    expect(await Promise.all(ports.map(accepts))).toEqual([true, true]);
    await served.stop();
    await starter.close();
    await waitUntilClosed(ports);
  });

  test("ends if Weir is killed, and so does what the server started", async () => {
    const weir = spawn(
      process.execPath,
      ["--input-type=module", "-e", programOf(join(dir, "server"))],
      {
        stdio: ["ignore", "pipe", "inherit"],
      },
    );
    let ports: readonly number[] = [];
    try {
      const [url] = (await once(weir.stdout, "data")) as [Buffer];
      ports = [Number(new URL(url.toString()).port), await redisOf(new URL(url.toString()))];
      expect(await Promise.all(ports.map(accepts))).toEqual([true, true]);
    } finally {
      weir.kill("SIGKILL");
      weir.stdout.destroy();
    }
    await waitUntilClosed(ports);
  });

  test("is not left by a world that cannot be expressed", async () => {
    const starter = createStarter(requireValue(await findImplementation(join(dir, "server"))));
    const limit = { scope: "key", rate: 1, perUs: 1, burst: 1, places: [] };
    const wanted = { ...NO_LIMITS, limits: [limit] } as unknown as typeof NO_LIMITS;
    const why = await starter.start(wanted, UPSTREAM).then(
      () => "it was started",
      (error: unknown) => (error instanceof Error ? error.message : ""),
    );
    expect(why).toMatch(/^it has no limit, with Redis at \d+$/);
    const port = Number(/\d+$/.exec(why)![0]);
    await starter.close();
    await waitUntilClosed([port]);
  });
});

const source = (path: string): string =>
  JSON.stringify(new URL(`../../../src/${path}`, import.meta.url).href);

const programOf = (folder: string): string => `
import { createStarter } from ${source("lab/drivers/started.node.ts")};
import { findImplementation } from ${source("lab/implementations/catalogue.node.ts")};
const starter = createStarter(await findImplementation(${JSON.stringify(folder)}));
const { url } = await starter.start(${JSON.stringify(NO_LIMITS)}, new URL(${JSON.stringify(UPSTREAM.href)}));
process.stdout.write(url.href);
`;
