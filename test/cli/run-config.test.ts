// weir run with a scenario whose world is the file of another limiter.
import { join } from "node:path";
import { expect, test } from "vitest";
import { foreignOffer } from "#src/lab/drivers/foreign-offer.ts";
import { OFFERS } from "#src/lab/drivers/offers.ts";
import { rulesReaderFor, traceReaderFor } from "#src/lab/run/scenario-files.node.ts";
import { decode } from "#src/lab/scenario/read/decode.ts";
import { folderWith, weir, type CommandOutput } from "./weir.ts";

const NGINX = `limit_req_zone $binary_remote_addr zone=login:1m rate=1r/s;
limit_req_zone $http_authorization zone=keys:1m rate=6r/m;
server {
  limit_req_status 429;
  location /login { limit_req zone=login burst=2 nodelay; }
  location /keys { limit_req zone=keys; }
  location /busy { limit_req zone=login; limit_req_status 503; limit_conn places 3; }
}
`;

const scenarioOf = (
  world: string,
  traffic: readonly string[],
  expected: readonly string[],
): string =>
  [
    "title: requests that nginx.conf decides",
    `world: { ${world} }`,
    "traffic:",
    ...traffic.map((flow) => `  - { ${flow} }`),
    "expect:",
    ...expected.map((expectation, at) => `  - { id: e${at}, ${expectation} }`),
    "",
  ].join("\n");

const run = (scenario: string, more: readonly string[] = []): Promise<CommandOutput> =>
  weir(
    folderWith({ "nginx.conf": NGINX, "traefik.yaml": TRAEFIK, "scenarios/one.yaml": scenario }),
    ["run", "scenarios/one.yaml", ...more],
  );

const FILE = "file: ../nginx.conf";
const BURST = "name: a, send: GET /login, burst: 5";

test("the rules of the file decide by address, credential and path, with its statuses", async () => {
  const scenario = scenarioOf(
    FILE,
    [
      BURST,
      "name: b, send: GET /login, burst: 4, at: 10s, from: [192.0.2.1, 192.0.2.2]",
      "name: c, as: bot, send: GET /keys, burst: 6, clients: 3, at: 20s",
      "name: d, send: GET /busy, burst: 2, at: 30s",
      "name: e, send: GET /free, burst: 9, at: 40s",
    ],
    [
      "sequence: { flow: a }, equals: 3*200 2*429",
      "sequence: { flow: b }, equals: 4*200",
      "count: { flow: c, status: 200 }, equals: 3",
      "sequence: { flow: d }, equals: 1*200 1*503",
      "sequence: { flow: e }, equals: 9*200",
    ],
  );
  const { code, out, err } = await run(scenario);
  expect(out).toBe(
    "one passes: all 5 expectations hold, with 26 requests, 6 of them refused.\n\npass one 26 requests, 6 refused\n\nseed 1\n\n1 passed, 0 failed, 0 skipped\n",
  );
  expect(code).toBe(0);
  expect(err).toContain(
    "scenarios/one.yaml:2:16 warning SCN-RULES nginx.conf:7 is not understood: limit_conn places 3: it limits connections",
  );
});

test("an expectation that the file does not meet fails", async () => {
  const failing = ["sequence: { flow: a }, equals: 5*200"];
  expect((await run(scenarioOf(FILE, [BURST], failing))).code).toBe(1);
});

const TRAEFIK = `http:
  routers: { all: { rule: "PathPrefix(\`/\`)", service: s, middlewares: [limit] } }
  middlewares: { limit: { rateLimit: { average: 6, period: 1m, burst: 1 } } }
  services: { s: { loadBalancer: { servers: [{ url: "http://127.0.0.1:1" }] } } }
`;

test.each([
  ["nginx sends no Retry-After", FILE, 1],
  ["Traefik sends it", "file: ../traefik.yaml", 2],
])("%s, and a client that honours it waits or gives up", async (_, file, admitted) => {
  const patient = `name: a, as: bot, send: GET /keys, burst: 2, behaviour: { honourRetryAfter: { maxAttempts: 3 } }`;
  const { code, out } = await run(
    scenarioOf(file, [patient], [`count: { flow: a, status: 200 }, equals: ${admitted}`]),
  );
  expect([code, out]).toEqual([0, expect.stringContaining("pass one")]);
});

