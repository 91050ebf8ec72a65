import { expect, test } from "vitest";
import { calibrate } from "#src/lab/drivers/calibrate.node.ts";
import type { Driver } from "#src/lab/drivers/driver.ts";
import { createEmbeddedDriver } from "#src/lab/drivers/embedded.node.ts";
import { OFFERS } from "#src/lab/drivers/offers.ts";
import { playVirtual } from "#src/lab/drivers/virtual.ts";
import type { History } from "#src/lab/scenario/history.ts";
import type { Plan, Variant } from "#src/lab/scenario/types.ts";

const driver = (play: (variant: Variant, plan: Plan) => History): Driver => ({
  offer: OFFERS.embedded,
  apply: async (variant) => ({
    play: async (plan) => play(variant, plan),
    close: async () => {},
  }),
  close: async () => {},
});

test("calibration distinguishes a served gateway that admits all from one that admits nothing", async () => {
  const { problem, tripUs } = await calibrate(createEmbeddedDriver());
  expect(problem).toBe(null);
  expect(tripUs).toBeGreaterThan(0);
});

test.each([
  [200, 429],
  [429, 200],
])("a driver whose responses are all %i cannot be used", async (status, missing) => {
  const { problem } = await calibrate(
    driver((variant, plan) => {
      const history = playVirtual(variant, plan);
      history.requests.status.fill(status);
      return history;
    }),
  );
  expect(problem).toBe(`${missing} was expected for all 100 requests: 0 got it, and 0 were lost`);
});

test("a driver whose times are uncertain by a quarter of a second cannot be used", async () => {
  const { problem, uncertainUs } = await calibrate(
    driver((variant, plan) => {
      const history = playVirtual(variant, plan);
      const { fromUs, toUs } = history.requests;
      for (const [row, us] of fromUs.entries()) toUs[row] = us + 250_000;
      return history;
    }),
  );
  expect(uncertainUs).toBe(250_000);
  expect(problem).toContain("the time of a decision is uncertain by 250 ms");
});
