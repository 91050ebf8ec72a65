// A gateway that Weir does not run, on loopback: one that admits too many or too few fails, and a right one passes.
import { once } from "node:events";
import { readFileSync } from "node:fs";
import { createServer, type Server } from "node:http";
import type { AddressInfo } from "node:net";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { afterAll, beforeAll, describe, expect, onTestFinished, test } from "vitest";
import { playOn } from "#src/lab/drivers/driver.ts";
import { remote } from "#src/lab/drivers/remote.node.ts";
import type { History } from "#src/lab/scenario/history.ts";
import { checkHistories } from "#src/lab/run/pipeline.ts";
import { plan } from "#src/lab/scenario/plan/plan.ts";
import type { Outcome } from "#src/lab/scenario/verdict.ts";
import { folderWith, weir } from "../../cli/weir.ts";
import { scenarioOf } from "../../show/small-runs.ts";

/** Ten requests at once of two keys; the window is too long for any delay of this machine to explain one more. */
const textFor = (options: string): string => `id: a/five-of-ten
title: of ten requests at once, five are admitted
proves: [LIM-4]
world:
  apis: { orders: { listen: /orders } }
  keys:
    alice: { apis: [orders], rate: 5, per: 3600 }
    bob: { apis: [orders], rate: 5, per: 3600 }
  gateway: { ${options} }
traffic:
  - { as: alice, send: GET /orders, burst: 10 }
  - { as: bob, send: GET /orders, burst: 10, at: 50ms }
expect:
  - { id: five of alice, count: { as: alice, status: 200 }, equals: 5 }
  - { id: five of bob, count: { as: bob, status: 200 }, equals: 5 }
`;

const ALGORITHMS = [
  "algorithm: sliding_log",
  "algorithm: bounded_log",
  "algorithm: fixed_window",
  "algorithm: drl",
  "algorithm: token_bucket",
  "algorithm: gcra, burst: rate",
  "algorithm: sliding_window_counter",
] as const;

interface Gateway {
  readonly url: string;
  readonly close: () => void;
}

/** Admits `most` requests of each credential. */
async function gatewayWith(most: number): Promise<Gateway> {
  const counts = new Map<string, number>();
  const server = createServer((request, response) => {
    const key = request.headers.authorization ?? "";
    const count = (counts.get(key) ?? 0) + 1;
    counts.set(key, count);
    response.writeHead(count <= most ? 200 : 429).end();
  });
  return serve(server);
}

async function serve(server: Server): Promise<Gateway> {
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
  const { port } = server.address() as AddressInfo;
  return {
    url: `http://127.0.0.1:${port}`,
    close: () => {
      server.closeAllConnections();
      server.close();
    },
  };
}

const GATEWAYS = [
  ["admits everything", Number.POSITIVE_INFINITY, "fail"],
  ["admits 50 for 5", 50, "fail"],
  ["admits 6 for 5", 6, "fail"],
  ["admits 5 for 5", 5, "pass"],
  ["admits 4 for 5", 4, "fail"],
  ["refuses everything", 0, "fail"],
] as const satisfies readonly (readonly [string, number, Outcome])[];

describe.each(GATEWAYS)("a gateway that %s", (_, most, outcome) => {
  let gateway: Gateway;
  let history: History;
  beforeAll(async () => {
    gateway = await gatewayWith(most);
    const scenario = scenarioOf(textFor(ALGORITHMS[0]));
    const [variant] = scenario.variants;
    const driver = await remote({ kind: "target", url: gateway.url });
    history = await playOn(driver, variant!, plan(variant!, scenario.id, 1));
  });
  afterAll(() => gateway.close());

  test.each(ALGORITHMS)("%s", (options) => {
    const scenario = scenarioOf(textFor(options));
    const [run] = checkHistories(scenario, [{ variant: scenario.variants[0]!, history }]).runs;
    expect(run!.result.verdicts.map((verdict) => verdict.outcome)).toEqual([outcome, outcome]);
  });
});

test.each([
  [6, 1, "0 passed, 1 failed, 0 skipped"],
  [5, 0, "1 passed, 0 failed, 0 skipped"],
])("where %i are admitted for 5, the exit code is %i: %s", async (most, exitCode, last) => {
  const { url, close } = await gatewayWith(most);
  onTestFinished(close);
  const folder = folderWith({ "one.yaml": textFor("algorithm: token_bucket") });
  const { code, out } = await weir(folder, ["run", "one.yaml", "--target", url]);
  expect([code, out.trimEnd().split("\n").at(-1)]).toEqual([exitCode, last]);
});

