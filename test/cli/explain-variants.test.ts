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

test("a failed variant ends in the command that explains one of its requests, and the answer has the variant", async () => {
  const folder = folderWith({ "m.yaml": SCENARIO });
  const { out } = await weir(folder, ["run", "m.yaml"]);
  const commands = [...out.matchAll(/^ {2}explain {3}weir (.*)$/gm)].map(([, words]) => words!);
  expect(commands).toEqual([
    "explain m.yaml a:38 --variant algorithm=token_bucket --seed 1",
    "explain m.yaml a:20 --variant algorithm=sliding_log --seed 1",
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
