// weir recommend --config: the answer, its document, and the change applied by the program patch.
import { spawnSync } from "node:child_process";
import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { Ajv2020 } from "ajv/dist/2020.js";
import { expect, test } from "vitest";
import { changeSchema, type ChangeResult } from "#src/studies/diff/change-result.ts";
import { folderWith, weir } from "./weir.ts";

const line = (address: string, path: string, second: number): string =>
  `${address} - - [05/Jan/2026:10:00:${String(second).padStart(2, "0")} +0000] "GET ${path} HTTP/1.1" 200 1 "-" "x"\n`;

const FILES = {
  "access.log": [
    ...Array.from({ length: 20 }, (_, at) => line("192.0.2.1", "/login", 2 * at)),
    ...Array.from({ length: 6 }, (_, at) => line("192.0.2.2", "/", 10 * at)),
  ].join(""),
  "nginx.conf": `include zones.conf;
server {
  location = /login { limit_req zone=login burst=2; }
  location = / { limit_req zone=rest; }
}
`,
  "zones.conf": `limit_req_zone $remote_addr zone=rest:1m rate=10r/s;
limit_req_zone $remote_addr zone=login:1m rate=6r/m; # 6 per minute`,
};
const RECOMMEND = ["recommend", "access.log", "--config", "nginx.conf"];

test("the answer has the present refusals and the change, which patch applies", async () => {
  const folder = folderWith(FILES);
  const { code, out, err } = await weir(folder, RECOMMEND);
  expect([code, err]).toEqual([0, ""]);
  const [first, second, third, fourth] = out.split("\n");
  expect(first).toBe(
    "nginx.conf refuses 14 of 26 requests (53.8 %), of 1 of 2 clients; the smallest change is burst 16 for 2.",
  );
  expect(second).toBe("All 14 are refused by 6r/m of zone login, burst 2 (nginx.conf:3).");
  expect(third).toMatch(/ write burst 16 for 2 \(nginx\.conf:3\)\.$/);
  expect(fourth).toBe("With it no request of this log is refused.");
  expect(out).toContain(
    "\nIn its place, 27r/m for 6r/m would do too, but then a sender gets up to 30 in any minute, not 23.\n",
  );
  expect(out).toContain("pipe this output into patch nginx.conf to apply it.");
  const patched = spawnSync("patch", ["nginx.conf"], { cwd: folder, input: out });
  expect(patched.status).toBe(0);
  expect(readFileSync(join(folder, "nginx.conf"), "utf8")).toBe(
    FILES["nginx.conf"].replace("burst=2", "burst=16"),
  );
  const again = await weir(folder, RECOMMEND);
  expect(again.code).toBe(0);
  expect(again.out).toMatch(
    /^nginx\.conf refuses none of the 26 requests of this log; leave it as it is\.\n/,
  );
  writeFileSync(join(folder, "nginx.conf"), FILES["nginx.conf"]);
  writeFileSync(join(folder, "zones.conf"), FILES["zones.conf"].replace("6r", "26r"));
  expect((await weir(folder, RECOMMEND)).out).toMatch(/ the smallest change is burst 3 for 2\.\n/);
});

test("the document fits its schema", async () => {
  const { out } = await weir(folderWith(FILES), [...RECOMMEND, "--json"]);
  const document = JSON.parse(out) as ChangeResult;
  const validate = new Ajv2020({ strict: false, validateFormats: false }).compile(
    changeSchema() as object,
  );
  validate(document);
  expect(validate.errors).toBeNull();
  expect(document).toMatchObject({
    requests: 26,
    present: { refused: 14, refusedClients: 1 },
    changes: [
      {
        file: "nginx.conf",
        line: 3,
        what: "burst",
        from: 2,
        to: 16,
        most: 23,
        others: [{ numbers: [{ what: "rate", from: 6, to: 27, unit: "r/m" }], most: 30 }],
      },
    ],
    after: { refused: 0, refusedClients: 0 },
    isMet: false,
    isMetAfter: true,
  });
});

