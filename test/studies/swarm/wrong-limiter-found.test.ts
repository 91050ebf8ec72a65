// The swarm finds a limiter that is known to be wrong, and makes its world small: without a command, in one thread.
// wrong-limiter.test.ts has the same as a user sees it.
import { once } from "node:events";
import { Worker } from "node:worker_threads";
import { expect, test } from "vitest";
import { parse } from "yaml";
import { KINDS } from "#src/studies/swarm/kinds.ts";
import type { WrongSearch, WrongWorld } from "./wrong-thread.node.ts";

const MUTANTS = ["merge/last-policy", "algorithms/log-admits-one-more"];

/**
 * The seeds of the first kind, from the first one on. Nothing takes time in its worlds: they run in milliseconds, and are
 * soon made small. One in six shows the mutant that is harder to find, so that a hundred without any are no accident.
 */
const MOST_WORLDS = 100;
const seeds = Array.from({ length: MOST_WORLDS }, (_, index) => (index + 1) * KINDS.length);

async function search(workerData: WrongSearch): Promise<readonly WrongWorld[]> {
  const worker = new Worker(new URL("wrong-thread.node.ts", import.meta.url), { workerData });
  try {
    const [worlds] = (await once(worker, "message")) as [readonly WrongWorld[]];
    return worlds;
  } finally {
    await worker.terminate();
  }
}

test("a wrong limiter is found among the first hundred worlds of a kind, and its world made small", async () => {
  const worlds = await search({ mutants: MUTANTS, seeds });
  expect(worlds.map(({ mutant }) => mutant)).toEqual(MUTANTS);
  for (const { mutant, found, text, failsWith, failsWithout } of worlds) {
    expect({ mutant, kind: found?.kind }).toEqual({ mutant, kind: KINDS[0]!.name });
    expect(found!.requestsLeft).toBeGreaterThan(0);
    expect(found!.requestsLeft).toBeLessThanOrEqual(10);
    expect({ failsWith, failsWithout }).toEqual({
      failsWith: found!.failure.what,
      failsWithout: null,
    });
    expect(parse(text)).toMatchObject({
      id: `regressions/${found!.name}`,
      about: expect.stringContaining(`Seed ${found!.seed} of the swarm`) as unknown,
      proves: expect.arrayContaining([expect.any(String)]) as unknown,
    });
  }
});
