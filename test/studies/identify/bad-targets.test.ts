// Servers that fail from the start, or after a while: none of them is named.
import { createServer } from "node:http";
import { createServer as createTcpServer } from "node:net";
import { readdirSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { SECOND } from "#src/kit/units.ts";
import { createHttpTarget } from "#src/studies/identify/http-target.node.ts";
import { groupAt } from "#src/studies/identify/target.ts";
import { newImplementation } from "#src/lab/implementations/new-implementation.node.ts";
import { addressOf, serve } from "../lint/server.ts";
import { folderWith, weir, type CommandOutput } from "../../cli/weir.ts";

const identify = (url: string): Promise<CommandOutput> =>
  weir(folderWith({}), ["identify", url, "--max-duration", "20s"]);

/** 3 requests per second, and from this number of requests on only this status, or a connection that breaks. */
function serveLimit(from: number, status: number | "reset"): Promise<string> {
  let [requests, windowMs, count] = [0, 0, 0];
  const server = createServer((request, response) => {
    if (++requests > from) {
      if (status === "reset") request.socket.destroy();
      else response.writeHead(status).end();
      return;
    }
    const nowMs = performance.now();
    if (nowMs - windowMs >= 1_000) [windowMs, count] = [nowMs, 0];
    response.writeHead(++count > 3 ? 429 : 200).end();
  });
  return addressOf(server);
}

test("a server that does not respond, or responds with garbage, is unreachable", async () => {
  const closed = createTcpServer();
  const gone = await addressOf(closed);
  await new Promise((resolve) => closed.close(resolve));
  const garbage = await addressOf(createTcpServer((socket) => void socket.end("SSH-2.0-x\r\n")));
  for (const [url, why] of [
    [gone, "does not respond: ECONNREFUSED"],
    [garbage, "responds with something that is no HTTP (HPE_"],
  ] as const) {
    const { code, out, err } = await identify(url);
    expect(code).toBe(3);
    expect(out).toBe("");
    expect(err).toMatch(/^at most 5000 requests in 20 s\nweir identify: [^\n]+\n$/);
    expect(err).toContain(`weir identify: ${url} ${why}`);
  }
});

test.each([8, 16])(
  "a server that dies after %i requests is not named",
  async (from) => {
    const url = await serveLimit(from, "reset");
    const { code, out, err } = await identify(url);
    expect(out).toMatch(/^Undecided: .*the target stopped responding/s);
    expect(out).toMatch(/^undecided /m);
    expect(err).toContain(`${url} does not respond: ECONNRESET`);
    expect(code).toBe(3);
  },
  40_000,
);

test("the reason for a missing response is that of the latest request, and none after a response", async () => {
  const ways = ["reset", "hang", "respond"];
  const url = await serve((request, response) => {
    const way = ways.shift();
    if (way === "reset") request.socket.destroy();
    else if (way === "respond") response.end();
  });
  const target = createHttpTarget(
    {
      url: new URL(url),
      headers: [],
      otherHeader: null,
      otherPath: null,
      otherAddress: null,
      refusal: 429,
      admission: null,
    },
    new AbortController().signal,
  );
  const reasons: unknown[] = [];
  for (let request = 0; request < 3; request++) {
    await target.send([{ ...groupAt(target.nowUs(), 1), patienceUs: 0.2 * SECOND }]);
    reasons.push(target.failure());
  }
  target.close();
  expect(reasons).toEqual(["does not respond: ECONNRESET", "does not respond within 200ms", null]);
});

test("a server that responds with errors after 16 requests is not named", async () => {
  const { code, out } = await identify(await serveLimit(16, 500));
  expect(out).toContain("the target responds with 500, which neither admits nor refuses");
  expect(code).toBe(5);
}, 40_000);

test("errors from the first request on end it at once, with the flag for a refusal", async () => {
  const { code, out } = await identify(await serveLimit(0, 503));
  expect(out).toContain("add --refusal 503; if it is an admission, --admission 503");
  expect(out).toMatch(/^ {2}evidence {5}1 request in/m);
  expect(code).toBe(5);
});

test("a redirect neither admits nor refuses, unless the command line states so", async () => {
  const url = await serve((_request, response) => void response.writeHead(302).end());
  const { code, out } = await identify(url);
  expect(out).toContain("the target responds with 302, which neither admits nor refuses");
  expect(code).toBe(5);
  const folder = folderWith({});
  const stated = await weir(folder, ["identify", url, "--admission", "302", "--requests", "50"]);
  expect(stated.out).toContain("no limit was found within 40 requests");
});

test("a response that takes too long does not extend the time", async () => {
  const url = await serve(() => undefined);
  const startMs = performance.now();
  const args = ["identify", url, "--max-duration", "2s"];
  const { code, out } = await weir(folderWith({}), args);
  expect(out).toMatch(/^Undecided: 2 s were too short\.$/m);
  expect(code).toBe(5);
  expect(performance.now() - startMs).toBeLessThan(8_000);
}, 20_000);

test("headers that repeat are all sent", async () => {
  const received = new Set<string>();
  const url = await serve((request, response) => {
    received.add(JSON.stringify([request.headers["x-one"], request.headers["x-two"]]));
    response.writeHead(200).end();
  });
  const headers = ["--header", "X-One: a", "--header", "X-Two: b"];
  await weir(folderWith({}), ["identify", url, ...headers, "--requests", "5"]);
  expect([...received]).toEqual(['["a","b"]']);
});

test.each([
  [["http://127.0.0.1:9", "--rate", "5"], "--rate belongs to identify --implementation NAME"],
  [["--self-check", "1", "--header", "a: b"], "--header belongs to identify URL"],
  [["--implementation", "nginx", "--refusal", "403"], "--refusal belongs to identify URL"],
  [["http://127.0.0.1:9", "--other-address", "home"], "--other-address must be an IP address"],
  [["http://127.0.0.1:9", "--admission", "429"], "--admission and --refusal are both 429"],
  [["http://127.0.0.1:9", "--refusal", "200"], "--refusal must be a status from 300 to 599"],
  [["--implementation", "nope"], 'no implementation is called "nope"'],
  [["--implementation", "haproxy"], "haproxy has variants; use one of haproxy/"],
  [["--implementation", "nginx", "--rate", "5", "--per", "1us"], "--rate, --per or --burst: "],
])("weir identify %j is an error", async (args, message) => {
  const { code, err } = await weir(folderWith({}), ["identify", ...args]);
  expect(err).toContain(message);
  expect(code).toBe(2);
});

test.each([
  ["as it starts", "let limit = 0;"],
  ["at its first limit", "const setLimit = ([wanted]) => {"],
  ["at its first decision", "let window = windows.get(key);"],
])("a limiter of one's own that ends %s is a sentence", async (_, line) => {
  const files = newImplementation("mine");
  const limiter = files["limiter.mjs"]!.replace(line, `${line} process.exit(7);`);
  const folder = folderWith({
    "mine/manifest.yaml": files["manifest.yaml"]!,
    "mine/limiter.mjs": limiter,
    "tmp/kept": "",
  });
  const { code, err } = await weir(folder, ["identify", "--implementation", "./mine"], {
    TMPDIR: join(folder, "tmp"),
  });
  expect(err.trimEnd().split("\n").at(-1)).toBe(
    "weir identify: ./mine cannot be examined: mine ended with code 7; if its program is wrong, this shows more: weir implementations run ./mine",
  );
  expect(code).toBe(3);
  expect(readdirSync(join(folder, "tmp"))).toEqual(["kept"]);
});

test("Ctrl-C while it waits for a limit ends it with what was known by then", async () => {
  let count = 0;
  const waiting = Promise.withResolvers<undefined>();
  const url = await serve((_request, response) => {
    response.writeHead(++count > 5 ? 429 : 200).end();
    if (count === 15) waiting.resolve(undefined);
  });
  const running = weir(folderWith({}), ["identify", url]);
  await waiting.promise;
  process.emit("SIGINT");
  const { code, out, err } = await running;
  expect(err).toMatch(/interrupted after \d{2} requests$/m);
  expect(out).toMatch(
    /^Undecided: 5 requests admitted until one was refused; it was interrupted\.$/m,
  );
  expect(code).toBe(130);
});