test("--html saves a page with the answer, the numbers and the patch", async () => {
  const folder = folderWith(FILES);
  const { code, err } = await weir(folder, [...RECOMMEND, "--html", "change.html"]);
  expect([code, err]).toEqual([0, "saved: change.html\n"]);
  const page = readFileSync(join(folder, "change.html"), "utf8");
  for (const text of [
    "the smallest change is burst 16 for 2",
    "Numbers to write",
    "23 in any minute",
    "+  location = /login { limit_req zone=login burst=16; }",
  ])
    expect(page).toContain(text);
  const wrong = await weir(folder, [...RECOMMEND, "--html", "nginx.conf"]);
  expect([wrong.code, wrong.err]).toEqual([2, expect.stringContaining("must end in .html")]);
});

test("a warning about the reader is printed once", async () => {
  const kong = `_format_version: "3.0"
services: [{ url: "http://a", routes: [{ paths: [/login] }] }]
plugins: [{ name: rate-limiting, config: { minute: 6 } }]
`;
  const { err } = await weir(folderWith({ ...FILES, "kong.yml": kong }), [
    "recommend",
    "access.log",
    "--config",
    "kong.yml",
  ]);
  expect(err).toMatch(/^weir recommend: warning: kong\.yml: the reader of kong [^\n]*\n?$/);
});

test("a file that can stay has no patch, unless the limit is for all clients", async () => {
  const others = Array.from({ length: 9 }, (_, at) => line(`198.51.100.${at}`, "/login", 5 * at));
  const folder = folderWith({
    ...FILES,
    "access.log": FILES["access.log"] + others.join(""),
  });
  const { code, out } = await weir(folder, RECOMMEND);
  expect([code, out]).toEqual([0, expect.stringMatching(/^Leave nginx\.conf as it is: /)]);
  expect(out).not.toMatch(/^(?:---|\+\+\+|@@) |patch/m);
  const forAll = await weir(folder, [...RECOMMEND, "--with-outliers"]);
  expect([forAll.code, forAll.out]).toEqual([0, expect.stringMatching(/^\+\+\+ nginx\.conf/m)]);
});

test("a fleet that counts apart needs no change", async () => {
  const { out } = await weir(folderWith(FILES), [...RECOMMEND, "--fleet", "8"]);
  expect(out).toMatch(/^nginx\.conf refuses none /);
  expect(out).toContain("The 8 instances count apart, as nginx usually does: ");
});

test("a file that limits no request of the log proves nothing", async () => {
  const none = FILES["nginx.conf"].replace("= /login", "= /a").replace("= / ", "= /b ");
  const { code, out } = await weir(folderWith({ ...FILES, "nginx.conf": none }), RECOMMEND);
  expect([code, out]).toEqual([
    5,
    expect.stringMatching(/^nginx\.conf limits no request of this /),
  ]);
});

test("if no number is enough, it exits with 1", async () => {
  const atOnce = '{"time":"2026-01-05T10:00:00.125Z","ip":"192.0.2.1","method":"GET","path":"/"}\n';
  const folder = folderWith({ ...FILES, "access.log": atOnce.repeat(9) });
  const { code, out } = await weir(folder, RECOMMEND);
  expect(code).toBe(1);
  expect(out).toContain("No change of a rate, a time or a burst is enough to refuse ");
});

test.each([
  [
    ["--per", "1m"],
    "--per and --config do not go together: a file has its own limits; remove one of them",
  ],
  [["--config", "b.conf"], "--config"],
  [["--fleet", "x"], '--fleet: "x" is no number and no file that can be read'],
  [["--where", "path = /none"], "no request is left; check --where"],
])("%j is refused in a sentence", async (flags, sentence) => {
  const { code, err } = await weir(folderWith(FILES), [...RECOMMEND, ...flags]);
  expect([code, err]).toEqual([2, expect.stringContaining(sentence)]);
});

test("a world is not changed", async () => {
  const world = "apis:\n  all: { listen: /, keyless: true, rate: 3, per: 60 }\n";
  const { code, err } = await weir(folderWith({ ...FILES, "world.yaml": world }), [
    "recommend",
    "access.log",
    "--config",
    "world.yaml",
  ]);
  expect([code, err]).toEqual([
    2,
    expect.stringContaining("is a world of Weir; only a file of another limiter is changed"),
  ]);
});
