import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { selectSample, type Rehearsed, type SampleCandidate } from "#src/lab/run/sample.ts";
import { OFFERS } from "#src/lab/drivers/offers.ts";
import { durationUs, reasonsAgainst } from "#src/lab/drivers/support.ts";
import { SECOND, micros } from "#src/kit/units.ts";
import { decode } from "#src/lab/scenario/read/decode.ts";

const root = join(import.meta.dirname, "../../..");
const scenarios = readdirSync(join(root, "scenarios"), { recursive: true, encoding: "utf8" })
  .filter((name) => name.endsWith(".yaml"))
  .toSorted()
  .map((name) => `scenarios/${name}`)
  .flatMap((file) => decode(file, readFileSync(join(root, file), "utf8")).scenario ?? []);

const MOST = 70;
const options = { stretch: 1, maxDurationUs: micros(10 * SECOND) };

const playable = (name: keyof typeof OFFERS): readonly SampleCandidate[] =>
  scenarios.flatMap((scenario) =>
    scenario.variants
      .filter((variant) => reasonsAgainst(OFFERS[name], scenario, variant, options).length === 0)
      .map((variant) => ({ scenario, variant, durationUs: durationUs(variant) })),
  );

const idsIn = (candidates: readonly SampleCandidate[]): Set<string> =>
  new Set(
    candidates.flatMap(({ variant }) => variant.expectations.flatMap(({ proves }) => proves)),
  );

const leaveDecided = (): Promise<Rehearsed> => Promise.resolve("decided");

test.each(["embedded", "redis"] as const)(
  "%s: seventy variants show every requirement that can be shown on it, most with several algorithms",
  async (name) => {
    const all = playable(name);
    const chosen = await selectSample(all, MOST, leaveDecided);
    expect(chosen.length).toBe(MOST);
    expect([...idsIn(all)].filter((id) => !idsIn(chosen).has(id))).toEqual([]);
    const algorithms = chosen.map(({ variant }) => variant.world.configuration?.options.algorithm);
    expect(new Set(algorithms).size).toBeGreaterThan(8);
    expect(await selectSample(all, MOST, leaveDecided)).toEqual(chosen);
  },
);

test("six at a time they take half a minute at most", async () => {
  const lasts = (await selectSample(playable("redis"), MOST, leaveDecided)).map(
    (one) => one.durationUs,
  );
  expect(lasts.reduce((sum, us) => sum + us, 0) / 6).toBeLessThan(30 * SECOND);
});

test("where there is room for one, it is the one that shows the most for its time", async () => {
  const all = playable("embedded");
  const [one, ...others] = await selectSample(all, 1, leaveDecided);
  expect(others).toEqual([]);
  const worth = ({ variant, durationUs: us }: SampleCandidate): number =>
    new Set(variant.expectations.flatMap(({ proves }) => proves)).size / (500_000 + us);
  expect(worth(one!)).toBeGreaterThan(1 / 500_000);
  expect(await selectSample([one!], MOST, leaveDecided)).toEqual([one]);
});

test("nothing is chosen that shows nothing new", async () => {
  const [first] = playable("embedded");
  expect((await selectSample([first!, first!, first!], MOST, leaveDecided)).length).toBeGreaterThan(
    0,
  );
  expect(new Set(await selectSample([first!, { ...first! }], MOST, leaveDecided)).size).toBe(1);
});

const candidate = (name: string, durationUs: number, ...proves: readonly string[]) => {
  const { scenario } = decode(
    "a.yaml",
    `id: limits/a
title: five a second
proves: [${proves.join(", ")}]
world:
  apis: { orders: { listen: /orders } }
  keys: { alice: { apis: [orders], rate: 5, per: 1 } }
  gateway: { algorithm: gcra }
traffic: [{ as: alice, send: GET /orders, burst: 1 }]
expect: [{ id: ${name}, count: {}, equals: 1 }]
`,
  );
  return { scenario: scenario!, variant: scenario!.variants[0]!, durationUs };
};

test.each([
  ["a slower one that late requests leave decided", { quick: "open" }, ["slow"]],
  ["none that late requests make look like a failure", { quick: "wrong" }, ["slow"]],
  [
    "of those that are open the quickest, if no other shows the requirement",
    { quick: "open", slow: "open" },
    ["quick"],
  ],
  ["nothing, if every one may look like a failure", { quick: "wrong", slow: "wrong" }, []],
] as const)("of two variants that show the same it takes %s", async (_, rehearsed, names) => {
  const nameOf = ({ variant }: SampleCandidate): string => variant.expectations[0]!.id;
  const results: Readonly<Record<string, Rehearsed>> = rehearsed;
  const chosen = await selectSample(
    [candidate("quick", 1, "LIM-1"), candidate("slow", 2, "LIM-1")],
    MOST,
    (one) => Promise.resolve(results[nameOf(one)] ?? "decided"),
  );
  expect(chosen.map(nameOf)).toEqual(names);
});
