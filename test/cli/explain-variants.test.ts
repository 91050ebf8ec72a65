// weir explain of a scenario with a matrix, from the failure of a run to the request of one variant.
import { expect, test } from "vitest";
import { folderWith, weir } from "./weir.ts";

const SCENARIO = `
id: examples/m
title: one limit of 10 per 10 s decides by a token bucket or a log
about: >
  A key with 10 requests per 10 s sends 2 per second.
proves: [ALG-C9]
matrix:
  algorithm: [token_bucket, sliding_log]
world:
  apis: { orders: { listen: /orders } }
  keys: { alice: { apis: [orders], rate: 10, per: 10 } }
  gateway: { algorithm: $algorithm }
traffic:
  - { name: a, as: alice, send: GET /orders, rate: 2, for: 25s }
expect:
  - { id: only one is refused, count: { status: 429 }, equals: 1 }
`;

const explain = async (...args: readonly string[]): Promise<string> => {
  const { out } = await weir(folderWith({ "m.yaml": SCENARIO }), ["explain", "m.yaml", ...args]);
  return out.replaceAll(/\s+/g, " ");
};

test("a failed variant ends in the command that explains one of its requests, and the answer has the variant", async () => {
  const folder = folderWith({ "m.yaml": SCENARIO });
  const { out } = await weir(folder, ["run", "m.yaml"]);
  const commands = [...out.matchAll(/^ {2}explain {3}weir (.*)$/gm)].map(([, words]) => words!);
  expect(commands).toEqual([
    "explain m.yaml a:22 --variant algorithm=token_bucket --seed 1",
    "explain m.yaml a:12 --variant algorithm=sliding_log --seed 1",
  ]);
  for (const command of commands) {
    const explained = await weir(folder, command.split(" "));
    const [variant] = /algorithm=\w+/.exec(command)!;
    expect(explained.code).toBe(0);
    expect(explained.out).toContain("alice got 429: ");
    expect(explained.out.replaceAll("\n", " ")).toContain(
      `This is variant ${variant}, one of 2 (--variant).`,
    );
  }
});

test("a token bucket was filled by its last requests, and the tokens that came back are counted", async () => {
  const text = await explain("a:40");
  expect(text).toContain("9.5 of the 10 tokens for this key were used");
  expect(text).toContain(
    "filled by 29 requests since 0 s, and 19.5 tokens came back meanwhile; the last 10: a:21 at 10 s: 200 a:23 at 11 s",
  );
  expect(text).toContain("a:39 at 19 s: 200 admitted");
  // Nothing came back between requests of one instant.
  expect(await explain("a:22", "--variant", "algorithm=sliding_log")).toMatch(
    /filled by a:\d+ at .* and 7 more; --json prints all/,
  );
});

test("an admitted request of a bucket has the tokens that were left", async () => {
  expect(await explain("a:15")).toContain("Before it, 3 of the 10 tokens for this key were left.");
  expect(await explain("a:19")).toContain("Before it, 1 of the 10 tokens for this key was left.");
});

test("a variant has a number, in the order of its scenario, and a wrong one lists them all", async () => {
  expect(await explain("a:22", "--variant", "2")).toContain(
    "This is variant algorithm=sliding_log",
  );
  expect(await explain("a:15", "--variant", "1")).toContain("variant algorithm=token_bucket");
  for (const wrong of ["3", "0", "1.0", "sliding_log"]) {
    const { code, err } = await weir(folderWith({ "m.yaml": SCENARIO }), [
      "explain",
      "m.yaml",
      "a:1",
      "--variant",
      wrong,
    ]);
    expect(code).toBe(2);
    expect(err).toContain(`no variant "${wrong}"; choose one by its name or its number:`);
    expect(err).toContain('  2  "algorithm=sliding_log"');
  }
});
