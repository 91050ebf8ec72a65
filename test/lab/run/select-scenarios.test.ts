import { expect, test } from "vitest";
import { micros, SECOND } from "#src/kit/units.ts";
import { OFFERS } from "#src/lab/drivers/offers.ts";
import { selectScenarios, type RealSelection } from "#src/lab/run/select-scenarios.node.ts";
import { sample } from "../../cli/samples.ts";

const SELECTION: RealSelection = {
  offer: OFFERS.embedded,
  settings: { stretch: 1, maxDurationUs: micros(10 * SECOND), seed: 1, only: [], sample: 9 },
};
const SOURCES = ["limits/one", "limits/two", "limits/three"].map((id) => ({
  file: `scenarios/${id}.yaml`,
  text: sample(id).replace(/proves: .*\n/, ""), // each shows itself
}));

const chosenUntil = async (mostLooks: number): Promise<number> => {
  let looks = 0;
  const all = await selectScenarios(SELECTION, SOURCES, () => looks++ >= mostLooks);
  expect(all.map(({ scenario }) => scenario.id)).toEqual([
    "limits/one",
    "limits/two",
    "limits/three",
  ]);
  return all.filter(({ selected }) => selected.size > 0).length;
};

test("a sample that is not needed any more is not rehearsed further", async () => {
  expect(await Promise.all([9, 1, 0].map(chosenUntil))).toEqual([3, 1, 0]);
});
