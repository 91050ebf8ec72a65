import { expect, test } from "vitest";
import { requireValue } from "#src/kit/reading/failure.ts";
import { ALGORITHMS } from "#src/limiter/core/algorithms.ts";
import { readBehaviours } from "#src/studies/implementations/behaviours.node.ts";
import { playModel } from "#src/studies/implementations/play.node.ts";

const behaviours = requireValue(readBehaviours());

/** A burst of 1, a queue, and a share of the window before: each admits another number of a burst. */
const OTHERWISE: Readonly<Record<string, readonly string[]>> = {
  gcra: [
    "a-clock-goes-back",
    "a-limit-is-raised",
    "a-store-is-gone-and-back",
    "bursts-above-the-limit",
    "exact-under-concurrency",
    "five-of-ten",
    "refused-by-one-level-only",
    "twenty-keys",
    "twenty-one-keys",
    "uneven-below-a-limit-per-minute",
    "uneven-below-the-limit",
    "what-remains-can-be-used",
  ],
  leaky_bucket: [
    "a-clock-goes-back",
    "a-cost-above-the-limit",
    "a-limit-is-raised",
    "a-refused-cost-spends-nothing",
    "a-store-is-gone-and-back",
    "bursts-above-the-limit",
    "exact-under-concurrency",
    "five-of-ten",
    "refused-by-one-level-only",
    "twenty-keys",
    "twenty-one-keys",
    "what-remains-can-be-used",
  ],
  sliding_window_counter: ["bursts-above-the-limit"],
};

async function whichFail(model: Parameters<typeof playModel>[0]): Promise<readonly string[]> {
  const results = await Promise.all(
    behaviours.map(async ({ id, scenario }) => ({
      id,
      result: await playModel(model, scenario, 1),
    })),
  );
  return results.filter(({ result }) => result.outcome !== "pass").map(({ id }) => id);
}

test.each(ALGORITHMS)("%s shows every behaviour that its claim allows", async (algorithm) => {
  const model = algorithm === "drl" ? { drl_threshold: 1 } : { algorithm };
  expect(await whichFail(model)).toEqual(OTHERWISE[algorithm] ?? []);
});

test("gcra with a burst of the rate shows them all", async () => {
  expect(await whichFail({ algorithm: "gcra", burst: "rate" })).toEqual([]);
});

test("a behaviour is one variant, and sets no option of a gateway but a burst", () => {
  for (const { id, scenario } of behaviours) {
    expect({ id, variants: scenario.variants.length }).toEqual({ id, variants: 1 });
    const { gateway } = scenario.variants[0]!.world.raw;
    expect([undefined, { algorithm: "gcra", burst: 4 }]).toContainEqual(gateway);
  }
});

test("an unknown behaviour is reported", () => {
  expect(readBehaviours(["five-of-tenn"])).toMatchObject({
    message: expect.stringContaining("no behaviour is called five-of-tenn") as string,
  });
});
