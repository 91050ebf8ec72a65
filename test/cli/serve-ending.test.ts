import { once } from "node:events";
import { createServer, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import { expect, onTestFinished, test } from "vitest";
import { ask, CONFIG, FILES, secretIn, serving, type Serving } from "./serving.ts";
import { folderWith } from "./weir.ts";

/** An upstream that answers when it is told to, and a request that waits for it. */
async function underWay(settings = ""): Promise<{
  readonly server: Serving;
  readonly answered: Promise<string>;
  readonly finish: () => void;
}> {
  const upstream = createServer();
  await new Promise<void>((resolve) => upstream.listen(0, "127.0.0.1", resolve));
  onTestFinished(() => (upstream.closeAllConnections(), void upstream.close()));
  const { port } = upstream.address() as AddressInfo;
  const weirYaml = `world: world.yaml\nupstream: http://127.0.0.1:${port}\n${settings}`;
  const server = await serving(folderWith({ ...FILES, "conf/weir.yaml": weirYaml }), CONFIG);
  const asked = once(upstream, "request") as Promise<[unknown, ServerResponse]>;
  const answered = ask(`${server.gateway}/orders`, { authorization: "alice" }).then(
    ({ status, text }) => `${status} ${text}`,
    () => "broken off",
  );
  const [, to] = await asked;
  return { server, answered, finish: () => void to.end("late") };
}

test.each(["SIGTERM", "SIGINT"] as const)(
  "%s lets what is running end, takes nothing new, and ends well",
  async (signal) => {
    const { server, answered, finish } = await underWay();
    server.kill(signal);
    await server.hears("another signal stops at once");
    await expect(ask(`${server.gateway}/orders`)).rejects.toThrow(/ECONNREFUSED|ECONNRESET/);
    finish();
    expect(await answered).toBe("200 late");
    expect(await server.exit).toBe(0);
  },
);

test("a second signal stops at once", async () => {
  const { server, answered } = await underWay();
  server.kill("SIGTERM");
  await server.hears("another signal stops at once");
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

test("a gateway goes on where nobody reads its messages any more", async () => {
  const server = await serving(folderWith(FILES), CONFIG);
  server.leave();
  for (let i = 0; i < 3; i++) {
    server.kill("SIGHUP");
    expect((await ask(`${server.gateway}/hello`)).status).toBe(200);
    await new Promise((resolve) => setTimeout(resolve, 300));
  }
  expect((await ask(`${server.gateway}/hello`)).status).toBe(200);
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
  const again = await ask(`${admin}/admin/reload`, { method: "POST", "admin-auth": secret });
  expect(again.status).toBe(200);
});
