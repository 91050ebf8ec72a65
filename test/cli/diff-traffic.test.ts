// weir diff without a log: requests of a scenario, and of clients that flags describe.
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { Ajv2020 } from "ajv/dist/2020.js";
import { expect, test } from "vitest";
import { compareConfigurations } from "#src/show/site/compare-configurations.ts";
import { diffSchema, type DiffResult } from "#src/studies/diff/result.ts";
import { isFailure } from "#src/kit/reading/failure.ts";
import { EPOCH_US } from "#src/lab/sim/engine.ts";
import { plan } from "#src/lab/scenario/plan/plan.ts";
import { decode } from "#src/lab/scenario/read/decode.ts";
import { folderWith, weir } from "./weir.ts";

const nginx = (rate: number): string => `limit_req_zone $remote_addr zone=all:1m rate=${rate}r/s;
limit_req_zone $http_x_plan zone=plans:1m rate=${rate}r/s;
server {
  limit_req zone=all burst=2;
  location /items { limit_req zone=plans burst=1; }
}
`;

const scenario = (from: string): string => `id: limits/two
title: Two flows
about: Of two paths.
matrix: { rate: [3, 9] }
world: { apis: { all: { listen: / } }, policies: { p: { rate: 1, per: 60, apis: [all] } }, keys: { alice: { apply_policies: [p], count: 3 } } }
traffic:
  - { name: items, as: alice, clients: 3, send: [GET /items/1, POST /items/2], headers: { X-Plan: free }, poisson: $rate, for: 20s${from} }
  - { name: others, as: alice, clients: 2, send: GET /, burst: 8, at: 3s${from} }
expect: [{ id: any, count: {}, atLeast: 0, among: { atLeast: 1 } }]
`;

const FILES = {
  "old.conf": nginx(4),
  "new.conf": nginx(2),
  "traffic.yaml": scenario(", from: [192.0.2.0/30, 198.51.100.1]"),
  "keys.yaml": scenario(""),
};
const DIFF = ["diff", "old.conf", "new.conf"];
const RATE = "--clients 5 --rate 3/s --for 1m".split(" ");

/** A document without the source of its requests. */
function withoutSource(text: string): Partial<DiffResult> {
  const { answer, logs, traffic, ...others } = JSON.parse(text) as DiffResult;
  expect(answer[0]!.text).toMatch(/ would lose /);
  expect(logs.length + (traffic === undefined ? 0 : 1)).toBe(1);
  return others;
}

test("requests of a scenario are decided as those of a log with the same lines", async () => {
  const { id, variants } = decode("traffic.yaml", FILES["traffic.yaml"]).scenario!;
  const { atUs, flow, address, addresses } = plan(variants[1]!, id, 7);
  const lines = Array.from(atUs, (us, row) => {
    const { method, path, headers } = variants[1]!.traffic[flow[row]!]!;
    const ms = (EPOCH_US + us) / 1000;
    return JSON.stringify({
      time: `${new Date(ms).toISOString().slice(0, -1)}${String(us % 1000).padStart(3, "0")}Z`,
      ip: addresses![address![row]!],
      method,
      path,
      "x-plan": headers["X-Plan"],
    });
  });
  const folder = folderWith({ ...FILES, "access.ndjson": `${lines.join("\n")}\n` });
  for (const key of ["ip", "ip+header:X-Plan", "none"]) {
    const run = async (...source: readonly string[]) =>
      withoutSource((await weir(folder, [...DIFF, ...source, "--key", key, "--json"])).out);
    const ofScenario = "--scenario traffic.yaml --variant rate=9 --seed 7".split(" ");
    expect(await run(...ofScenario)).toEqual(await run("--log", "access.ndjson"));
  }
});

test("the clients of a scenario without addresses are its credentials", async () => {
  const { out } = await weir(folderWith(FILES), [
    "diff",
    "4/1s",
    "2/1s",
    "--scenario=keys.yaml",
    "--json",
  ]);
  const { key, clients, traffic, answer } = JSON.parse(out) as DiffResult;
  expect([key, clients]).toEqual(["header:authorization", 3]);
  expect(traffic).toEqual({
    scenario: "keys.yaml",
    about: "Two flows (rate=3).",
    withoutKey: 0,
  });
  expect(answer.at(-1)!.text).toBe(
    "The requests are those of the scenario keys.yaml, not logged: a log shows what your clients send.",
  );
});

