import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { gzipSync } from "node:zlib";
import { expect, test } from "vitest";
import { sample } from "./samples.ts";
import { folderWith, weir } from "./weir.ts";

const retrying = (clients: number): string =>
  sample("limits/one", {
    traffic: `
  - name: herd
    as: alice
    send: GET /orders
    burst: 8
    clients: ${clients}
    behaviour: { backoff: { base: 100ms, factor: 2, maxAttempts: 3 } }`,
    expect: "\n  - { id: some, count: { status: 200 }, atLeast: 1 }",
  });

test("an attempt at a request of a client is explained by its name", async () => {
  const folder = folderWith({ "one.yaml": retrying(8) });
  const { out } = await weir(folder, ["explain", "one.yaml", "herd:7.2"]);
  expect(out).toMatch(/herd:7\.2, GET \/orders as alice at [\d.]+ s: 429/);
  // No requirement is its cause: the key has no policy.
  expect(out).toContain("  limit ");
  expect(out).not.toContain("because");
  const first = await weir(folder, ["explain", "one.yaml", "herd:7"]);
  expect((await weir(folder, ["explain", "one.yaml", "herd:7.1"])).out).toBe(first.out);
  const { code, err } = await weir(folder, ["explain", "one.yaml", "herd:1.2"]);
  expect([code, err]).toEqual([
    2,
    "weir explain: one.yaml: there is no herd:1.2: the request has 1 attempt, numbered from 1\n",
  ]);
});

test("which attempts there are is named if a client has several requests", async () => {
  const folder = folderWith({ "one.yaml": retrying(1) });
  const { code, err } = await weir(folder, ["explain", "one.yaml", "herd:7.2"]);
  expect(code).toBe(2);
  expect(err).toMatch(
    /herd:7\.2 is ambiguous: its client has 8 requests at that instant, and attempt 2 may be request 8 or 9 or 10 of the history; write one of these numbers/,
  );
  expect((await weir(folder, ["explain", "one.yaml", "request"])).err).toContain("FLOW:N.M");
  const herd = join(import.meta.dirname, "../../scenarios/examples/retrying-herd.yaml");
  expect((await weir(folder, ["explain", herd, "impatient:11.3"])).err).toMatch(
    /may be request 140 or 141 or 142 or one of 37 others of the history; write one of these/,
  );
});

test("an explanation names the attempt, what it waited, and why", async () => {
  const traffic = (behaviour: string): string => `
  - name: herd
    as: alice
    send: GET /orders
    every: 100ms
    count: 9
    behaviour: ${behaviour}`;
  const expected = "\n  - { id: some, count: { status: 200 }, atLeast: 1 }";
  const folder = folderWith({
    "advised.yaml": sample("limits/advised", {
      traffic: traffic("honourRetryAfter"),
      expect: expected,
    }),
    "backoff.yaml": sample("limits/backoff", {
      traffic: traffic("{ backoff: { base: 50ms, factor: 1 } }"),
      expect: expected,
    }),
  });
  const partOf = async (file: string, request: string): Promise<string> => {
    const { out } = await weir(folder, ["explain", file, request]);
    return /^ {2}attempt {4}([^]*?)\n {2}\w/m.exec(out)?.[1]?.replaceAll(/\n +/g, " ") ?? "";
  };
  expect(await partOf("advised.yaml", "herd:9")).toBe("");
  expect(await partOf("advised.yaml", "herd:9.2")).toMatch(
    /^second attempt of herd:9, waited 1 s because Retry-After was 1$/,
  );
  expect(await partOf("backoff.yaml", "herd:9.3")).toMatch(
    /^third attempt of herd:9, waited 50 ms after herd:9\.2 as its backoff, whereas Retry-After was 1$/,
  );
  const { out } = await weir(folder, ["explain", "advised.yaml", "herd:9.2", "--json"]);
  expect((JSON.parse(out) as { readonly retry: object }).retry).toMatchObject({
    attempt: 2,
    waitedUs: 1_000_000,
    retryAfterS: 1,
    behaviour: "honour_retry_after",
  });
});

test("without a request the first ten refused ones are named, with a command for the first", async () => {
  const folder = folderWith({ "one.yaml": retrying(8) });
  const { code, out, err } = await weir(folder, ["explain", "one.yaml", "--seed", "3"]);
  expect([code, err]).toEqual([0, ""]);
  const [first, ...names] = out.trimEnd().split("\n");
  expect(first).toMatch(/^one\.yaml: \d of its 1\d requests were refused\.$/);
  expect(names.pop()).toMatch(/^Explain one of them: weir explain one\.yaml herd:\d --seed 3$/);
  expect(new Set(names.map((name) => name.indexOf("  429 ")))).toHaveLength(1);
  for (const name of names) {
    expect(name).toMatch(/^ {2}(?:herd:)?\d+ +429 at \S+ s, GET \/orders as alice$/);
    const request = name.trim().split(" ")[0]!;
    expect((await weir(folder, ["explain", "one.yaml", request])).out).toContain("alice got 429");
  }
  expect(first).toContain(`: ${names.length} of `);
  const json = await weir(folder, ["explain", "one.yaml", "--json"]);
  expect(json.code).toBe(2);
  expect(json.out).toContain("--json explains one request; name it, or leave out --json to list ");
});

test("a log is answered by weir replay, and its bytes are not printed", async () => {
  const folder = folderWith({ "access.log": '192.0.2.10 - - [x] "GET / HTTP/1.1" 200 0\n' });
  writeFileSync(join(folder, "access.log.gz"), gzipSync("192.0.2.10 - -\n"));
  const { code, err } = await weir(folder, ["explain", "access.log.gz", "192.0.2.10:5"]);
  expect([code, err]).toEqual([
    2,
    "weir explain: access.log.gz: this is no history and no scenario; if it is an access log, this command decides its requests by a limit: weir replay access.log.gz --limit N/TIME --where 'ip = 192.0.2.10'\n",
  ]);
  const plain = await weir(folder, ["explain", "access.log"]);
  expect(plain.err).toMatch(/: weir replay access\.log --limit N\/TIME\n$/);
  const checked = await weir(folder, ["check", "access.log.gz"]);
  expect(checked.err + checked.out).toContain("HIST-JSON this line is not a JSON object");
});
