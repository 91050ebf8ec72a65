import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { rewriterOf } from "#src/studies/mutants/script-mutant.ts";
import { scriptRuns } from "#src/studies/mutants/script-traffic.ts";
import { tryScripts } from "#src/studies/mutants/try-scripts.node.ts";
import { REQUIREMENTS } from "#src/limiter/spec/requirements.ts";
import { SCRIPT_TEXTS, scriptOf } from "#src/limiter/store/lua/script.ts";
import { startRedis, type RedisServer } from "../../redis/server.ts";
import { redisIsThere } from "../../redis/there.ts";
import { scriptMutants } from "./scripts.ts";

test("each mutant changes one place of one file, and every file has some", () => {
  expect(new Set(scriptMutants.map(({ name }) => name)).size).toBe(scriptMutants.length);
  expect(scriptMutants.length).toBeGreaterThanOrEqual(25);
  expect(new Set(scriptMutants.map(({ file }) => file))).toEqual(
    new Set(Object.keys(SCRIPT_TEXTS)),
  );
  for (const mutant of scriptMutants) {
    const rewrite = rewriterOf(mutant);
    const changed = Object.values(SCRIPT_TEXTS)
      .flat()
      .filter((piece) => rewrite(piece) !== piece);
    expect({ name: mutant.name, changed: changed.length }).toEqual({
      name: mutant.name,
      changed: 1,
    });
  }
});

test("each mutant names existing requirements", () => {
  const ids = new Set(REQUIREMENTS.map(({ id }) => id));
  expect(scriptMutants.flatMap(({ breaks }) => breaks).filter((id) => !ids.has(id))).toEqual([]);
});

test("a text that is missing or occurs twice is reported with its file", () => {
  const [mutant] = scriptMutants;
  expect(() => rewriterOf({ ...mutant!, text: "no such text" })).toThrow(
    /"no such text" occurs 0 times in src\/limiter\/store\/lua\/counts\.ts/,
  );
  expect(() => rewriterOf({ ...mutant!, text: "local" })).toThrow(/it has to occur once/);
});

test("a script is rewritten only by a rewriter", () => {
  expect(scriptOf(1, () => "other")).toBe("other");
  expect(scriptOf(1)).toBe(SCRIPT_TEXTS.counts[0]);
});

test("a client that never pauses is admitted once at its rate, and then always refused (ALG-4)", () => {
  const admitted = scriptRuns(1, 0).flatMap(({ name, turns }) =>
    /^persistent, (sliding_log|bounded_log|non_transactional|sentinel)$/.test(name)
      ? [turns.filter(({ replies }) => replies[0]!.refusedBy < 0).length]
      : [],
  );
  // Five: the sentinel with a fixed mark, which lets through again when its mark has run out, is the last of them.
  expect(admitted.slice(0, 4)).toEqual([2, 2, 2, 2]);
  expect(admitted).toHaveLength(5);
});

describe.skipIf(!redisIsThere)("over a Redis", () => {
  let server: RedisServer;
  beforeAll(async () => {
    server = await startRedis();
  });
  afterAll(() => server.stop());

  test("the scripts reply as memory does, their keys live as long as they count, and every mutant is killed", async () => {
    const { original, tried } = await tryScripts(server.url, scriptMutants, 1);
    expect(original).toBe(null);
    const alive = tried.filter(({ killedBy }) => killedBy === null);
    expect(alive.map(({ mutant }) => mutant.name)).toEqual([]);
  });
});
