import { expect, test } from "vitest";
import { runsOf } from "#src/lab/run/pipeline.ts";
import { virtual } from "#src/lab/drivers/virtual.node.ts";
import type { Variant } from "#src/lab/scenario/types.ts";
import { scenarioOf } from "../../show/small-runs.ts";

const textOf = (expected: string): string => `id: limits/small
title: small
about: small
proves: [LIM-1]
matrix:
  algorithm: [fixed_window, gcra]
world:
  apis: { orders: { listen: /orders } }
  keys: { alice: { apis: [orders], rate: 5, per: 1 } }
  gateway: { algorithm: $algorithm }
traffic:
  - { as: alice, send: GET /orders, burst: 8 }
expect:
  - ${expected}
`;

/** The number of variants that have run when the first is reported, and which are reported in all. */
async function progressOf(expected: string, selected: number) {
  const scenario = scenarioOf(textOf(expected));
  const variants = scenario.variants.slice(0, selected);
  let played = 0;
  const { apply } = virtual();
  const counting = (variant: Variant): ReturnType<typeof apply> => {
    played++;
    return apply(variant);
  };
  const runs = runsOf(scenario, variants, 1, { apply: counting });
  const first = await runs.next();
  const playedAtFirst = played;
  const names = [first.value!.variant.name];
  for await (const { variant } of runs) names.push(variant.name);
  return { playedAtFirst, played, names };
}

const [fixed, gcra] = ["algorithm=fixed_window", "algorithm=gcra"];
const alone = "{ id: counted, count: {}, atLeast: 1 }";
const across = "{ id: alike, sameAs: { variant: { algorithm: fixed_window } } }";

test("a variant is reported before the next runs, so that its history can be released", async () => {
  expect(await progressOf(alone, 2)).toEqual({ playedAtFirst: 1, played: 2, names: [fixed, gcra] });
});

test("compared variants all run, and only the selected ones are reported", async () => {
  expect(await progressOf(across, 2)).toEqual({
    playedAtFirst: 2,
    played: 2,
    names: [fixed, gcra],
  });
  expect(await progressOf(across, 1)).toEqual({ playedAtFirst: 2, played: 2, names: [fixed] });
});

test("a variant that is neither selected nor compared does not run", async () => {
  expect(await progressOf(alone, 1)).toEqual({ playedAtFirst: 1, played: 1, names: [fixed] });
});

test("a failed result has why its last request got its response, and no other result has it", async () => {
  const whyOf = async (expected: string) => {
    const scenario = scenarioOf(textOf(expected));
    const { apply } = virtual();
    const runs = runsOf(scenario, scenario.variants.slice(0, 1), 1, { apply });
    return (await runs.next()).value!.result.why;
  };
  expect(await whyOf(alone)).toBeUndefined();
  expect(await whyOf("{ id: few, count: { status: 429 }, atMost: 2 }")).toMatch(
    /^alice got 429: all 5 requests per second for this key were used; /,
  );
  // No request is against this one.
  expect(await whyOf("{ id: more, count: { status: 500 }, atLeast: 1 }")).toBeUndefined();
});

test("results list clients only if the scenario wants it", async () => {
  const { apply } = virtual();
  const resultOf = async (text: string) => {
    const scenario = scenarioOf(text);
    const runs = runsOf(scenario, scenario.variants.slice(0, 1), 1, { apply });
    return (await runs.next()).value!.result;
  };
  expect(await resultOf(textOf(alone))).not.toHaveProperty("perClient");
  const { perClient } = await resultOf(
    `${textOf(alone).replace("burst: 8", "burst: 8, clients: 4")}lists: [clients]\n`,
  );
  expect(perClient).toMatchObject({
    clients: 4,
    distribution: { servedShare: { least: 0.5, median: 0.5, most: 1 } },
  });
  // Five of eight in turn: the first client has both of its requests admitted.
  expect(perClient!.worst.map(({ client, admitted }) => [client, admitted])).toEqual([
    [1, 1],
    [2, 1],
    [3, 1],
    [0, 2],
  ]);
});
