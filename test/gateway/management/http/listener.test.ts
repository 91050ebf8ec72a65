import { once } from "node:events";
import { connect } from "node:net";
import { setTimeout as sleep } from "node:timers/promises";
import { expect, onTestFinished, test } from "vitest";
import { micros } from "#src/kit/units.ts";
import { attempts } from "#src/gateway/management/http/attempts.ts";
import { adminJson } from "#src/gateway/management/http/admin-routes.node.ts";
import { isSecret } from "#src/gateway/management/http/guard.node.ts";
import { listener, type Listener } from "#src/gateway/management/http/listener.node.ts";
import { DEFAULT_WIRE, type Wire } from "#src/gateway/http/wire.ts";

interface Served extends Listener {
  readonly bodies: string[];
  readonly reports: string[]; // lines for the operator
  readonly clock: { seconds: number };
}

async function startListener(wire: Partial<Wire> = {}): Promise<Served> {
  const bodies: string[] = [];
  const reports: string[] = [];
  const clock = { seconds: 1_000 };
  const server = await listener({
    host: "127.0.0.1",
    port: 0,
    interfaces: null,
    wire: { ...DEFAULT_WIRE, ...wire },
    adminRoutes: {
      secret: () => "sesame",
      attempts: attempts(() => micros(clock.seconds * 1_000_000)),
      log: (line) => reports.push(line),
      routes: [
        {
          method: "POST",
          path: "/echo",
          respond: (body) => {
            bodies.push(body);
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
  return { ...server, bodies, reports, clock };
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
])("%j opens what %j guards: %j", (credential, secret, opens) => {
  expect(isSecret(credential, secret)).toBe(opens);
});

test("the response to an internal error has no details; the operator's log has them", async () => {
  const { url, reports } = await startListener();
  const answer = await post(url, "/fault");
  expect(reports).toEqual([
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
  const { url, bodies } = await startListener();
  expect(await (await post(url, "/echo", "x".repeat(1_048_576))).json()).toBe(1_048_576);
  expect(bodies).toHaveLength(1);
  expect((await post(url, "/echo", "x".repeat(2_200_000))).status).toBe(413);
  expect(bodies).toHaveLength(1);
});

test("a client that breaks off or sends no HTTP disturbs no other client", async () => {
  const { url, bodies } = await startListener();
  const head =
    "POST /echo HTTP/1.1\r\nHost: localhost\r\nAdmin-Auth: sesame\r\nContent-Length: 9\r\n\r\nhalf";
  for (const bytes of [head, "GET\r\n\r\n", "\0\0\0\0", head.slice(0, -20)]) {
    const socket = connect(Number(url.port), url.hostname);
    socket.on("error", () => {});
    socket.write(bytes);
    await sleep(30);
    socket.destroy();
  }
  expect(bodies).toEqual([]);
  expect(await (await fetch(new URL("/page", url))).text()).toBe("open");
  expect((await post(url, "/echo", "whole")).status).toBe(200);
});

const STOPS =
  "POST /echo HTTP/1.1\r\nHost: localhost\r\nAdmin-Auth: sesame\r\nContent-Length: 9\r\n\r\nhalf";

test("a client that stops within its body does not keep the listener from ending", async () => {
  const { url, bodies, drain } = await startListener({ drainTimeoutUs: micros(100_000) });
  const socket = connect(Number(url.port), url.hostname);
  socket.on("error", () => {});
  socket.write(STOPS);
  await sleep(50);
  const gone = once(socket, "close");
  await drain();
  await gone;
  expect(bodies).toEqual([]);
});

test.each([
  ["its body", "requestTimeoutUs", STOPS],
  ["its head", "requestHeadersTimeoutUs", STOPS.slice(0, 30)],
])("a client that stops within %s gets a 408, and is disconnected", async (_, limit, bytes) => {
  const { url } = await startListener({
    requestHeadersTimeoutUs: micros(150_000),
    requestTimeoutUs: micros(300_000),
    [limit]: micros(150_000),
  });
  const socket = connect(Number(url.port), url.hostname);
  let response = "";
  socket.setEncoding("utf8").on("data", (text: string) => (response += text));
  socket.write(bytes);
  await once(socket, "close");
  expect(response).toMatch(/^HTTP\/1.1 408 /);
});

test("wrong credentials are delayed after twenty in a minute, and the correct one never is", async () => {
  const { url, clock } = await startListener();
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

test("only the operator learns the methods of an admin route", async () => {
  const { url } = await startListener();
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
