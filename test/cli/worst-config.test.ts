// weir worst --config: each limit of a file, on one instance or several, and bad input.
import { expect, test } from "vitest";
import type { WorstOfFile } from "#src/studies/diff/worst-of-file.ts";
import { answerWorstOfFile } from "#src/show/answers/worst-of-file.ts";
import { folderWith, weir } from "./weir.ts";

const FILES = {
  "nginx.conf": `limit_req_zone $remote_addr zone=all:1m rate=100r/s;
limit_req_zone $remote_addr zone=login:1m rate=6r/m;
limit_req_zone $remote_addr zone=huge:1m rate=9000r/s;
server {
  limit_req zone=all;
  location = /login { limit_req zone=login burst=12; }
  location = /huge { limit_req zone=huge; }
}
`,
};
const WORST = ["worst", "--config", "nginx.conf"];

test("the answer is the limit that a sender exceeds most", async () => {
  const { code, out, err } = await weir(folderWith(FILES), WORST);
  expect([code, err]).toEqual([0, ""]);
  const [first, second] = out.split("\n");
  expect(first).toBe(
    "At worst a sender gets 19 requests in any minute through 6r/m of zone login, burst 12, which is 6 per minute on average.",
  );
  expect(second).toBe("1 limit is too large to search.");
  expect(out).toMatch(/^6r\/m +zone login, burst 12 +19 +minute +nginx\.conf:6$/m);
  expect(out).toMatch(/^9000r\/s +zone huge, burst 0 +not searched +second/m);
});

test.each([
  ["4", 76, 4],
  ["4,shared", 19, 1],
  ["4,own,sticky", 19, 1],
])("on a fleet of %s a sender gets %i", async (fleet, most, instances) => {
  const { out } = await weir(folderWith(FILES), [...WORST, "--fleet", fleet, "--json"]);
  const document = JSON.parse(out) as WorstOfFile;
  expect(document.limits.map((limit) => limit.instances)).toEqual([
    instances,
    instances,
    instances,
  ]);
  expect(document.answer[0]!.numbers["most"]).toBe(most);
  const sentence = document.answer.find(({ id }) => id === "instances")?.text;
  expect(sentence).toBe(
    instances === 1
      ? undefined
      : "That is on 4 instances that count apart, which the sender reaches by turns.",
  );
});

test("a file without a limit that was searched has no worst case", () => {
  const facts = { format: "weir-worst-of-file/1", name: "a.conf", kind: "nginx" } as const;
  expect(answerWorstOfFile({ ...facts, limits: [] })).toMatchObject([
    { id: "worst", text: "a.conf has no limit that was searched." },
  ]);
});

test.each([
  [["--rate", "5"], "--rate and --config do not go together: a file has its own limits"],
  [
    ["--search-time", "2s"],
    "--config takes no --search-time: limits of a file are tried by fixed patterns of sending",
  ],
  [["--fleet", "x"], '--fleet: "x" is no number and no file that can be read'],
  [["--set", "x"], "--set must be NAME=VALUE"],
])("%j is refused in a sentence", async (flags, sentence) => {
  const { code, err } = await weir(folderWith(FILES), [...WORST, ...flags]);
  expect([code, err]).toEqual([2, expect.stringContaining(sentence)]);
});

test("a file that is missing is refused", async () => {
  const { code, err } = await weir(folderWith({}), WORST);
  expect([code, err]).toEqual([2, expect.stringContaining("weir worst: nginx.conf")]);
});

test("a limit that is counted in parts of a request is searched and shown in requests", async () => {
  const files = {
    "traefik.yaml": `http:
  middlewares:
    few: { rateLimit: { average: 7, period: 1m, burst: 2 } }
  routers:
    all: { rule: "PathPrefix(\`/\`)", middlewares: [few] }
`,
  };
  const { out } = await weir(folderWith(files), ["worst", "--config", "traefik.yaml", "--json"]);
  const document = JSON.parse(out) as WorstOfFile;
  expect(document.limits).toMatchObject([{ rate: 7, perUs: 60_000_000, most: 9 }]);
  expect(document.answer[0]!.text).toMatch(/which is 7 per minute on average\.$/);
});

test("on a fleet a limit whose counters the file shares is one, and a local limit is one for each instance", async () => {
  const files = {
    "policy.yaml": `apiVersion: gateway.envoyproxy.io/v1alpha1
kind: BackendTrafficPolicy
metadata: { name: all }
spec:
  targetRefs: [{ group: gateway.networking.k8s.io, kind: HTTPRoute, name: shop }]
  rateLimit:
    local:
      rules: [{ limit: { requests: 3, unit: Minute } }]
    global:
      rules: [{ limit: { requests: 5, unit: Minute } }]
`,
  };
  const args = ["worst", "--config", "policy.yaml", "--fleet", "4", "--json"];
  const { out } = await weir(folderWith(files), args);
  const { limits } = JSON.parse(out) as WorstOfFile;
  expect(limits.map(({ rate, instances, most }) => [rate, instances, most])).toEqual([
    [3, 4, expect.any(Number)],
    [5, 1, 10],
  ]);
  expect(limits[0]!.most! % 4).toBe(0);
});
