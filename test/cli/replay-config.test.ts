// weir replay --config: a log decided by the configuration of another limiter, on one instance or several.
import { Ajv2020 } from "ajv/dist/2020.js";
import { expect, test } from "vitest";
import { replaySchema, type ReplayResult } from "#src/studies/replay/result.ts";
import { folderWith, weir } from "./weir.ts";

const line = (address: string, path: string, second: number): string =>
  `${address} - - [05/Jan/2026:10:00:${String(second).padStart(2, "0")} +0000] "GET ${path} HTTP/1.1" 200 1 "-" "x"\n`;

const FILES = {
  "access.log": [
    ...Array.from({ length: 6 }, (_, at) => line("192.0.2.1", `/login?try=${at}`, 0)),
    ...Array.from({ length: 6 }, (_, at) => line("192.0.2.2", "/", 10 * at)),
  ].join(""),
  "nginx.conf": `limit_req_zone $remote_addr zone=login:1m rate=6r/m;
server { location = /login {
  limit_req zone=login burst=2;
  limit_conn places 3;
} }
`,
};
const REPLAY = ["replay", "access.log", "--config", "nginx.conf"];

const documentOf = async (more: readonly string[], files = FILES): Promise<ReplayResult> =>
  JSON.parse((await weir(folderWith(files), [...REPLAY, ...more, "--json"])).out) as ReplayResult;

test("the answer has what the file refuses, by which limit and where", async () => {
  const { code, out, err } = await weir(folderWith(FILES), REPLAY);
  expect([code, err]).toEqual([0, ""]);
  expect(out.split("\n").slice(0, 4)).toEqual([
    "nginx.conf refuses 3 of 12 requests (25.0 %), all of client 192.0.2.1 (50.0 % of its requests); no other client is refused.",
    "The refusals: 3 by 6r/m of zone login, burst 2 (nginx.conf:3).",
    "All 3 refused requests are GET /login.",
    "This may be wrong: limit_conn places 3 (nginx.conf:4) is not understood: it limits connections at the same time, which this reader does not read.",
  ]);
  expect(out).toContain("limits: nginx.conf (nginx)\n  6r/m  zone login, burst 2, nginx.conf:3");
  expect(out).toMatch(/^GET \/login +6 +3 +50\.0 %$/m);
});

test("a file that answers before its limits has no limit that counts", async () => {
  const text = FILES["nginx.conf"].replace("limit_conn places 3", "return 200");
  const { code, out } = await weir(folderWith({ ...FILES, "nginx.conf": text }), REPLAY);
  expect(code).toBe(0);
  expect(out.split("\n").slice(0, 2)).toEqual([
    "nginx.conf refuses none of the 12 requests.",
    "nginx.conf limits no request of this log: return 200 (nginx.conf:4) answers before the limit counts.",
  ]);
  expect(out).not.toContain("counts no request of the log");
});

test("the document fits its schema and has rules and endpoints", async () => {
  const document = await documentOf(["--limit", "60/1m", "--algorithm", "token_bucket"]);
  const validate = new Ajv2020({ strict: false, validateFormats: false }).compile(
    replaySchema() as object,
  );
  validate(document);
  expect(validate.errors).toBeNull();
  const [limit, file] = document.candidates;
  expect(limit).toMatchObject({ configuration: null, endpoints: [], world: null });
  expect(file).toMatchObject({
    world: "nginx.conf",
    limit: null,
    refused: 3,
    configuration: { kind: "nginx", fleet: null, rules: [{ counted: 6, refused: 3, status: 503 }] },
    endpoints: [{ name: "GET /login", requests: 6, refused: 3 }],
  });
});

test("each refusal is of the limit that refused it", async () => {
  const config = FILES["nginx.conf"].replace(
    "server {",
    "limit_req_zone $remote_addr zone=all:1m rate=6r/m;\nserver { limit_req zone=all burst=9;",
  );
  const files = { ...FILES, "nginx.conf": config };
  const { candidates } = await documentOf([], files);
  const counts = candidates[0]!.configuration!.rules.map(({ rule, counted, refused }) => [
    rule,
    counted,
    refused,
  ]);
  expect(counts).toEqual([
    ["zone all, burst 9", 6, 0],
    ["zone login, burst 2", 6, 3],
  ]);
});

