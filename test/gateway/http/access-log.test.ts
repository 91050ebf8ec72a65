import { execFileSync, spawn } from "node:child_process";
import { createHash } from "node:crypto";
import { once } from "node:events";
import { closeSync, existsSync, mkdtempSync, openSync, readFileSync, renameSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, describe, expect, test } from "vitest";
import { readConfiguration } from "#src/limiter/world/read.ts";
import type { LimiterEvent } from "#src/limiter/core/events.ts";
import { micros } from "#src/kit/units.ts";
import {
  accessLog,
  loggerTo,
  observerOf,
  formatTarget,
  type AccessLog,
  type LogLevel,
} from "#src/gateway/http/access-log.node.ts";
import { serveGateway, type GatewayServer } from "#src/gateway/http/gateway.node.ts";
import { answerOf, type Sent } from "./raw.ts";

const open: GatewayServer[] = [];
afterEach(async () => {
  for (const server of open.splice(0)) await server.stop();
});

const WORLD = {
  apis: { orders: { listen: "/orders" } },
  keys: {
    "s3cret/of alice": { key_id: "alice", apis: ["orders"], rate: 1, per: 60 },
    bare: { apis: ["orders"], rate: 1, per: 60 },
  },
  gateway: { algorithm: "fixed_window" },
};

type Line = Readonly<Record<string, unknown>>;

async function serveLogged(level: LogLevel = "info", world: unknown = WORLD) {
  const lines: string[] = [];
  const searched = { letters: 0 }; // compared with the keys
  const logger = loggerTo({ write: (line) => void lines.push(line) }, level);
  const { configuration } = readConfiguration(world);
  const server = await serveGateway({
    configuration: configuration!,
    upstream: null,
    host: "127.0.0.1",
    port: 0,
    store: null,
    observer: observerOf(logger, (id) => {
      searched.letters += id.length;
      return configuration!.keys.has(id);
    }),
  });
  open.push(server);
  const parseLines = (): readonly Line[] => lines.map((line) => JSON.parse(line) as Line);
  const request = async (sent: Partial<Sent>): Promise<void> => {
    const before = parseLines().filter(({ kind }) => kind === "request").length;
    await answerOf(server.url, sent);
    await expect
      .poll(() => parseLines().filter(({ kind }) => kind === "request").length)
      .toBeGreaterThan(level === "info" ? before : before - 1);
  };
  return { ask: request, lines, looked: searched, written: parseLines };
}

const alice = { authorization: "s3cret/of alice" };

test("a request that passes is one line", async () => {
  const { ask, written } = await serveLogged();
  await ask({ path: "/orders/7", headers: { ...alice, "x-request-id": "r-1" } });
  expect(written()).toHaveLength(1);
  const [line] = written();
  expect(line).toMatchObject({
    level: "info",
    kind: "request",
    method: "GET",
    path: "/orders/7",
    status: 200,
    upstream: null,
    upstreamMs: null,
    api: "orders",
    key: "alice",
    budget: "key/60000000us|key:alice",
    reason: null,
    retryAfter: null,
    delayMs: null,
    whole: true,
    client: "127.0.0.1",
    requestId: "r-1",
  });
  expect(line?.["time"]).toMatch(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/);
  expect(line?.["durationMs"]).toBeGreaterThanOrEqual(0);
  expect(line?.["bytes"]).toBeGreaterThan(50);
});

test("a refusal has its reason, its budget and its wait, and so has its event", async () => {
  const { ask, written } = await serveLogged();
  await ask({ path: "/orders", headers: alice });
  await ask({ path: "/orders", headers: alice });
  expect(written().slice(1)).toMatchObject([
    { kind: "event", event: "RatelimitExceeded", key: "alice", budget: "key/60000000us|key:alice" },
    { kind: "request", level: "warn", status: 429, reason: "rate", retryAfter: 60 },
  ]);
});

test("a delayed request has the time until its turn, and its duration includes it (ALG-C10)", async () => {
  const keys = { alice: { apis: ["orders"], rate: 10, per: 20 } }; // a turn each 2 s
  const queueing = { ...WORLD, keys, gateway: { algorithm: "leaky_bucket", queue: 1 } };
  const { ask, written } = await serveLogged("info", queueing);
  const headers = { authorization: "alice" };
  await Promise.all([1, 2, 3].map(() => ask({ path: "/orders", headers })));
  await expect.poll(() => written().filter(({ kind }) => kind === "request")).toHaveLength(3);
  const lines = written().filter(({ kind }) => kind === "request");
  const delayed = lines.filter(({ delayMs }) => delayMs !== null);
  expect(lines.map(({ status }) => Number(status)).toSorted((a, b) => a - b)).toEqual([
    200, 200, 429,
  ]);
  expect(delayed).toMatchObject([{ status: 200, level: "info", retryAfter: null }]);
  const [{ delayMs, durationMs } = {}] = delayed;
  expect(delayMs).toBeGreaterThan(0);
  expect(delayMs).toBeLessThanOrEqual(2_000);
  expect(durationMs).toBeGreaterThanOrEqual(Number(delayMs));
});

