// weir diff from files to its text, its document, its other outputs and its exit code.
import { spawn, spawnSync } from "node:child_process";
import { once } from "node:events";
import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { setTimeout } from "node:timers/promises";
import { Ajv2020 } from "ajv/dist/2020.js";
import { expect, onTestFinished, test } from "vitest";
import { diffSchema, type DiffResult } from "#src/studies/diff/result.ts";
import { sourceEntry } from "../built.ts";
import { readOutput } from "./output.ts";
import { folderWith, quietEnvironment, weir } from "./weir.ts";

const line = (address: string, path: string, second: number): string =>
  `${address} - - [05/Jan/2026:10:00:${String(second).padStart(2, "0")} +0000] "GET ${path} HTTP/1.1" 200 1 "-" "x"\n`;

/** Six requests to /login within a second, and six others within a minute. */
const LOG = [
  ...Array.from({ length: 6 }, () => line("192.0.2.1", "/login", 0)),
  ...Array.from({ length: 6 }, (_, at) => line("192.0.2.2", "/", 10 * at)),
].join("");

const nginx = (
  burst: number,
  more = "",
): string => `limit_req_zone $remote_addr zone=login:1m rate=6r/m;
server {
  location = /login {
    limit_req zone=login burst=${burst};
    ${more}
  }
}
`;

const FILES = { "access.log": LOG, "old.conf": nginx(5), "new.conf": nginx(2) };
const DIFF = ["diff", "old.conf", "new.conf", "--log", "access.log"];

test("the answer comes first, then clients, endpoints and both configurations", async () => {
  const { code, out, err } = await weir(folderWith(FILES), DIFF);
  expect([code, err]).toEqual([0, ""]);
  const lines = out.split("\n");
  expect(lines[0]).toBe(
    "1 client would lose 50.0 % of its requests: 192.0.2.1; none would gain one.",
  );
  expect(lines).toContain("  6r/m  zone login, burst 5, old.conf:4, counts 6 requests, refuses 0");
  expect(lines).toContain("  6r/m  zone login, burst 2, new.conf:4, counts 6 requests, refuses 3");
  expect(lines.map((each) => each.trim().split(/ {2,}/))).toContainEqual([
    "GET /login",
    "6",
    "0",
    "3",
    "3",
    "50.0 %",
    "0",
  ]);
});

test("the document fits its schema", async () => {
  const { out } = await weir(folderWith(FILES), [...DIFF, "--json"]);
  const document = JSON.parse(out) as DiffResult;
  const validate = new Ajv2020({ strict: false, validateFormats: false }).compile(
    diffSchema() as object,
  );
  validate(document);
  expect(validate.errors).toBeNull();
  expect(document).toMatchObject({ requests: 12, lost: 3, gained: 0, clients: 2, losers: 1 });
  expect(document.changes).toEqual([
    {
      file: "new.conf",
      line: 4,
      text: "limit_req zone=login burst=2",
      was: "limit_req zone=login burst=5",
    },
  ]);
});

test.each([
  [["--refuse-at-most", "25%"], 0],
  [["--refuse-at-most", "24%"], 4],
  [["--clients-at-most", "50%"], 0],
  [["--clients-at-most", "49%"], 4],
])("%j allows it or exits with 4", async (flags, code) => {
  expect((await weir(folderWith(FILES), [...DIFF, ...flags])).code).toBe(code);
});

test("a limit and a world are compared too", async () => {
  const world = `apis:
  all: { listen: /, keyless: true, key_by: ip, rate: 3, per: 60 }
gateway: { algorithm: fixed_window }
`;
  const folder = folderWith({ ...FILES, "world.yaml": world });
  const { out } = await weir(folder, [
    "diff",
    "3/1m:fixed_window",
    "world.yaml",
    "--log",
    "access.log",
    "--json",
  ]);
  const { before, after, ...counts } = JSON.parse(out) as DiffResult;
  expect([before.kind, after.kind]).toEqual(["limit", "world"]);
  expect(counts).toMatchObject({ refusedBefore: 6, refusedAfter: 6, lost: 0, gained: 0 });
});

