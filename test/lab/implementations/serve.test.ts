// How a server of others is started: each program here is a real process.
import { spawn, spawnSync } from "node:child_process";
import { once } from "node:events";
import { mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { createServer, type AddressInfo } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { findImplementation } from "#src/lab/implementations/catalogue.node.ts";
import { whyNotRunnable } from "#src/lab/implementations/home.node.ts";
import {
  serveImplementation,
  type ServedImplementation,
} from "#src/lab/implementations/serve.node.ts";
import type { WantedWorld } from "#src/lab/implementations/wanted.ts";
import { isFailure, requireValue, type Failure } from "#src/kit/reading/failure.ts";

const LIMIT = {
  id: "key 5/1000000",
  scope: "key",
  rate: 5,
  perUs: 1_000_000,
  burst: 5,
  isSmoothed: false,
  isForAll: false,
  by: "credential",
  places: [{ path: "/orders", below: [], endpoint: null, except: [], credentials: ["alice"] }],
} as const;

const WANTED: WantedWorld = {
  apis: [{ path: "/orders", isKeyless: false }],
  credentials: ["alice"],
  limits: [LIMIT],
};

/** Serves 204 on its port, and 200 with its configuration elsewhere. */
const SERVER = `import { createServer } from "node:http";
import { readFileSync } from "node:fs";
createServer((request, response) => {
  response.statusCode = request.url === "/weir-ready" ? 204 : 200;
  response.end(request.url === "/weir-ready" ? "" : readFileSync("limits.json"));
}).listen(Number(process.argv[2]), "127.0.0.1");
`;

/** Reads its configuration half a second after a signal, and is ready at the path of its generation alone. */
const GENERATIONS = `import { createServer } from "node:http";
import { readFileSync } from "node:fs";
let text = readFileSync("limits.json", "utf8");
process.on("SIGHUP", () => setTimeout(() => (text = readFileSync("limits.json", "utf8")), 500));
createServer((request, response) => {
  const isReady = request.url === "/weir-ready/" + JSON.parse(text).generation;
  response.statusCode = isReady ? 204 : request.url === "/limits" ? 200 : 404;
  response.end(isReady ? "" : text);
}).listen(Number(process.argv[2]), "127.0.0.1");
`;

/** Lists the requests that its own API got. */
const KEYS = `import { createServer } from "node:http";
const created = [];
createServer((request, response) => {
  if (request.url === "/weir-ready") return response.writeHead(204).end();
  if (request.url === "/limits") return response.end(JSON.stringify(created));
  if (request.url === "/reject") return response.writeHead(403).end("no such secret");
  request.setEncoding("utf8").on("data", (body) => {
    created.push([request.method, request.url, body].join(" "));
    response.end();
  });
}).listen(Number(process.argv[2]), "127.0.0.1");
`;

const withSetup = (
  path: string,
): string => `export const translate = ({ limits }, { generation }) => ({
  files: {},
  setup: [{ method: "POST", path: "${path}", headers: {}, body: "generation " + generation }],
  enforces: limits.map(({ id }) => id),
});
`;

const TRANSLATE = `export const translate = ({ limits }, { generation }) => ({
  files: { "limits.json": JSON.stringify({ generation, rate: limits[0].rate }) },
  enforces: limits.map(({ id }) => id),
});
`;

const manifest = (start: string, within: string, path: string): string => `name: Test server
about: Serves.
version: 1.0.0
kind: http
install: { registry: none }
start: ${start}
ready: { path: "${path}", within: ${within} }
clock: real
model: {}
capabilities: { scopes: [key], change: ${path.includes("{") ? "reload" : "restart"} }
`;

let dir: string;
beforeEach(() => {
  dir = mkdtempSync(join(tmpdir(), "weir-serve-"));
});
afterEach(() => rmSync(dir, { recursive: true, force: true }));

async function serve(
  start: string,
  {
    translate = TRANSLATE,
    within = "60s",
    path = "/weir-ready",
    firstPort,
  }: { translate?: string; within?: string; path?: string; firstPort?: number } = {},
): Promise<ServedImplementation | Failure> {
  const folder = join(dir, "server");
  mkdirSync(folder, { recursive: true });
  writeFileSync(join(folder, "manifest.yaml"), manifest(start, within, path));
  writeFileSync(join(folder, "server.mjs"), SERVER);
  writeFileSync(join(folder, "generations.mjs"), GENERATIONS);
  writeFileSync(join(folder, "keys.mjs"), KEYS);
  writeFileSync(join(folder, "translate.js"), translate);
  return serveImplementation({
    implementation: requireValue(await findImplementation(folder)),
    wanted: WANTED,
    upstream: new URL("http://127.0.0.1:1"),
    redis: null,
    ...(firstPort === undefined ? {} : { firstPort }),
  });
}

const NORMAL = '["{node}", "{folder}/server.mjs", "{port}"]';

const limitsOf = async ({ url }: ServedImplementation): Promise<unknown> =>
  (await fetch(new URL("/limits", url), { headers: { connection: "close" } })).json();

test("a server has the configuration of its world, and a restart changes it on the same port", async () => {
  const served = requireValue(await serve(NORMAL));
  try {
    expect(await limitsOf(served)).toEqual({ generation: 1, rate: 5 });
    const changed = await served.change({ ...WANTED, limits: [{ ...LIMIT, rate: 7 }] });
    expect(changed).toBeNull();
    expect(await limitsOf(served)).toEqual({ generation: 2, rate: 7 });
  } finally {
    await served.stop();
  }
  await expect(limitsOf(served)).rejects.toThrow("fetch failed");
});

test("a path with the generation shows which configuration is effective", async () => {
  const start = '["{node}", "{folder}/generations.mjs", "{port}"]';
  const served = requireValue(await serve(start, { path: "/weir-ready/{generation}" }));
  try {
    expect(await served.change({ ...WANTED, limits: [{ ...LIMIT, rate: 7 }] })).toBeNull();
    expect(await limitsOf(served)).toEqual({ generation: 2, rate: 7 });
  } finally {
    await served.stop();
  }
});

test("requests of a setup are sent once it is ready, and again after each change", async () => {
  const translate = withSetup("/keys/alice");
  const served = requireValue(
    await serve('["{node}", "{folder}/keys.mjs", "{port}"]', { translate }),
  );
  try {
    expect(served.hasSetup).toBe(true);
    expect(await limitsOf(served)).toEqual(["POST /keys/alice generation 1"]);
    expect(await served.change(WANTED)).toBeNull();
    expect(await limitsOf(served)).toEqual(["POST /keys/alice generation 2"]);
  } finally {
    await served.stop();
  }
});

test("a setup that is rejected is an error with the response", async () => {
  const translate = withSetup("/reject");
  await expect(serve('["{node}", "{folder}/keys.mjs", "{port}"]', { translate })).rejects.toThrow(
    /^Test server: POST \/reject gives 403: no such secret$/,
  );
});

test("another port is selected if a program has taken the first one", async () => {
  const other = createServer((socket) => socket.destroy()).listen(0, "127.0.0.1");
  await once(other, "listening");
  const { port } = other.address() as AddressInfo;
  const served = requireValue(await serve(NORMAL, { firstPort: port }));
  try {
    expect(Number(served.url.port)).not.toBe(port);
    expect(await limitsOf(served)).toEqual({ generation: 1, rate: 5 });
  } finally {
    await served.stop();
    other.close();
  }
});

test("a program that ends at once is an error with its last words", async () => {
  await expect(serve('[sh, -c, "echo no such option >&2; exit 7"]')).rejects.toThrow(
    "Test server ended with code 7: no such option",
  );
});

test("a program that does not exist is an error with its name", async () => {
  await expect(serve("[there-is-no-such-program]")).rejects.toThrow("there-is-no-such-program");
});

test("a program that hangs is an error with the time and the path", async () => {
  await expect(serve("[sleep, '100']", { within: "2s" })).rejects.toThrow(
    "Test server is not ready within 2 s: GET /weir-ready gives no response; if it only starts slowly, raise ready.within in its manifest",
  );
});

test("a world that cannot be expressed is a failure with the sentences", async () => {
  const refused = await serve(NORMAL, {
    translate: 'export const translate = () => ({ cannot: ["Test server has no limit"] });',
  });
  expect(isFailure(refused) && refused.message).toBe("Test server has no limit");
});

test.each(["undefined", "{ cannot: [] }", "{ files: {} }"])(
  "a translator that returns %s is an error with its file",
  async (returned) => {
    const translate = `export const translate = () => (${returned});`;
    await expect(serve(NORMAL, { translate })).rejects.toThrow(
      /translate\.js translated a world to .*; return \{ files, enforces \}/,
    );
  },
);

test("a translator that leaves a limit out stops the run", async () => {
  const silent = "export const translate = () => ({ files: {}, enforces: [] });";
  await expect(serve(NORMAL, { translate: silent })).rejects.toThrow(
    "the translator of Test server left out 5 per 1s (key) without a reason",
  );
});

test("a server that ends by itself is reported", async () => {
  const served = requireValue(
    await serve('[sh, -c, "timeout 1 {node} {folder}/server.mjs {port}"]'),
  );
  expect(await served.exited).toBe("Test server ended with code 124");
  await served.stop();
});

const nginx = requireValue(await findImplementation("nginx"));

describe.runIf(whyNotRunnable(nginx) === null)("nginx", () => {
  const processesIn = (name: string): readonly string[] =>
    spawnSync("ps", ["-eo", "pid,args"], { encoding: "utf8" })
      .stdout.split("\n")
      .filter((line) => line.includes(name) && line.includes("nginx"));

  test("leaves no process if weir is killed", async () => {
    const weir = spawn(process.execPath, ["--input-type=module", "-e", KILLED], {
      env: { ...process.env, TMPDIR: dir },
      stdio: ["ignore", "pipe", "inherit"],
    });
    let name = "";
    try {
      await once(weir.stdout, "data");
      [name = ""] = readdirSync(dir).filter((each) => each.startsWith("weir-nginx-"));
      const pid = Number(readFileSync(join(dir, name, "nginx.pid"), "utf8"));
      expect(processesIn(name).some((line) => line.includes(`${pid}`))).toBe(true);
    } finally {
      weir.kill("SIGKILL");
      weir.stdout.destroy();
    }
    for (let waited = 0; waited < 60_000 && processesIn(name).length > 0; waited += 50)
      await sleep(50);
    expect(processesIn(name)).toEqual([]);
    await expect.poll(() => readdirSync(dir).filter((each) => each === name)).toEqual([]);
  });

  test("counts on after a reload, by the new limit", async () => {
    const served = requireValue(
      await serveImplementation({
        implementation: nginx,
        wanted: { ...WANTED, limits: [{ ...LIMIT, perUs: 60_000_000 }] },
        upstream: new URL("http://127.0.0.1:1"), // 502 for each admitted request
        redis: null,
      }),
    );
    const statuses = async (count: number): Promise<readonly number[]> => {
      const all: number[] = [];
      for (let i = 0; i < count; i++) {
        const url = new URL("/orders", served.url);
        all.push((await fetch(url, { headers: { authorization: "alice" } })).status);
      }
      return all;
    };
    try {
      expect(await statuses(6)).toEqual([502, 502, 502, 502, 502, 429]);
      const wanted = { ...WANTED, limits: [{ ...LIMIT, rate: 8, burst: 8, perUs: 60_000_000 }] };
      expect(await served.change(wanted)).toBeNull();
      expect(await statuses(5)).toEqual([502, 502, 502, 429, 429]);
    } finally {
      await served.stop();
    }
  });
});

const KILLED = `
import { findImplementation } from ${JSON.stringify(new URL("../../../src/lab/implementations/catalogue.node.ts", import.meta.url).href)};
import { serveImplementation } from ${JSON.stringify(new URL("../../../src/lab/implementations/serve.node.ts", import.meta.url).href)};
const implementation = await findImplementation("nginx");
await serveImplementation({ implementation, wanted: ${JSON.stringify(WANTED)}, upstream: new URL("http://127.0.0.1:1"), redis: null });
process.stdout.write("serves");
`;