test("gateways of a fleet count apart, and one that restarts counts from 0", async () => {
  const fleet = scenarioOf(
    `${FILE}, fleet: { nodes: 2 }`,
    ["name: a, send: GET /login, burst: 8"],
    ["count: { status: 200 }, equals: 6"],
  );
  const restarted = `${scenarioOf(
    FILE,
    [BURST, "name: b, send: GET /login, burst: 5, at: 200ms"],
    ["count: { status: 200 }, equals: 6"],
  )}faults: [{ gateway: restart, node: 0, at: 100ms }]\n`;
  expect((await run(fleet)).out).toContain("pass one");
  expect((await run(restarted)).out).toContain("pass one");
});

test("other drivers report that they cannot, and invariants of the specification are errors", async () => {
  const path = join(folderWith({ "nginx.conf": NGINX }), "scenarios/one.yaml");
  const counted = scenarioOf(FILE, [BURST], ["count: { status: 200 }, equals: 3"]);
  const { scenario } = decode(path, counted, traceReaderFor(path), rulesReaderFor(path));
  const offers = [OFFERS.embedded, OFFERS.redis, foreignOffer(true, null)];
  expect(offers.map(({ reasons }) => reasons?.(scenario!.variants[0]!))).toEqual(
    offers.map(() => [
      {
        missing: "imitation",
        text: expect.stringMatching(/^the rules of .*nginx\.conf decide in virtual time alone$/),
      },
    ]),
  );
  const bounded = scenarioOf(FILE, [BURST], ["invariant: bounds"]);
  expect((await run(bounded)).out).toContain(
    "the limits are those of nginx.conf, which the specification does not cover",
  );
});

test.each([
  ["file: ../none.conf", "2:16 error SCN-FILE none.conf: there is no such file or folder"],
  ["file: one.yaml", "2:16 error SCN-FILE scenarios/one.yaml is recognized by no reader"],
  [`${FILE}, kind: ngnix`, '2:16 error SCN-FILE --kind: there is no reader "ngnix"'],
  [`${FILE}, apis: {}`, "2:31 error SCN-UNKNOWN-FIELD the rules of ../nginx.conf decide, so"],
  ["set: { x: y }", "2:10 error SCN-UNKNOWN-FIELD set is read only with file"],
])("world: { %s } is one sentence", async (world, problem) => {
  const { code, err } = await run(scenarioOf(world, [BURST], ["count: {}, equals: 5"]));
  expect(code).toBe(2);
  expect(err.split("\n")[0]).toContain(`scenarios/one.yaml:${problem}`);
});

test("a folder is a file world too, with all of its files", async () => {
  const api = { api_id: "a", name: "a", proxy: { listen_path: "/a/" }, use_keyless: true };
  const limited = { ...api, global_rate_limit: { rate: 2, per: 60 } };
  const options = { use_db_app_configs: false, enable_redis_rolling_limiter: true };
  const folder = folderWith({
    "tyk/apis/a.json": JSON.stringify(limited),
    "tyk/tyk.conf": JSON.stringify(options),
    "scenarios/one.yaml": scenarioOf(
      "file: ../tyk",
      ["name: a, send: GET /a/x, burst: 5"],
      ["sequence: { flow: a }, equals: 2*200 3*429"],
    ),
  });
  const { code, out } = await weir(folder, ["run", "scenarios/one.yaml"]);
  expect([code, out]).toEqual([0, expect.stringContaining("pass one")]);
  const args = [
    "try",
    "--config=tyk",
    "--path=/a/x",
    "--rate=1/s",
    "--for=5s",
    "--scenario=t.yaml",
  ];
  const tried = await weir(folder, args);
  expect([tried.code, tried.out]).toEqual([
    0,
    expect.stringContaining("tyk refuses 3 of 5 requests"),
  ]);
  expect((await weir(folder, ["run", "t.yaml"])).code).toBe(0);
  const none = await weir(folder, ["try", "--config=scenarios", "--rate=1/s"]);
  expect(none).toMatchObject({
    code: 2,
    err: expect.stringMatching(/scenarios is a folder without files of/),
  });
});
