// weir recommend from a log to its text, its document and its exit code.
import { expect, test } from "vitest";
import type { RecommendationDocument } from "#src/studies/recommend/result.ts";
import type { ReplayResult } from "#src/studies/replay/result.ts";
import { sampleLogs } from "../docs/sample-logs.ts";
import { folderWith, weir } from "./weir.ts";

const USUAL = ["--per", "1m"];

async function recommendationOf(
  folder: string,
  args: readonly string[],
): Promise<RecommendationDocument> {
  const { code, out, err } = await weir(folder, ["recommend", ...args, "--json"]);
  expect(err).toBe("");
  expect(code).toBe(0);
  return JSON.parse(out) as RecommendationDocument;
}

const targets = ["--refuse-at-most", "2%", "--clients-at-most", "10%"];

test.each(["access.log", "api.ndjson"])(
  "weir replay --limit has the counts of each recommended rate of %s, and one less misses the target",
  async (log) => {
    const folder = folderWith(sampleLogs);
    const by = ["--algorithm", "all"];
    const windows = ["--per", "1s,1m"];
    const result = await recommendationOf(folder, [log, ...windows, ...targets, ...by]);
    expect(result.candidates).toHaveLength(20);
    for (const { rate, limit, algorithm, refused, refusedClients } of result.candidates) {
      if (rate === null) continue;
      const own = ["--algorithm", String(algorithm)];
      const lower = rate === 1 ? [] : [limit.replace(/^\d+/, String(rate - 1))];
      const limits = ["--limit", [limit, ...lower].join(",")];
      const { out } = await weir(folder, ["replay", log, "--json", ...own, ...limits]);
      const [first, second] = (JSON.parse(out) as ReplayResult).candidates;
      expect({ algorithm, ...first }).toMatchObject({ limit, refused, refusedClients });
      expect(first!.refusedShare).toBeLessThanOrEqual(0.02);
      expect(first!.refusedClientShare).toBeLessThanOrEqual(0.1);
      const isMissed = second === undefined || second.refusedShare! > 0.02;
      expect(isMissed || second.refusedClientShare! > 0.1).toBe(true);
    }
  },
);

test("a candidate that no rate helps has a row and a sentence; with only such ones the exit code is 1", async () => {
  const at = `"time":"2026-01-05T10:00:00.000Z"`;
  const log = Array.from({ length: 50 }, (_, i) => `{${at},"ip":"192.0.2.${i % 5}"}\n`).join("");
  const later = '{"time":"2026-01-05T10:02:00.000Z","ip":"192.0.2.0"}\n';
  const folder = folderWith({ "a.log": `${log}${later}` });
  const { code, out } = await weir(folder, ["recommend", "a.log", ...USUAL, "--algorithm", "gcra"]);
  expect(code).toBe(1);
  expect(out).toContain("none/1m  gcra");
  expect(out).toContain("no rate of gcra per 1m meets the target: each one up to 1,000,000,000");
  expect(out).toContain("refuses 45 of 51 requests");
  expect(out).toContain("No candidate meets the target");
  const both = ["--algorithm", "gcra,token_bucket"];
  const result = await weir(folder, ["recommend", "a.log", ...USUAL, ...both]);
  expect(result.code).toBe(0);
  expect(result.out).toMatch(
    /^Limit each client to 10 per minute by a token bucket: it refuses none of the 51 requests\.\n/,
  );
});

test("a log with one client has no interval", async () => {
  const at = (minute: number): string =>
    `{"time":"2026-01-05T10:0${minute}:00.000Z","ip":"192.0.2.1"}\n`;
  const folder = folderWith({ "a.log": `${at(0)}${at(2)}` });
  const { code, out } = await weir(folder, ["recommend", "a.log", ...USUAL]);
  expect(code).toBe(0);
  expect(out).toContain("2 requests by ip");
  expect(out).toContain("With one client in the log, nothing shows what other clients need.");
});

test("a share of 0 % refuses nothing", async () => {
  const folder = folderWith(sampleLogs);
  const none = ["--refuse-at-most", "0", "--clients-at-most", "0%"];
  const result = await recommendationOf(folder, ["api.ndjson", ...USUAL, ...none]);
  for (const { refused, refusedClients } of result.candidates)
    expect([refused, refusedClients]).toEqual([0, 0]);
});