test("a level leaves out what is below it", async () => {
  const { ask, written } = await serveLogged("warn");
  await ask({ path: "/orders", headers: alice });
  await ask({ path: "/nowhere" });
  await expect.poll(written).toMatchObject([{ status: 404, api: null, key: null }]);
});

describe("no credential is in the log", () => {
  test("neither a header's nor one that strayed into the address, nor values of a query", async () => {
    const { ask, lines } = await serveLogged();
    await ask({ path: "/orders?key=s3cret&page=2", headers: alice });
    await ask({ path: "/orders/stray", headers: { "x-api-key": "stray" } });
    await ask({ path: "/orders", headers: { authorization: "Bearer unknown-secret" } });
    expect(lines.join("")).not.toMatch(/s3cret|stray|unknown/);
    expect(lines[0]).toContain('"path":"/orders?key=*&page=*"');
  });

  test("where a key's name is all it has, that is masked", async () => {
    const { ask, lines } = await serveLogged();
    await ask({ path: "/orders", headers: { authorization: "bare" } });
    await ask({ path: "/orders", headers: { authorization: "bare" } });
    expect(lines).toHaveLength(3);
    expect(lines.join("")).not.toContain("bare");
    expect(lines.join("")).toContain('"budget":"key/60000000us|key:***"');
  });

  test.each([
    ["/a", null, "/a"],
    ["/a?", null, "/a?"],
    ["/a?b&c=1&d=2=3", null, "/a?b&c=*&d=*"],
    ["/a/tok/b", "tok", "/a/***/b"],
    ["/a/tokens/b", "tok", "/a/tokens/b"],
    ["/a/x.q7Rk1vXw/b", "q7Rk1vXw", "/a/***/b"],
    ["/a/%71%37%52%6b1vXw", "q7Rk1vXw", "/a/***"],
    ["/a/%2571%25375Rk1vXw/%25717Rk1vXw", "q7Rk1vXw", "/a/%2571%25375Rk1vXw/***"],
    [String.raw`/a/\u0071\u0037Rk1vXw`, "q7Rk1vXw", "/a/***"],
    ["/a/cTdSazF2WHc=/b", "q7Rk1vXw", "/a/***/b"],
    ["/a/dXNlcjpxN1JrMXZYdzo=/b", "q7Rk1vXw", "/a/***/b"],
    ["/a/x+y/z12345/b", "x+y/z12345", "/***"],
    ["/a?q7Rk1vXw&x=1", "q7Rk1vXw", "/a?***&x=*"],
    ["/a", "", "/a"],
    ["/known/b;k=known", null, "/***/***"],
    ["/kn/own-too/b", null, "/***/***/b"],
    ["/a3Nvd24ta25vd24/b", null, "/a3Nvd24ta25vd24/b"],
    ["/a25vd24/b", null, "/***/b"],
  ])("%s with the credential %s is shown as %s", (target, own, shown) => {
    const isCredential = (text: string): boolean => ["known", "kn/own-too"].includes(text);
    expect(formatTarget(target, { own, isCredential, isStrange: false })).toBe(shown);
  });

  test.each([
    ["/orders/confirmation-of-delivery", "/orders/confirmation-of-delivery"],
    ["/orders/2026-11-23/7", "/orders/2026-11-23/7"],
    ["/q7Rk1vXw0tLz5bNc8mYd/orders", "/***/orders"],
    ["/orders/%717Rk1vXw0tLz5bNc8mYd.json", "/orders/***"],
    ["/orders?q7Rk1vXw0tLz5bNc8mYd", "/orders?***"],
  ])("%s of an unknown client is logged as %s", (target, shown) => {
    const strange = { own: null, isCredential: () => false, isStrange: true };
    expect(formatTarget(target, strange)).toBe(shown);
  });

  test("the id of a strange request is proved, and that of a known one shown", async () => {
    const { ask, written } = await serveLogged();
    const id = "3f8a2b6c-93d1-4e0f-8a57-1c2d3e4f5a6b";
    await ask({ path: "/orders", headers: { ...alice, "x-request-id": id } });
    await ask({ path: "/orders", headers: { "x-request-id": id } });
    await ask({ path: "/orders", headers: { ...alice, "x-request-id": "s3cret/of alice" } });
    await ask({ path: "/orders", headers: { "x-request-id": "r-17" } });
    const ids = written().flatMap(({ kind, requestId }) => (kind === "request" ? [requestId] : []));
    const hash = createHash("sha256").update(id).digest("hex").slice(0, 16);
    expect(ids).toEqual([id, `sha256:${hash}`, "***", "r-17"]);
  });
});

