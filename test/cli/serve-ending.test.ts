import { spawn } from "node:child_process";
import { once } from "node:events";
import { createServer, type ServerResponse } from "node:http";
import { createServer as createTcpServer, type AddressInfo } from "node:net";
import { expect, onTestFinished, test } from "vitest";
import { entry } from "../built.ts";
import {
  AS_IT_IS,
  sendRequest,
  CONFIG,
  FILES,
  secretIn,
  serving,
  type Serving,
} from "./serving.ts";
import { folderWith, quietEnvironment } from "./weir.ts";

/** An upstream that responds on command, and a request that waits for it. */
async function underWay(
  settings = "",
  environment: NodeJS.ProcessEnv = AS_IT_IS,
): Promise<{
  readonly server: Serving;
  readonly answered: Promise<string>;
  readonly finish: () => void;
}> {
  const upstream = createServer();
  await new Promise<void>((resolve) => upstream.listen(0, "127.0.0.1", resolve));
  onTestFinished(() => (upstream.closeAllConnections(), void upstream.close()));
  const { port } = upstream.address() as AddressInfo;
  const weirYaml = `world: world.yaml\nupstream: http://127.0.0.1:${port}\n${settings}`;
  const folder = folderWith({ ...FILES, "conf/weir.yaml": weirYaml });
  const server = await serving(folder, CONFIG, environment);
  const received = once(upstream, "request") as Promise<[unknown, ServerResponse]>;
  const answered = sendRequest(`${server.gateway}/orders`, { authorization: "alice" }).then(
    ({ status, text }) => `${status} ${text}`,
    () => "broken off",
  );
  const [, to] = await received;
  return { server, answered, finish: () => void to.end("late") };
}

test.each([
  ["SIGTERM", "with records", {}],
  ["SIGINT", "with a world", AS_IT_IS],
] as const)(
  "%s lets what is running end, takes nothing new, and ends well (%s)",
  async (signal, _, environment) => {
    const { server, answered, finish } = await underWay("", environment);
    server.kill(signal);
    await server.waitFor("another signal stops at once");
    await expect(sendRequest(`${server.gateway}/orders`)).rejects.toThrow(
      /ECONNREFUSED|ECONNRESET/,
    );
    finish();
    expect(await answered).toBe("200 late");
    expect(await server.exit).toBe(0);
  },
);

test("a second signal stops at once", async () => {
  const { server, answered } = await underWay();
  server.kill("SIGTERM");
  await server.waitFor("another signal stops at once");
  server.kill("SIGTERM");
  expect(await answered).toBe("broken off");
  expect(await server.exit).toBe(130);
});

test("what runs longer than the drain time is broken off", async () => {
  const { server, answered } = await underWay("drain: 300ms\n");
  server.kill("SIGTERM");
  expect(await answered).toBe("broken off");
  expect(await server.exit).toBe(0);
});

test("a gateway continues after the reader of its messages has left", async () => {
  const server = await serving(folderWith(FILES), CONFIG, AS_IT_IS);
  server.leave();
  for (let i = 0; i < 3; i++) {
    server.kill("SIGHUP");
    expect((await sendRequest(`${server.gateway}/hello`)).status).toBe(200);
    await new Promise((resolve) => setTimeout(resolve, 300));
  }
  expect((await sendRequest(`${server.gateway}/hello`)).status).toBe(200);
  server.kill("SIGTERM");
  expect(await server.exit).toBe(0);
});

test("who was killed in the middle starts again with the secret it had", async () => {
  const folder = folderWith(FILES);
  const first = await serving(folder, CONFIG);
  const secret = secretIn(folder);
  first.kill("SIGKILL");
  expect(await first.exit).toBeNull();
  const { admin } = await serving(folder, CONFIG);
  const again = await sendRequest(`${admin}/admin/reload`, {
    method: "POST",
    "admin-auth": secret,
  });
  expect(again.status).toBe(200);
});

/** The start waits for a store that closes its one connection; the store sends the signal. */
async function startWithSignal(signal: NodeJS.Signals) {
  const store = createTcpServer((socket) => {
    socket.destroy();
    store.close(); // no second connection sends another one
    child.kill(signal);
  });
  await new Promise<void>((resolve) => store.listen(0, "127.0.0.1", resolve));
  const { port } = store.address() as AddressInfo;
  const child = spawn(process.execPath, [entry(), "serve", ...CONFIG], {
    cwd: folderWith(FILES),
    env: {
      ...quietEnvironment,
      WEIR_LISTEN_PORT: "0",
      WEIR_ADMIN_PORT: "0",
      WEIR_STORE_URL: `redis://127.0.0.1:${port}`,
      WEIR_STORE_REQUIRED: "false",
    },
    stdio: ["ignore", "ignore", "pipe"],
  });
  onTestFinished(() => void child.kill("SIGKILL"));
  let output = "";
  let isEnding = false;
  child.stderr.setEncoding("utf8");
  child.stderr.on("data", (text: string) => {
    output += text;
    const isOver = /^weir: reloaded/m.test(output) && /^ready$/m.test(output);
    if (isOver && !isEnding) isEnding = child.kill("SIGTERM");
  });
  const [code, endedBy] = (await once(child, "close")) as [number | null, string | null];
  return { code, endedBy, output };
}

test("a reload that is wanted during the start follows it", async () => {
  const { code, endedBy, output } = await startWithSignal("SIGHUP");
  expect({ code, endedBy }).toEqual({ code: 0, endedBy: null });
  expect(output).toMatch(/^weir: SIGHUP: the reload follows the start$/m);
  expect(output).toMatch(/^ready$/m);
  expect(output).toMatch(/^weir: reloaded: the settings$/m);
});

test.each(["SIGTERM", "SIGINT"] as const)("%s during the start ends it", async (signal) => {
  const { code, endedBy, output } = await startWithSignal(signal);
  expect({ code, endedBy }).toEqual({ code: 0, endedBy: null });
  expect(output).toMatch(
    new RegExp(`^weir: ${signal}: the start ends after its present step`, "m"),
  );
  expect(output).not.toMatch(/^ready$/m);
});