test("the history of another host has its clock as unknown, and a failure names the default claim", async () => {
  const { url, close } = await gatewayWith(6);
  onTestFinished(close);
  const elsewhere = url.replace("127.0.0.1", "0.0.0.0"); // this machine too, under a name that not every system has
  const folder = folderWith({ "one.yaml": textFor("") });
  const { code, out } = await weir(
    folder,
    "run one.yaml --history h --allow-target 0.0.0.0 --target".split(" ").concat(elsewhere),
  );
  const saved = readFileSync(join(folder, "h/a/five-of-ten.ndjson"), "utf8");
  expect([code, saved]).toEqual([1, expect.stringContaining('"clockUs":1e999}')]);
  expect(out).toMatch(
    /observed +6 of 10; claimed by default: sliding_log; if the gateway has another algorithm/,
  );
  expect(out).toContain(`--target ${elsewhere}/ --allow-target 0.0.0.0 --stretch 1`);
});

/** Five per window of a key, counted in windows that a request begins; nothing resets them. */
async function gatewayInWindows(perMs: number): Promise<Gateway> {
  const windows = new Map<string, { readonly fromMs: number; count: number }>();
  const server = createServer((request, response) => {
    const key = request.headers.authorization ?? "";
    const nowMs = performance.now();
    let window = windows.get(key);
    if (window === undefined || nowMs - window.fromMs >= perMs) {
      window = { fromMs: nowMs, count: 0 };
      windows.set(key, window);
    }
    response.writeHead(++window.count <= 5 ? 200 : 429).end();
  });
  return serve(server);
}

test("a run of two scenarios waits until the limits are whole again, if that is not too long", async () => {
  const { url, close } = await gatewayInWindows(1_000);
  onTestFinished(close);
  const short = textFor("algorithm: fixed_window").replaceAll("3600", "1");
  const long = textFor("algorithm: fixed_window");
  const folder = folderWith({
    "one.yaml": short,
    "two.yaml": short.replace("five-of-ten", "again"),
    "long.yaml": long.replace("five-of-ten", "long"),
    "longer.yaml": long.replace("five-of-ten", "longer"),
  });
  const run = (...files: readonly string[]) => weir(folder, ["run", ...files, "--target", url]);
  const twice = await run("one.yaml", "two.yaml");
  expect(twice.out.trimEnd().split("\n").at(-1)).toBe("2 passed, 0 failed, 0 skipped");
  await sleep(1_000);
  const { out } = await run("long.yaml", "longer.yaml");
  expect(out.trimEnd().split("\n").at(-1)).toBe("1 passed, 0 failed, 1 skipped");
  expect(out).toContain("whole again in 3600s; run it alone");
});

test("a target that takes no connection is unreachable", async () => {
  const { url, close } = await gatewayWith(5);
  close();
  const folder = folderWith({ "one.yaml": textFor("algorithm: token_bucket") });
  const { code, err } = await weir(folder, ["run", "one.yaml", "--target", url]);
  expect([code, err]).toEqual([
    3,
    expect.stringContaining(`${url} takes no connection (ECONNREFUSED)`),
  ]);
});

/** Takes requests and ends each connection without a response, after `most` of them. */
async function gatewayThatEnds(most: number): Promise<Gateway> {
  let count = 0;
  return serve(
    createServer((request, response) => {
      if (++count > most) request.socket.destroy();
      else response.end();
    }),
  );
}

test("a target that never responds is unreachable, and nothing more is sent to it", async () => {
  const { url, close } = await gatewayThatEnds(0);
  onTestFinished(close);
  const text = textFor("algorithm: token_bucket");
  const folder = folderWith({ "one.yaml": text, "two.yaml": text.replace("five-of-ten", "two") });
  const { code, out, err } = await weir(folder, ["run", "one.yaml", "two.yaml", "--target", url]);
  expect([code, out]).toEqual([3, ""]);
  expect(err).toContain(`no request to ${url} gets a response; look in the log of the gateway`);
});

test("results until a target no longer responds are reported", async () => {
  const { url, close } = await gatewayThatEnds(20);
  onTestFinished(close);
  const text = textFor("algorithm: token_bucket")
    .replaceAll("3600", "0.1")
    .replaceAll("s: 5", "s: 10");
  const folder = folderWith({ "one.yaml": text, "two.yaml": text.replace("five-of-ten", "two") });
  const { code, out, err } = await weir(folder, ["run", "one.yaml", "two.yaml", "--target", url]);
  expect([code, out.trimEnd().split("\n").at(-1)]).toEqual([3, "1 passed, 0 failed, 0 skipped"]);
  expect(err).toMatch(/no request to .*\nstopped: 1 of 2 scenarios ran/);
});

test("of a gateway that responds 500 to everything, no limit is examined", async () => {
  const { url, close } = await serve(createServer((_, response) => response.writeHead(500).end()));
  onTestFinished(close);
  const folder = folderWith({ "one.yaml": textFor("algorithm: token_bucket") });
  const { code, out } = await weir(folder, ["run", "one.yaml", "--target", url]);
  expect([code, out]).toEqual([
    5,
    expect.stringContaining("10 of 10 got 500: an error of the gateway or its upstream"),
  ]);
});