test("--set gives a variable a value that only production has", async () => {
  const text = nginx(5).replace("$remote_addr", "$plan_of_module");
  const folder = folderWith({ ...FILES, "new.conf": text });
  const open = await weir(folder, DIFF);
  expect(open.out).toContain(
    "question: $plan_of_module is taken as empty; --set plan_of_module=VALUE gives it",
  );
  const { out } = await weir(folder, [...DIFF, "--set", "$plan_of_module=free", "--json"]);
  const { after } = JSON.parse(out) as DiffResult;
  expect(after.questions).toEqual([{ name: "plan_of_module", value: "free", isSet: true }]);
});

test("--git reads a file and its includes from a revision", async () => {
  const folder = folderWith({
    "access.log": LOG,
    "conf/nginx.conf": "include /etc/nginx/zones/*.conf;\ninclude server.conf;\n",
    "conf/zones/login.conf": "limit_req_zone $remote_addr zone=login:1m rate=6r/m;\n",
    "conf/server.conf": "server { location = /login { limit_req zone=login burst=5; } }\n",
  });
  const git = (...args: readonly string[]): void => {
    const author = ["-c", "user.name=a", "-c", "user.email=a@example.org"];
    expect(spawnSync("git", [...author, ...args], { cwd: folder }).status).toBe(0);
  };
  git("init", "--quiet");
  git("add", "--all");
  git("commit", "--quiet", "--message", "first");
  git("tag", "first");
  writeFileSync(
    join(folder, "conf/server.conf"),
    "server { location = /login { limit_req zone=login burst=2; } }\n",
  );
  const run = async (...args: readonly string[]) =>
    weir(folder, ["diff", ...args, "--log", "access.log", "--json"]);
  const ofFile = await run("--git", "first:conf/nginx.conf", "conf/nginx.conf");
  const found = JSON.parse(ofFile.out) as DiffResult;
  expect(found.before.rules).toMatchObject([{ file: "first:conf/server.conf", line: 1 }]);
  expect(found).toMatchObject({ lost: 3, changes: [{ file: "conf/server.conf", line: 1 }] });
  git("commit", "--quiet", "--all", "--message", "second");
  const both = JSON.parse(
    (await run("--git", "first:conf/nginx.conf", "--git", "HEAD:conf/nginx.conf")).out,
  ) as DiffResult;
  expect(both).toMatchObject({ lost: 3, after: { name: "HEAD:conf/nginx.conf" } });
  for (const [typed, problem] of [
    [
      "none:conf/nginx.conf",
      "--git none:conf/nginx.conf: git has no revision none here; fetch it, or name another",
    ],
    ["first:none.conf", "--git first:none.conf: the revision first has no file none.conf"],
    ["first", '--git must be REV:FILE, such as --git main:nginx.conf; got "first"'],
  ] as const)
    expect(
      await weir(folder, ["diff", "--git", typed, "conf/nginx.conf", "--log", "access.log"]),
    ).toEqual({
      code: 2,
      out: "",
      err: `weir diff: ${problem}\n`,
    });
});

test("outside of a repository --git is a clear error", async () => {
  const { code, err } = await weir(
    folderWith(FILES),
    "diff --git main:old.conf new.conf --log access.log".split(" "),
  );
  expect(code).toBe(2);
  expect(err).toMatch(/^weir diff: --git: .*not a git repository/);
});

test("--markdown has the answer first, and no markup of a log", async () => {
  const log = LOG.replaceAll("/login", "/login|<b>");
  const folder = folderWith({
    ...FILES,
    "access.log": log,
    "new.conf": nginx(2).replace("= /login", "/login"),
  });
  const { out } = await weir(folder, [...DIFF, "--markdown"]);
  expect(out).toMatch(/^\*\*1 client would gain|^\*\*1 client would lose/);
  expect(out).toContain(String.raw`| GET /login\|\<b\> | 6 |`);
  expect(out).toContain("<details><summary>Changed statements</summary>");
});

