import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { selectSample, type SampleCandidate } from "../../src/run/sample.ts";
import { OFFERS } from "../../src/drivers/offers.ts";
import { durationUs, reasonsAgainst } from "../../src/drivers/support.ts";
import { SECOND, micros } from "../../src/core/units.ts";
import { decode } from "../../src/scenario/read/decode.ts";

const root = join(import.meta.dirname, "../..");
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

test.each(["embedded", "redis"] as const)(
  "%s: seventy variants show every requirement that can be shown on it, most with several algorithms",
  (name) => {
    const all = playable(name);
    const chosen = selectSample(all, MOST);
    expect(chosen.length).toBe(MOST);
    expect([...idsIn(all)].filter((id) => !idsIn(chosen).has(id))).toEqual([]);
    const algorithms = chosen.map(({ variant }) => variant.world.configuration?.options.algorithm);
    expect(new Set(algorithms).size).toBeGreaterThan(8);
    expect(selectSample(all, MOST)).toEqual(chosen);
  },
);

test("six at a time they take half a minute at most", () => {
  const lasts = selectSample(playable("redis"), MOST).map((one) => one.durationUs);
  expect(lasts.reduce((sum, us) => sum + us, 0) / 6).toBeLessThan(30 * SECOND);
});

test("where there is room for one, it is the one that shows the most for its time", () => {
  const all = playable("embedded");
  const [one, ...others] = selectSample(all, 1);
  expect(others).toEqual([]);
  const worth = ({ variant, durationUs: us }: SampleCandidate): number =>
    new Set(variant.expectations.flatMap(({ proves }) => proves)).size / (500_000 + us);
  expect(worth(one!)).toBeGreaterThan(1 / 500_000);
  expect(selectSample([one!], MOST)).toEqual([one]);
});

test("nothing is chosen that shows nothing new", () => {
  const [first] = playable("embedded");
  expect(selectSample([first!, first!, first!], MOST).length).toBeGreaterThan(0);
  expect(new Set(selectSample([first!, { ...first! }], MOST)).size).toBe(1);
});
