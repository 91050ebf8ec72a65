import { expect, test } from "vitest";
import { playAll, threadsFor } from "../../src/cli/play-all.node.ts";
import type { Finished, Task } from "../../src/cli/play.node.ts";
import { decode } from "../../src/scenario/read/decode.ts";
import { ALGORITHMS, FAILING, sample } from "./samples.ts";

function taskOf(text: string, index: number): Task {
  const id = /^id: (.+)$/m.exec(text)?.[1] ?? "";
  const { scenario } = decode(`scenarios/${id}.yaml`, text);
  if (scenario === null) throw new Error(`${id} has a fault`);
  return { index, scenario, meant: new Set(scenario.variants.map(({ name }) => name)) };
}

const tasks = [
  ALGORITHMS,
  sample("limits/fails", { expect: FAILING }),
  ...Array.from({ length: 30 }, (_, n) => sample(`limits/one-${n}`)),
].map(taskOf);

async function played(of: readonly Task[], threads: number): Promise<readonly Finished[]> {
  const all: Finished[] = [];
  for await (const finished of playAll(of, { seed: 1, histories: undefined }, threads))
    all.push(finished);
  return all;
}

test("however many threads play, the same comes out in the same order", async () => {
  const alone = await played(tasks, 1);
  expect(alone.map(({ index }) => index)).toEqual(tasks.map(({ index }) => index));
  expect(alone.map(({ results }) => results.length)).toEqual([2, ...tasks.slice(1).map(() => 1)]);
  expect(await played(tasks, 2)).toEqual(alone);
  expect(await played(tasks, 4)).toEqual(alone);
});

test("whoever has seen enough may stop", async () => {
  const seen: number[] = [];
  for await (const { index } of playAll(tasks, { seed: 1, histories: undefined }, 2)) {
    seen.push(index);
    if (index === 1) break;
  }
  expect(seen).toEqual([0, 1]);
});

test("a few variants are not worth another thread", () => {
  expect(threadsFor(tasks)).toBe(1);
});

test("a fault of Weir is told with the scenario in which it happened", async () => {
  const { scenario, meant } = tasks[0]!;
  const variants = scenario.variants.map((variant) => ({ ...variant, traffic: null as never }));
  const broken = [0, 1, 2, 3].map((index) => ({
    index,
    meant,
    scenario: { ...scenario, variants },
  }));
  await expect(played(broken, 1)).rejects.toThrow(/^limits\/algorithms: /);
  await expect(played(broken, 2)).rejects.toThrow(/^limits\/algorithms: /);
});
