// weir try --config: the limits of the file of another limiter, with traffic in words.
import { Ajv2020 } from "ajv/dist/2020.js";
import { expect, test } from "vitest";
import { trySchema, type TryResult } from "#src/studies/try/result.ts";
import { folderWith, weir, type CommandOutput } from "./weir.ts";

const FILES = {
  "nginx.conf": `limit_req_zone $binary_remote_addr zone=login:1m rate=1r/s;
limit_req_zone $server_name zone=all:1m rate=60r/m;
include limits/*.conf;
server {
  listen 80;
  server_name a.example;
  location /login { limit_req zone=login burst=2 nodelay; limit_req zone=wide; }
  location /all { limit_req zone=all; limit_conn places 3; }
  location / { limit_req zone=plan; }
}
`,
  "limits/wide.conf": `limit_req_zone $http_host zone=wide:1m rate=900r/s;
limit_req_zone $http_x_plan zone=plan:1m rate=1r/s;
`,
};

const tryIn = (folder: string, ...more: readonly string[]): Promise<CommandOutput> =>
  weir(folder, ["try", "--config", "nginx.conf", ...more]);

const LOGIN = ["--path", "POST /login", "--header", "Host: a.example"];
const STEADY = ["--rate", "2/s", "--for", "30s"];

test("the answer has what the limits of the file refuse, and which of them", async () => {
  const { code, out, err } = await tryIn(folderWith(FILES), ...LOGIN, ...STEADY, "--clients", "2");
  expect([code, err]).toEqual([0, ""]);
  expect(out.split("\n").slice(0, 4)).toEqual([
    "nginx.conf refuses 56 of 120 requests: its limit is 1r/s of zone login, burst 2 (nginx.conf:7).",
    "POST /login is counted by 1 higher limit too: 900r/s of zone wide, burst 0.",
    "Each client sends 2 requests per second, and the limit is 1: in the long run any limiter has to refuse 50 % of all requests.",
    "With nginx.conf a client got up to 2 in one second, and the limit is 1; with other traffic it may be more.",
  ]);
  expect(out).toContain("replay access.log --config nginx.conf");
  expect(out).toContain(
    "\nlimits of nginx.conf that count POST /login:\n  1r/s  zone login, burst 2,",
  );
});

test("a budget of all clients is one, on each gateway, and doubts are in the answer", async () => {
  const folder = folderWith(FILES);
  const args = ["--path", "/all", ...STEADY, "--clients", "3", "--json"];
  const one = JSON.parse((await tryIn(folder, ...args)).out) as TryResult;
  const two = JSON.parse((await tryIn(folder, ...args, "--gateways", "2")).out) as TryResult;
  expect(new Ajv2020().validate(trySchema() as object, one)).toBe(true);
  expect([one, two].map(({ candidates }) => candidates[0]!.admitted)).toEqual([30, 60]);
  expect(one.candidates[0]).toMatchObject({
    limit: "60r/m",
    algorithm: null,
    profile: null,
    mostPossible: null,
    file: { name: "nginx.conf", request: "GET /all", owner: "all", rules: [{ status: 503 }] },
    demand: { budgets: 1, over: 1, planned: 180, beyond: 120 },
  });
  expect(one.answer.map(({ id }) => id)).toEqual([
    "file",
    "shared",
    "unfair",
    "doubt",
    "short",
    "exact",
    "next",
  ]);
});

test("limits that are typed are compared with it, and both have the same traffic", async () => {
  const args = [...LOGIN, ...STEADY, "--population", "random", "--draws", "2"];
  const folder = folderWith(FILES);
  const { out } = await tryIn(
    folder,
    ...args,
    "--limit",
    "1/s",
    "--profile",
    "nginx",
    "--burst",
    "3",
  );
  expect(out).toMatch(/^Nginx of 1 per second refuses (.*) of .* requests/m);
  expect(out).toMatch(/^nginx\.conf refuses (.*): its limit is 1r\/s of zone login, burst 2/m);
  const [own, file] = [...out.matchAll(/^ *1r?\/1?s  (?:profile nginx|nginx\.conf).*$/gm)].map(
    ([row]) =>
      row
        .replace(/^.*?(?:profile nginx|nginx\.conf)/, "")
        .trim()
        .replaceAll(/ +/g, " "),
  );
  expect(file).toBe(own);
});

test("the saved scenario names the file from its folder, and admits as many", async () => {
  const folder = folderWith(FILES);
  const { err } = await tryIn(
    folder,
    ...LOGIN,
    ...STEADY,
    "--retry",
    "backoff,none",
    "--scenario",
    "runs/t.yaml",
  );
  expect(err).toContain("saved: runs/t.yaml");
  const { code, out } = await weir(folder, ["run", "runs/t.yaml"]);
  expect([code, out]).toEqual([0, expect.stringContaining("2 passed, 0 failed")]);
});

test.each([
  [
    [...STEADY],
    "no limit of nginx.conf counts GET /; --path names other requests, and --header what",
  ],
  [[...STEADY, "--path", "login"], '--path: "login" is no path; write it with a leading slash'],
  [[...STEADY, "--header", "x"], "--header takes a name and a value"],
  [[...LOGIN], "there is no traffic; add --rate"],
  [
    [...LOGIN, ...STEADY, "--algorithm", "gcra"],
    "--algorithm is of a limit that is typed; add --limit",
  ],
  [[...LOGIN, ...STEADY, "--kind", "tyk"], "nginx.conf"],
  [[...LOGIN, ...STEADY, "--limit", "1/s", "--scenario", "t.yaml"], "--scenario saves one world"],
])("%j is one sentence", async (args, problem) => {
  const { code, out, err } = await tryIn(folderWith(FILES), ...args);
  expect([code, out]).toEqual([2, ""]);
  expect(err).toContain(problem);
});

test("flags of a file need one, and a file has to be one of another limiter", async () => {
  const folder = folderWith({ "x.yaml": "apis: {}\n", "t.conf": "limit_req_zone {{ key }};\n" });
  const errorOf = async (...args: readonly string[]): Promise<string> =>
    (await weir(folder, ["try", "--rate", "1/s", ...args])).err;
  expect(await errorOf("--path", "/x", "--limit", "1/s")).toContain("--path needs --config");
  expect(await errorOf("--config", "x.yaml")).toContain("x.yaml is recognized by no reader");
  expect(await errorOf("--config", "t.conf")).toContain("t.conf is a template; render it");
  expect(await errorOf("--config", "none.conf")).toContain("none.conf: there is no such file");
});