test.each([
  [[], "--per is needed, such as 1m, or 1s,1m,1h"],
  [["--per", "0s"], '--per: "0s" is no window of at most a year'],
  [["--per", "1m,60s"], "--per has 60s twice; remove one"],
  [["--per", "1d,24h"], "--per has 24h twice; remove one"],
  [[...USUAL, "--refuse-at-most", "150%"], "--refuse-at-most must be a percentage of at least 0 %"],
  [[...USUAL, "--refuse-at-most", "0.001"], 'such as 0.1%; got "0.001"'],
  [[...USUAL, "--clients-at-most", "100%"], 'below 100 %, such as 0.1%; got "100%"'],
  [[...USUAL, "--clients-at-most=-1%"], "--clients-at-most must be a percentage"],
  [[...USUAL, "--algorithm", "token_buckets"], "did you mean token_bucket?"],
  [[...USUAL, "--profile", "envoy"], "--profile envoy drops budgets if there are many clients"],
  [[...USUAL, "--where", "status"], '--where: "status" is no condition'],
  [[...USUAL, "--where", "path = /none"], "no request is left; check --where"],
  [[...USUAL, "--key", "user"], "no request has the key: all 2103 are without it"],
] as const)("%j is a wrong question: %s", async (args, sentence) => {
  const folder = folderWith({ "access.log": sampleLogs["access.log"]! });
  const { code, out, err } = await weir(folder, ["recommend", "access.log", ...args]);
  expect(err).toContain(sentence);
  expect([code, out]).toEqual([2, ""]);
});

test("the text of a log cannot write to the terminal", async () => {
  const sly = String.raw`[31mred`;
  const log = Array.from(
    { length: 20 },
    (_, i) => `{"time":"2026-01-05T10:00:${10 + i}.000Z","ip":"${i < 15 ? sly : "b"}"}\n`,
  ).join("");
  const folder = folderWith({ "a.log": log });
  const { out } = await weir(folder, ["recommend", "a.log", ...USUAL, "--key", "field:ip"]);
  expect(out).toContain("red");
  expect(out).not.toContain("\u001B");
});

test("the target is about requests that are not bad, by a condition or by a list of clients", async () => {
  const folder = folderWith({ ...sampleLogs, "bad.txt": "192.0.2.10\n" });
  const args = ["api.ndjson", ...USUAL, "--algorithm", "all"];
  const byCondition = await recommendationOf(folder, [...args, "--bad", "path = /items"]);
  const byList = await recommendationOf(folder, [...args, "--bad-clients", "bad.txt"]);
  expect(byCondition).toMatchObject({
    badRequests: 450,
    badClients: 1,
    requests: 1653,
    clients: 40,
  });
  expect(byList).toEqual(byCondition);
  const others = await recommendationOf(folder, [...args, "--where", "path != /items"]);
  const sizes = ({ candidates }: RecommendationDocument): readonly unknown[] =>
    candidates.map(({ limit, algorithm, refused }) => [limit, algorithm, refused]);
  expect(sizes(byCondition)).toEqual(sizes(others));
  const log = byCondition.candidates.find(({ algorithm }) => algorithm === "token_bucket")!;
  const replay = ["replay", "api.ndjson", "--algorithm", "token_bucket", "--limit", log.limit];
  const { out } = await weir(folder, [...replay, "--json"]);
  const [own] = (JSON.parse(out) as ReplayResult).candidates;
  expect(log.badRefused).toBeGreaterThan(0);
  expect(log.badRefused + log.refused).toBe(own!.refused);
  // Each client sends requests of one path, and so is bad or not.
  expect(log.badRefusedClients).toBe(1);
  expect(log.badRefusedClients + log.refusedClients).toBe(own!.refusedClients);
  const text = await weir(folder, ["recommend", ...args, "--bad", "path = /items"]);
  expect(text.out).toContain("450 of them are labelled as bad; all shares are of the others");
  expect(text.out).toContain("bad requests that token_bucket refuses by rate, and what it costs");
  expect(text.out).toMatch(/^rate +bad +share +clients +share +others +share +clients +share$/m);
  const all = await weir(folder, ["recommend", ...args, "--bad", "method = GET"]);
  expect(all.err).toContain("all requests are labelled as bad");
  expect(all.code).toBe(2);
});

