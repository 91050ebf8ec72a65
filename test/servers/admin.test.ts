import { connect } from "node:net";
import { setTimeout as sleep } from "node:timers/promises";
import { expect, onTestFinished, test } from "vitest";
import { adminJson, isSecret, serveAdmin, type AdminServer } from "../../src/servers/admin.node.ts";

async function served(): Promise<AdminServer & { readonly asked: string[] }> {
  const asked: string[] = [];
  const server = await serveAdmin({
    host: "127.0.0.1",
    port: 0,
    secret: () => "sesame",
    routes: [
      {
        method: "POST",
        path: "/echo",
        answer: (body) => {
          asked.push(body);
          return adminJson(200, body.length);
        },
      },
      {
        method: "POST",
        path: "/fault",
        answer: () => {
          throw new Error("the inside of the gateway");
        },
      },
    ],
    pages: new Map([["/page", (_from, to) => void to.end("open")]]),
  });
  onTestFinished(server.close);
  return { ...server, asked };
}

const post = (url: URL, path: string, body = ""): Promise<Response> =>
  fetch(new URL(path, url), { method: "POST", body, headers: { "admin-auth": "sesame" } });

test.each([
  ["sesame", "sesame", true],
  ["sesam", "sesame", false],
  ["sesame ", "sesame", false],
  [undefined, "sesame", false],
  [["sesame", "sesame"], "sesame", false],
  ["", "", false],
  [undefined, "", false],
])("%j opens what %j guards: %j", (said, secret, opens) => {
  expect(isSecret(said, secret)).toBe(opens);
});

test("a fault of the gateway is told without its inside", async () => {
  const { url } = await served();
  const answer = await post(url, "/fault");
  expect(answer.status).toBe(500);
  expect(await answer.json()).toEqual({
    Status: "Error",
    Message: "This is a fault of the gateway itself",
    Meta: null,
  });
});

test("a body may be a mebibyte long, and no byte longer", async () => {
  const { url, asked } = await served();
  expect(await (await post(url, "/echo", "x".repeat(1_048_576))).json()).toBe(1_048_576);
  expect(asked).toHaveLength(1);
  // Whoever still writes may lose the connection before it reads.
  const longer = await post(url, "/echo", "x".repeat(1_048_577)).then(
    ({ status }) => status,
    () => 413,
  );
  expect(longer).toBe(413);
  expect(asked).toHaveLength(1);
});

test("who breaks off, or speaks no HTTP, disturbs nobody", async () => {
  const { url, asked } = await served();
  const head =
    "POST /echo HTTP/1.1\r\nHost: a\r\nAdmin-Auth: sesame\r\nContent-Length: 9\r\n\r\nhalf";
  for (const bytes of [head, "GET\r\n\r\n", "\0\0\0\0", head.slice(0, -20)]) {
    const socket = connect(Number(url.port), url.hostname);
    socket.on("error", () => {});
    socket.write(bytes);
    await sleep(30);
    socket.destroy();
  }
  expect(asked).toEqual([]);
  expect(await (await fetch(new URL("/page", url))).text()).toBe("open");
  expect((await post(url, "/echo", "whole")).status).toBe(200);
});