test("--markdown keeps names of the answer and of statements in code", async () => {
  const one = '{"time":"2026-01-05T10:00:00Z","ip":"@shop/owners","method":"GET","path":"/"}\n';
  const folder = folderWith({
    "access.log": one.repeat(2),
    "new.conf": "limit_req_zone @owners zone=a:1m rate=1r/m; server { limit_req zone=a; }\n",
  });
  const words = ["diff", "9/1m", "new.conf", "--log", "access.log", "--key", "field:ip"];
  const { out } = await weir(folder, [...words, "--markdown"]);
  expect(out).toMatch(/^\*\*`1 client would lose .*@shop\/owners.*`\*\*\n\n/);
  expect(out).toContain("\n9/1m sliding_log to new.conf: 2 requests of 1 client by field:ip, ");
  expect(out).toContain("\n- `new.conf:1 limit_req_zone @owners zone=a:1m rate=1r/m`\n");
});

test("a build on GitHub gets a summary, and annotations at the lines that changed", async () => {
  const folder = folderWith({ ...FILES, "summary.md": "" });
  const summary = join(folder, "summary.md");
  const environment = { GITHUB_ACTIONS: "true", GITHUB_STEP_SUMMARY: summary };
  const { err } = await weir(folder, [...DIFF, "--refuse-at-most", "0%"], environment);
  expect(err).toBe(
    "::error file=new.conf,line=4,title=weir diff::1 client would lose 50.0 %25 of its requests: 192.0.2.1; none would gain one.\n",
  );
  expect(readFileSync(summary, "utf8")).toMatch(/^\*\*1 client would lose/);
  const same = await weir(
    folder,
    ["diff", "old.conf", "old.conf", "--log", "access.log"],
    environment,
  );
  expect(same.err).toBe("");
});

test("--html saves a page that begins with the answer", async () => {
  const folder = folderWith(FILES);
  const { code, err } = await weir(folder, [...DIFF, "--html", "diff.html"]);
  expect([code, err]).toEqual([0, "saved: diff.html\n"]);
  const page = readFileSync(join(folder, "diff.html"), "utf8");
  expect(page).toContain(
    "1 client would lose 50.0\u00A0% of its requests: 192.0.2.1; none would gain one",
  );
  expect(page).toContain("limit_req zone=login burst=2");
});

test("text of a configuration runs neither on a terminal nor on a page", async () => {
  const hostile = `some_limit "<script>alert(1)</script>\u001B[31m";`;
  const folder = folderWith({
    ...FILES,
    "new.conf": nginx(2).replace("server {", `server { ${hostile}`),
  });
  const { out } = await weir(folder, [...DIFF, "--html", "diff.html"]);
  const { out: json } = await weir(folder, [...DIFF, "--json"]);
  const page = readFileSync(join(folder, "diff.html"), "utf8");
  expect([out, json, page].map((each) => each.includes("alert(1)"))).toEqual([true, true, true]);
  expect(out + json + page).not.toContain("\u001B");
  expect(page).not.toContain("<script>alert");
});

test.each([
  [{ "new.conf": "server {\n  listen 80" }, 'new.conf:2: "listen" has no semicolon; add one'],
  [
    { "new.conf": "server { {{ limits }} }" },
    "new.conf is a template; render it, and name the rendered file",
  ],
  [
    { "new.conf": "http { include part.conf; }", "part.conf": "server { {{ limits }} }" },
    "new.conf:1: part.conf is a template; render it, and name the rendered file",
  ],
  [
    { "new.conf": "http { include gone.conf; }" },
    "new.conf:1: include gone.conf: gone.conf does not exist",
  ],
  [
    { "new.conf": "http { include new.conf; }" },
    "new.conf includes itself; remove one of these includes",
  ],
  [{ "new.conf": "\0\u0001" }, "new.conf: this is a binary file"],
  [
    { "new.conf": "#".repeat(5_000_001) },
    "new.conf has more than 5 MB, which is no configuration of limits",
  ],
])("%#: a file that is no configuration is an error", async (files, problem) => {
  expect(await weir(folderWith({ ...FILES, ...files }), DIFF)).toEqual({
    code: 2,
    out: "",
    err: `weir diff: ${problem}\n`,
  });
});