const SEARCH = ["recommend", "api.ndjson", "--per=1m", "--algorithm=token_bucket"];

test.each([
  [
    ["--bad-clients=empty.txt"],
    2,
    "weir recommend: --bad-clients empty.txt lists no client; write one on each line",
  ],
  [
    ["--bad-clients=others.txt"],
    0,
    "weir recommend: warning: no client in others.txt sent a request of the logs, so that none is bad; write clients as --key has them",
  ],
  [
    ["--bad-clients=some.txt"],
    0,
    "weir recommend: warning: only 1 of the 2 clients in some.txt sent a request of the logs",
  ],
  [
    ["--bad=path = /x", "--bad=method = GET"],
    0,
    "weir recommend: warning: no request matches --bad 'path = /x' and --bad 'method = GET'",
  ],
])("labels that find nothing have a message: %j", async (args, wanted, message) => {
  const folder = folderWith({
    ...sampleLogs,
    "empty.txt": " \n\n",
    "others.txt": "198.51.100.99\n",
    "some.txt": "198.51.100.99\n192.0.2.10\n",
  });
  const { code, err } = await weir(folder, [...SEARCH, ...args]);
  expect({ code, line: err.split("\n")[0] }).toEqual({ code: wanted, line: message });
});

test("all requests as one client have a target of requests, and no words about clients", async () => {
  const args = ["--key=none", "--refuse-at-most=5%"];
  const { code, out } = await weir(folderWith(sampleLogs), [...SEARCH, ...args]);
  expect(code).toBe(0);
  const lines = out.split("\n");
  expect(lines[0]).toBe(
    "Limit all clients together to 223 per minute by a token bucket: it refuses 105 of 2,103 requests (5.0 %).",
  );
  const table = lines.slice(lines.indexOf("") + 1);
  expect(table[1]).toMatch(/^2,103 requests as one client, /);
  expect(table[3]).toBe("smallest rates that refuse at most 5 % of 2,103 requests:");
  expect(table[4]).toMatch(/^ limit +by +refused +knee +most in window$/);
});

test("CSV with names and no request is no log", async () => {
  const folder = folderWith({ "names.csv": "time,ip\n" });
  const { code, err } = await weir(folder, ["recommend", "names.csv", "--per=1m"]);
  expect({ code, err }).toEqual({
    code: 2,
    err: "weir recommend: names.csv: it has the names of columns and no request\n",
  });
});

test("the tables of candidates are readable in 80 columns", async () => {
  const folder = folderWith(sampleLogs);
  const args = ["access.log", "--per", "1s,1m", ...targets, "--algorithm", "all"];
  const { out } = await weir(folder, ["recommend", ...args]);
  const rows = out.split("\n").filter((line) => /^ *(limit|\w+\/1[sm])  \w+/.test(line));
  expect(rows.length).toBeGreaterThan(2 * 20);
  expect(rows.filter((row) => row.length > 80)).toEqual([]);
});

test("of many outliers the table lists those with the highest peaks, and the document has all", async () => {
  const line = (client: string, second: number): string =>
    `${client} - - [05/Jan/2026:10:00:${String(second % 60).padStart(2, "0")} +0000] "GET / HTTP/1.1" 200 1 "-" "x"\n`;
  const light = Array.from({ length: 2500 }, (_, i) => line(`10.0.${i >> 8}.${i & 255}`, i));
  const heavy = Array.from({ length: 24 }, (_, i) =>
    Array.from({ length: 30 + i }, (__, at) => line(`192.0.2.${i}`, at)),
  ).flat();
  const folder = folderWith({ "access.log": [...light, ...heavy].join("") });
  const args = ["access.log", "--per", "30s", "--algorithm", "sliding_log"];
  const { advice } = await recommendationOf(folder, args);
  const all = advice[0]!.outliers!.clients.map(({ client }) => client);
  expect(all.length).toBeGreaterThan(20);
  const { out } = await weir(folder, ["recommend", ...args]);
  const title = `\n${all.length} clients without which 1/30s meets the target, and these are the 20 with the highest peaks:\n`;
  const [, rows = ""] = out.split(title);
  expect(rows.split("\n\n")[0]!.match(/^192\S+/gm)).toEqual(all.slice(0, 20));
});