test("names of endpoints are left out with --anonymise", async () => {
  const { candidates } = await documentOf(["--anonymise"]);
  expect(candidates[0]).toMatchObject({ refused: 3, endpoints: [] });
});

test.each([
  [
    "3",
    0,
    "The 3 instances count apart, as nginx usually does: 6r/m admits up to 18 per minute by round robin.",
  ],
  ["3,own", 0, "The 3 instances count apart: 6r/m admits up to 18 per minute by round robin."],
  ["2,shared", 3, "The 2 instances share their counters: each limit is one for all of them."],
  [
    "2,own,sticky",
    3,
    "The 2 instances count apart; each client stays on one, so that only a limit that clients share grows, to 2 times.",
  ],
])("on a fleet of %s it refuses %i", async (fleet, refused, sentence) => {
  const { candidates, answer } = await documentOf(["--fleet", fleet]);
  expect(candidates[0]!.refused).toBe(refused);
  expect(answer.find(({ id }) => id === "fleet")!.text).toBe(sentence);
});

test("a fleet is a file too, and one instance is no fleet", async () => {
  const files = {
    ...FILES,
    "fleet.yaml": "fleet:\n  instances: 3\n  counters: own\n  balancer: round-robin\n",
    "one.yaml": "fleet: { instances: 1 }\n",
  };
  const three = await documentOf(["--fleet", "fleet.yaml"], files);
  expect(three.candidates[0]!.configuration!.fleet).toEqual({
    instances: 3,
    sharesCounters: false,
    isAssumed: false,
    balancer: "round-robin",
  });
  const ofRules = three.candidates[0]!.configuration!.rules.map(({ instances }) => instances);
  expect(new Set(ofRules)).toEqual(new Set([3]));
  expect(three.candidates[0]!.refused).toBe(0);
  const one = await documentOf(["--fleet", "one.yaml"], files);
  expect([one.candidates[0]!.configuration!.fleet, one.candidates[0]!.refused]).toEqual([null, 3]);
});

test.each([
  [["--fleet", "0"], '--fleet: instances must be an integer from 1 to 1000; got "0"'],
  [["--fleet", "4,both"], '--fleet: "both" is none of own, shared, round-robin, sticky; write'],
  [["--fleet", "4,own,shared"], '"4,own,shared" has two words of a kind; write 4'],
  [["--fleet", "none.yaml"], '"none.yaml" is no number and no file that can be read'],
  [["--fleet", "nginx.conf"], "nginx.conf"],
  [["--fleet", "no.yaml"], 'no.yaml has no map "fleet"; write fleet: { instances: 4 }'],
  [
    ["--fleet", "odd.yaml"],
    'odd.yaml:2: "instance" is no field of fleet; there are instances, counters',
  ],
  [["--fleet", "bad.yaml"], 'bad.yaml:1: counters must be own or shared; got "3"'],
  [["--config", "missing.conf"], "missing.conf"],
  [["--set", "x"], "--set must be NAME=VALUE"],
  [["--queue", "redis://127.0.0.1:1"], "--config works on one machine only; leave out --queue"],
])("%j is refused in a sentence", async (flags, sentence) => {
  const folder = folderWith({
    ...FILES,
    "no.yaml": "instances: 4\n",
    "odd.yaml": "fleet:\n  instance: 4\n",
    "bad.yaml": "fleet: { instances: 2, counters: 3 }\n",
  });
  const { code, err } = await weir(folder, [...REPLAY, ...flags]);
  expect([code, err]).toEqual([2, expect.stringContaining(sentence)]);
});

test("--fleet without --config is refused", async () => {
  const { code, err } = await weir(
    folderWith(FILES),
    "replay access.log --limit 6/1m --fleet 4".split(" "),
  );
  expect([code, err]).toEqual([2, expect.stringContaining("--fleet needs --config")]);
});
