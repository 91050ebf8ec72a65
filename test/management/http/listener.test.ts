import { once } from "node:events";
import { connect } from "node:net";
import { setTimeout as sleep } from "node:timers/promises";
import { expect, onTestFinished, test } from "vitest";
import { micros } from "../../../src/core/units.ts";
import { attempts } from "../../../src/management/http/attempts.ts";
import { adminJson } from "../../../src/management/http/doors.node.ts";
import { isSecret } from "../../../src/management/http/guard.node.ts";
import { listener, type Listener } from "../../../src/management/http/listener.node.ts";
import { DEFAULT_WIRE, type Wire } from "../../../src/gateway/http/wire.ts";

interface Served extends Listener {
  readonly asked: string[];
  readonly said: string[]; // to whoever runs it
  readonly clock: { seconds: number };
}

async function served(wire: Partial<Wire> = {}): Promise<Served> {
  const asked: string[] = [];
  const said: string[] = [];
  const clock = { seconds: 1_000 };
  const server = await listener({
    host: "127.0.0.1",
    port: 0,
    interfaces: null,
    wire: { ...DEFAULT_WIRE, ...wire },
    adminRoutes: {
      secret: () => "sesame",
      attempts: attempts(() => micros(clock.seconds * 1_000_000)),
      log: (line) => said.push(line),
      routes: [
        {
          method: "POST",
          path: "/echo",
          respond: (body) => {
            asked.push(body);
            return adminJson(200, body.length);
          },
        },
        {
          method: "POST",
          path: "/fault",
          respond: () => {
            throw new Error("the inside of the gateway");
          },
        },
      ],
    },
    pages: new Map([["/page", (_from, to) => void to.end("open")]]),
  });
  onTestFinished(server.stop);
  return { ...server, asked, said, clock };
}

const post = (url: URL, path: string, body = "", secret = "sesame"): Promise<Response> =>
  fetch(new URL(path, url), { method: "POST", body, headers: { "admin-auth": secret } });

test.each([
  ["sesame", "sesame", true],
  ["sesam", "sesame", false],
  ["sesame ", "sesame", false],
  [null, "sesame", false],
  ["", "", false],
  [null, "", false],
])("%j opens what %j guards: %j", (said, secret, opens) => {
  expect(isSecret(said, secret)).toBe(opens);
});

test("a fault of the gateway is told without its inside, which its owner reads", async () => {
  const { url, said } = await served();
  const answer = await post(url, "/fault");
  expect(said).toEqual([
    expect.stringMatching(
      /^weir: POST \/fault \(.+\) has failed: Error: the inside of the gateway\n +at /,
    ),
  ]);
  expect(answer.status).toBe(500);
  expect(await answer.json()).toEqual({
    Status: "Error",
    Message: "Internal error of the gateway",
    Meta: null,
  });
});

test("a body may be a mebibyte long, and no byte longer", async () => {
  const { url, asked } = await served();
  expect(await (await post(url, "/echo", "x".repeat(1_048_576))).json()).toBe(1_048_576);
  expect(asked).toHaveLength(1);
  expect((await post(url, "/echo", "x".repeat(2_200_000))).status).toBe(413);
  expect(asked).toHaveLength(1);
});

test("who breaks off, or speaks no HTTP, disturbs nobody", async () => {
  const { url, asked } = await served();
  const head =
    "POST /echo HTTP/1.1\r\nHost: localhost\r\nAdmin-Auth: sesame\r\nContent-Length: 9\r\n\r\nhalf";
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

const STOPS =
  "POST /echo HTTP/1.1\r\nHost: localhost\r\nAdmin-Auth: sesame\r\nContent-Length: 9\r\n\r\nhalf";

test("whoever stops within his body does not keep it from ending", async () => {
  const { url, asked, drain } = await served({ drainTimeoutUs: micros(100_000) });
  const socket = connect(Number(url.port), url.hostname);
  socket.on("error", () => {});
  socket.write(STOPS);
  await sleep(50);
  const gone = once(socket, "close");
  await drain();
  await gone;
  expect(asked).toEqual([]);
});

test.each([
  ["its body", "requestTimeoutUs", STOPS],
  ["its head", "requestHeadersTimeoutUs", STOPS.slice(0, 30)],
])("whoever stops within %s is told so, and let go", async (_, limit, bytes) => {
  const { url } = await served({
    requestHeadersTimeoutUs: micros(150_000),
    requestTimeoutUs: micros(300_000),
    [limit]: micros(150_000),
  });
  const socket = connect(Number(url.port), url.hostname);
  let told = "";
  socket.setEncoding("utf8").on("data", (text: string) => (told += text));
  socket.write(bytes);
  await once(socket, "close");
  expect(told).toMatch(/^HTTP\/1.1 408 /);
});

test("wrong credentials wait after twenty in a minute, and the right one never does", async () => {
  const { url, clock } = await served();
  const statusOf = async (secret?: string): Promise<number> =>
    (await post(url, "/echo", "x", secret)).status;
  for (let i = 0; i < 20; i++) expect(await statusOf(`wrong-${i}`)).toBe(401);
  const refused = await post(url, "/echo", "x", "wrong");
  expect([refused.status, refused.headers.get("retry-after")]).toEqual([429, "60"]);
  expect(await refused.json()).toEqual({
    Status: "Error",
    Message: "Too many wrong credentials from this address; try again in 60 s",
    Meta: null,
  });
  expect(await statusOf("sesame")).toBe(200);
  expect((await fetch(new URL("/echo", url), { method: "POST" })).status).toBe(401);
  expect((await fetch(new URL("/page", url))).status).toBe(200);
  clock.seconds += 59;
  expect(await statusOf("wrong")).toBe(429);
  clock.seconds += 1;
  expect(await statusOf("wrong")).toBe(401);
});

test("what lies at another method of a door is told to its owner alone", async () => {
  const { url } = await served();
  const at = async (path: string, method: string, secret: string): Promise<unknown[]> => {
    const { status, headers } = await fetch(new URL(path, url), {
      method,
      headers: { "admin-auth": secret },
    });
    return [status, headers.get("allow")];
  };
  for (const method of ["GET", "PUT", "DELETE", "HEAD", "OPTIONS"]) {
    expect(await at("/echo", method, "sesame")).toEqual([405, "POST"]);
    expect(await at("/echo", method, "wrong")).toEqual([401, null]);
  }
  expect(await at("/elsewhere", "GET", "wrong")).toEqual([401, null]);
  expect(await at("/elsewhere", "GET", "sesame")).toEqual([404, null]);
});