test("a long id of a request costs no search for credentials, and shows no part of one", async () => {
  const { ask, looked, written } = await serveLogged();
  const long = `${"x".repeat(120)} s3cret/of alice`;
  await ask({ path: "/orders", headers: { ...alice, "x-request-id": long } });
  const { letters } = looked;
  await ask({ path: "/orders", headers: { ...alice, "x-request-id": "%41=.".repeat(2_800) } });
  expect(looked.letters - letters).toBeLessThan(1_000);
  const ids = written().flatMap(({ kind, requestId }) => (kind === "request" ? [requestId] : []));
  const hash = createHash("sha256").update(long).digest("hex").slice(0, 16);
  expect(ids).toEqual([`sha256:${hash}`, expect.stringMatching(/^sha256:[0-9a-f]{16}$/)]);
  await ask({ path: "/orders", headers: { ...alice, "x-request-id": "x".repeat(128) } });
  expect(written().at(-1)).toMatchObject({ requestId: "x".repeat(128) });
});

test("no client forges a line, and a long one is cut", async () => {
  const { ask, lines, written } = await serveLogged();
  const forged = 'x","status":500}\n{"kind":"request"';
  await ask({ path: `/${encodeURIComponent(forged)}`, headers: { "x-request-id": 'a"b\u00e9' } });
  await ask({ path: `/${"y".repeat(5_000)}` });
  for (const line of lines) expect(line.indexOf("\n")).toBe(line.length - 1);
  expect(written()).toHaveLength(2);
  expect(written()[0]).toMatchObject({ status: 404, requestId: 'a"b\u00e9' });
  expect(written()[1]).toMatchObject({ path: "/…" });
});

const event = (budget: string): LimiterEvent => ({
  event: "QuotaExceeded",
  stampUs: micros(0),
  key: "k",
  api: "a",
  budget,
  value: null,
  path: "/orders",
});

const logTo = (file: string, onFailure: (error: Error) => void = () => {}): AccessLog =>
  accessLog({ to: { file }, level: "info", isCredential: () => false, onFailure });

test.skipIf(!existsSync("/dev/full"))(
  "a full disk is reported once, and the gateway goes on and ends",
  async () => {
    const failures: string[] = [];
    const log = logTo("/dev/full", ({ message }) => failures.push(message));
    for (let i = 0; i < 200; i++) log.observer.onEvent(event(`budget ${i}`));
    await expect.poll(() => failures).toHaveLength(1);
    log.reopen();
    log.observer.onEvent(event("one more"));
    await log.close();
    await log.close();
    expect(failures).toEqual([expect.stringContaining("ENOSPC")]);
  },
);

test("a file is written in order, by a second at the latest, and opened again where it was moved", async () => {
  const file = join(mkdtempSync(join(tmpdir(), "weir-log-")), "access.log");
  const log = logTo(file);
  const emit = (budget: string): void => log.observer.onEvent(event(budget));
  emit("first");
  await expect.poll(() => readFileSync(file, "utf8")).toContain("first");
  renameSync(file, `${file}.1`);
  log.reopen();
  emit("second");
  await expect.poll(() => readFileSync(file, "utf8")).toContain("second");
  expect(readFileSync(`${file}.1`, "utf8")).not.toContain("second");
  emit("third");
  await log.close();
  expect(readFileSync(file, "utf8")).toContain("third");
});

test("a log that closes while it writes keeps the lines that wait behind that write", async () => {
  const file = join(mkdtempSync(join(tmpdir(), "weir-log-")), "access.log");
  const log = logTo(file);
  log.observer.onEvent(event("first"));
  await expect.poll(() => readFileSync(file, "utf8")).toContain("first");
  log.observer.onEvent(event("x".repeat(10_000))); // long enough to be written at once
  log.observer.onEvent(event("last"));
  await log.close();
  expect(readFileSync(file, "utf8").endsWith('"budget":"last","value":null}\n')).toBe(true);
});

test("through a pipe, which cannot be synchronised, they are kept too", async () => {
  const pipe = join(mkdtempSync(join(tmpdir(), "weir-log-")), "pipe");
  execFileSync("mkfifo", [pipe]);
  const writer = openSync(pipe, "r+"); // as long as there is one, the reader waits
  const reader = spawn("cat", [pipe]);
  let written = "";
  reader.stdout.setEncoding("utf8").on("data", (text: string) => (written += text));
  const log = logTo(pipe);
  log.observer.onEvent(event("first"));
  await expect.poll(() => written).toContain("first");
  log.observer.onEvent(event("x".repeat(10_000)));
  log.observer.onEvent(event("last"));
  await log.close();
  closeSync(writer);
  await once(reader, "close");
  expect(written.endsWith('"budget":"last","value":null}\n')).toBe(true);
});

test("a file that cannot be written is reported at once", () => {
  const file = mkdtempSync(join(tmpdir(), "weir-log-"));
  expect(() => logTo(file)).toThrow("EISDIR");
});