test("described clients have the sentence, the tables, the document and the page of a log", async () => {
  const folder = folderWith(FILES);
  const args = [...DIFF, ...RATE, "--send", "GET /x", "--html", "diff.html"];
  const { code, out } = await weir(folder, args);
  expect(code).toBe(0);
  expect(out).toMatch(/^5 clients would lose 29\d requests, most of all 198\.18\.0\.\d \(/);
  expect(out).toContain("\nThe requests are described, not logged: ");
  expect(out).toContain(
    "\n5 clients send 3 requests a second each, evenly spaced, for 1m. A refused request is not sent again. Each client has an address with a budget.\n900 requests of 5 clients by ip\n",
  );
  expect(out).toContain("\nGET /x ");
  expect(readFileSync(join(folder, "diff.html"), "utf8")).toContain(
    "Two configurations on planned requests",
  );
  const shared = await weir(folder, [...DIFF, ...RATE, "--per-address", "5", "--json"]);
  const document = JSON.parse(shared.out) as DiffResult;
  const validate = new Ajv2020({ strict: false, validateFormats: false }).compile(
    diffSchema() as object,
  );
  validate(document);
  expect(validate.errors).toBeNull();
  expect(document).toMatchObject({ clients: 1, requests: 900, traffic: { scenario: null } });
  expect(document.after.rules[1]).toMatchObject({ limit: "2r/s", counted: 0 });
  expect(document.answer.map(({ text }) => text)).toContain(
    "1 limit counts no request of the traffic: check that the traffic has what its key and location need.",
  );
});

test.each([
  [[], "there are no requests; add --log, such as --log access.log, or --rate, --bursts or"],
  [["--clients=3"], "there is no traffic; add --rate, such as 3/s, or --bursts, such as 50@1m"],
  [[...RATE, "--log=a"], "--log and --clients are two sources of requests; remove one"],
  [[...RATE, "--scenario=a"], "--scenario and --clients are two sources of requests; remove one"],
  [[...RATE, "--where", "path = /"], "--where needs --log; remove it"],
  [[...RATE, "--send=FETCH /"], '--send: "FETCH /" is no request; write a method and a path'],
  [[...RATE, "--variant=a"], "--variant needs --scenario; add --scenario FILE"],
  [[...RATE, "--key=status"], "--key: status is not known of requests without a log; there are ip"],
  [["--rate=9000/s"], "the traffic is 5,400,000 requests; at most 1,000,000 are tried"],
  [["--scenario=gone.yaml"], "gone.yaml: there is no such file or folder"],
  [["--scenario=keys.yaml", "--variant=a"], 'keys.yaml: there is no variant "a"; choose '],
  [["--scenario=old.conf"], "old.conf:1:"],
])("%j is refused", async (args, problem) => {
  const { code, out, err } = await weir(folderWith(FILES), [...DIFF, ...args]);
  expect([code, out]).toEqual([2, ""]);
  expect(err).toContain(problem);
});

const CLIENTS = { clients: 5, perMinute: 180, population: "random", send: "GET /x" } as const;
const page = (before: string, after: string, clients: object = {}): readonly string[] => {
  const compared = compareConfigurations(
    { before: { file: "old.conf", text: before }, after: { file: "new.conf", text: after } },
    { ...CLIENTS, ...clients },
  );
  return isFailure(compared) ? compared.problems : [...compared.sentences, ...compared.tables];
};

test("the playground has the sentences of the command", async () => {
  const described = "--clients 5 --rate 3/s --population random --send".split(" ");
  const files = Object.fromEntries(
    [4, 2].map((rate) => [
      rate === 4 ? "old.conf" : "new.conf",
      nginx(rate).replace("$http_x_plan", "$geoip_country_code"),
    ]),
  );
  const { out } = await weir(folderWith(files), [...DIFF, ...described, "GET /x"]);
  const lines = page(files["old.conf"]!, files["new.conf"]!);
  expect(lines[0]).toMatch(/^5 clients would lose [\d,]+ requests/);
  expect(lines.filter((line) => line !== "")).toEqual(
    out.split("\n").filter((line) => line !== ""),
  );
  expect(out).toContain("geoip_country_code");
});

test.each([
  ["Dear nginx", nginx(1), {}, /^old\.conf is no configuration that Weir reads: nginx, /],
  [nginx(1), nginx(1).replace("1r/s", "{{ .Values.rate }}r/s"), {}, /^new\.conf is a template; /],
  [nginx(1), "#".repeat(5_000_000), {}, /^new\.conf is too large for a page; use weir diff/],
  [nginx(1), " ", {}, /^new\.conf is empty; paste it/],
  [
    nginx(1),
    nginx(1).replace("}\n}", "}"),
    {},
    /^new\.conf:3: the block of "server" is not closed/,
  ],
  [
    nginx(1),
    nginx(1),
    { clients: 0 },
    /^The number of clients must be an integer from 1 to 1000\.$/,
  ],
  [nginx(1), nginx(1), { perMinute: Number.NaN }, /^Each client must send at least one request/],
  [nginx(1), nginx(1), { clients: 1000, perMinute: 1000 }, / and all together 300,000 at most\.$/],
  [nginx(1), nginx(1), { send: "items" }, /^"items" is no request; write a method and a path/],
])(
  "the playground has a sentence for what it cannot compare %#",
  (before, after, clients, words) => {
    expect(page(before, after, clients)).toEqual([expect.stringMatching(words)]);
  },
);
