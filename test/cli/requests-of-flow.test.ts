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
  expect(out).toMatch(/\(herd:7\.2\), GET \/orders as alice at [\d.]+ms: 429/);
  const first = await weir(folder, ["explain", "one.yaml", "herd:7"]);
  expect((await weir(folder, ["explain", "one.yaml", "herd:7.1"])).out).toBe(first.out);
  const { code, err } = await weir(folder, ["explain", "one.yaml", "herd:1.2"]);
  expect([code, err]).toEqual([
    2,
    "one.yaml: there is no herd:1.2: the request has 1 attempt, numbered from 1\n",
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
    /^second attempt of request \d+ \(herd:9\), waited 1s because Retry-After was 1$/,
  );
  expect(await partOf("backoff.yaml", "herd:9.3")).toMatch(
    /^third attempt of request \d+ \(herd:9\), waited 50ms after request \d+ as its backoff, whereas Retry-After was 1$/,
  );
  const { out } = await weir(folder, ["explain", "advised.yaml", "herd:9.2", "--json"]);
  expect((JSON.parse(out) as { readonly retry: object }).retry).toMatchObject({
    attempt: 2,
    waitedUs: 1_000_000,
    retryAfterS: 1,
    behaviour: "honour_retry_after",
  });
});