test("other text is neither a world nor a configuration of a known kind", async () => {
  const { code, err } = await weir(folderWith({ ...FILES, "new.conf": "just some words\n" }), DIFF);
  expect(code).toBe(2);
  expect(err).toMatch(
    /^weir diff: new\.conf is no world of Weir, and no configuration that one of these readers recognizes: nginx, [^\n]*\n$/,
  );
  const world = { ...FILES, "new.conf": "apis: [\n" };
  expect((await weir(folderWith(world), DIFF)).err).toMatch(
    /^new\.conf:\d+:\d+ error SET-YAML this is not YAML 1\.2: [^\n]*\n$/,
  );
});

test.each([
  [
    ["diff", "old.conf", "--log", "access.log"],
    "two configurations are needed, OLD and NEW; --git REV:FILE is one of them",
  ],
  [["diff", "old.conf", "new.conf"], "there are no requests; add --log, such as --log access.log"],
  [[...DIFF, "--set", "a"], '--set must be NAME=VALUE, such as --set http_x_plan=free; got "a"'],
  [[...DIFF, "--kind", "apache"], '--kind: there is no reader "apache"; there are nginx, envoy,'],
  [[...DIFF, "--json", "--markdown"], "--json and --markdown are two ways to print it; choose one"],
  [[...DIFF, "--html", "new.txt"], 'the file of a page must end in .html; got "new.txt"'],
  [[...DIFF, "--refuse-at-most", "x"], "--refuse-at-most"],
])("%j is refused", async (args, problem) => {
  const { code, out, err } = await weir(folderWith(FILES), args);
  expect(code).toBe(2);
  expect(out + err).toContain(problem);
});

test("Ctrl-C ends a diff that waits for more lines, and prints the result until then", async () => {
  const child = spawn(
    process.execPath,
    [sourceEntry, "diff", "1/1m", "2/1m", "--log=-", "--key", "field:ip", "--json"],
    { cwd: folderWith({}), env: quietEnvironment },
  );
  onTestFinished(() => void child.kill("SIGKILL"));
  const { text } = readOutput([child.stdout], once(child, "close"));
  child.stderr.resume();
  const one = '{"time":"2026-01-05T10:00:00.5Z","ip":"192.0.2.1"}\n';
  // More than a pipe holds: when all of it is written, the command reads.
  await new Promise((resolve) => child.stdin.write(one.repeat(6000), resolve));
  await setTimeout(300);
  child.kill("SIGINT");
  expect(await once(child, "close")).toEqual([130, null]);
  expect((JSON.parse(text()) as DiffResult).isInterrupted).toBe(true);
});

test("a reader that follows documentation alone is named by a warning", async () => {
  const kong = (minute: number): string =>
    `_format_version: "3.0"\nservices: [{ url: "http://a", routes: [{ paths: [/login] }] }]\nplugins: [{ name: rate-limiting, config: { minute: ${minute} } }]\n`;
  const folder = folderWith({ "access.log": LOG, "old.yml": kong(6), "new.yml": kong(3) });
  const { out, err } = await weir(folder, ["diff", "old.yml", "new.yml", "--log", "access.log"]);
  expect(out).toContain("1 client would lose 50.0 % of its requests: 192.0.2.1");
  expect(err.trim().split("\n")).toEqual(
    ["old.yml", "new.yml"].map(
      (file) =>
        `weir diff: warning: ${file}: the reader of kong follows its documentation, and was not compared with kong itself`,
    ),
  );
});
