import { join } from "node:path";
import { Redis } from "ioredis";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { KEEPS_NOTHING, startRedis, type RedisServer } from "../redis/server.ts";
import { redisIsThere } from "../redis/there.ts";
import { ALGORITHMS } from "./samples.ts";
import { folderWith, weir } from "./weir.ts";

const repository = join(import.meta.dirname, "../..");
const folder = { "scenarios/limits/algorithms.yaml": ALGORITHMS };

test.each([
  ["localhost:6379", /--store: localhost:6379 is not the address of a store; write redis:\/\/HOST/],
  ["redis+cluster://a:1", /--store needs one server/],
])("%s is refused before anything runs", async (address, sentence) => {
  const result = await weir(folderWith(folder), ["run", "--store", address]);
  expect(result).toMatchObject({
    code: 2,
    out: "",
    err: expect.stringMatching(sentence) as string,
  });
});

test.each([
  ["--driver", "embedded", /--store: the driver embedded uses the memory store/],
  ["--swarm", "3", /--swarm cannot be combined with --store/],
])("%s %s brings its own store", async (option, value, sentence) => {
  const args = ["run", "--store", "redis://127.0.0.1:1", option, value];
  const result = await weir(folderWith(folder), args);
  expect(result).toMatchObject({
    code: 2,
    out: "",
    err: expect.stringMatching(sentence) as string,
  });
});

test("an unreachable store is reported in one sentence", async () => {
  const args = ["run", "--store", "redis://127.0.0.1:1"];
  expect(await weir(folderWith(folder), args)).toEqual({
    code: 3,
    out: "",
    err: "weir run: no store responds at redis://127.0.0.1:1: connect ECONNREFUSED 127.0.0.1:1\n",
  });
});

describe.skipIf(!redisIsThere)("over a real Redis", () => {
  let server: RedisServer;
  beforeAll(async () => void (server = await startRedis()));
  afterAll(() => server.stop());

  // Records of every kind are written there; `npm run nightly` runs all the others on a Redis too.
  const FOLDERS = ["algorithms", "fleet", "smoothing"].map((name) => `scenarios/${name}`);

  test("scenarios are decided as by memory, and nothing is left behind", async () => {
    const args = ["run", ...FOLDERS, "--quiet", "--store", server.url];
    const { code, out } = await weir(repository, args);
    expect(code).toBe(0);
    expect(out).toMatch(/^\d{3,} passed, 0 failed, 0 skipped$/m);
    const client = new Redis(server.port);
    expect(await client.dbsize()).toBe(0);
    expect(await client.info("commandstats")).toMatch(/cmdstat_evalsha:calls=\d{4}/);
    client.disconnect();
  });

  test("a variant that imitates a limiter of others is skipped, with the reason", async () => {
    const files = ["tyk", "whole-tokens"].map((name) => `scenarios/profiles/${name}.yaml`);
    const { code, out } = await weir(repository, ["run", ...files, "--store", server.url]);
    expect(out).toContain(
      "the scripts of Redis imitate no limiter of others: profiles/whole-tokens",
    );
    expect(out).toMatch(/^[1-9]\d* passed, 0 failed, [1-9]\d* skipped$/m);
    expect(code).toBe(0);
  });

  test("a store that answers otherwise fails, at the first operation that differs", async () => {
    const deaf = await startRedis((port, folderOf) => [
      ...KEEPS_NOTHING(port, folderOf),
      'rename-command EVAL ""',
    ]);
    try {
      const { code, out } = await weir(folderWith(folder), ["run", "--store", deaf.url]);
      expect(code).toBe(1);
      expect(out).toMatch(
        /the store replies as memory does: operation 1, take \(spend\) of key\/1000000us\|key:alice by/,
      );
      expect(out).toMatch(
        /expected +refusedBy -1, waitUs 0, delayUs 0, shown 0, limit 5, remaining 4/,
      );
      expect(out).toMatch(/observed +nothing \(error\)/);
    } finally {
      await deaf.stop();
    }
  });
});
