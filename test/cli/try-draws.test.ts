import { expect, test } from "vitest";
import type { TryResult } from "#src/studies/try/result.ts";
import { folderWith, weir } from "./weir.ts";

const STEADY = ["try", "--limit=5/s", "--rate=4/s", "--algorithm=gcra", "--for=30s"];

test("--draws has the number of draws, from the seed on, and one is run if nothing is random", async () => {
  const folder = folderWith({});
  const seedsOf = async (...args: readonly string[]): Promise<readonly number[]> => {
    const traffic = [...STEADY, "--bursts=9@10s", "--json", "--seed=3", ...args];
    const { candidates, seed } = JSON.parse((await weir(folder, traffic)).out) as TryResult;
    return [seed, ...candidates[0]!.otherDraws.map((draw) => draw.seed)];
  };
  expect(await seedsOf()).toEqual([3, 4, 5, 6, 7]);
  expect(await seedsOf("--draws=2")).toEqual([3, 4]);
  const { out } = await weir(folder, [...STEADY, "--draws=9", "--legend"]);
  expect(out).toContain("120 requests, 1 gateway, seed 1\n");
  expect(out).not.toContain("draws");
  const random = await weir(folder, [...STEADY, "--population=random", "--draws=9", "--legend"]);
  expect(random.out).toMatch(/, seeds 1 to 9\n[^]*\nEach figure is the middle one of 9 draws, /);
  const last = `--seed=${Number.MAX_SAFE_INTEGER}`;
  expect(await weir(folder, [...STEADY, last])).toMatchObject({
    code: 2,
    err: expect.stringContaining("leaves no seeds for the other draws; write a smaller one"),
  });
  expect(await weir(folder, [...STEADY, "--draws=0"])).toMatchObject({
    code: 2,
    err: expect.stringContaining('--draws must be an integer from 1 to 100; got "0"'),
  });
});
