// The most units that one client is charged within any window, against sums over all windows.
import { expect, test } from "vitest";
import * as fc from "fast-check";
import { ChargeMeter } from "#src/studies/replay/charges.ts";
import { holdsUntil } from "../../runs.ts";

interface ClientCharge {
  readonly client: number;
  readonly atUs: number;
  readonly units: number;
}

function measure(perUs: number, charges: readonly ClientCharge[]) {
  const meter = new ChargeMeter(perUs);
  for (const { client, atUs, units } of charges) meter.note(client, atUs, units);
  const { spentUnits, mostUnits, mostClient, mostAtUs } = meter;
  return { spentUnits, mostUnits, mostClient, mostAtUs };
}

test.each([
  [12_999_999, 7, 12_999_999],
  [13_000_000, 4, 13_000_000],
])(
  "in windows of 13 s, a charge %i us after another one makes the most %i",
  (atUs, mostUnits, mostAtUs) => {
    const charges = [
      { client: 2, atUs: 0, units: 3 },
      { client: 2, atUs, units: 4 },
    ];
    expect(measure(13_000_000, charges)).toEqual({
      spentUnits: 7,
      mostUnits,
      mostClient: 2,
      mostAtUs,
    });
  },
);

/** Of all windows that end with a charge; a window does not include its start. */
function sumAllWindows(perUs: number, charges: readonly ClientCharge[]) {
  const sums = charges.map(({ client, atUs }, last) => {
    const within = charges
      .slice(0, last + 1)
      .filter((each) => each.client === client && atUs - each.atUs < perUs);
    return { client, atUs, sum: within.reduce((sum, { units }) => sum + units, 0) };
  });
  const mostUnits = Math.max(0, ...sums.map(({ sum }) => sum));
  const first = sums.find(({ sum }) => sum === mostUnits && sum > 0);
  return {
    spentUnits: charges.reduce((sum, { units }) => sum + units, 0),
    mostUnits,
    mostClient: first?.client ?? -1,
    mostAtUs: first?.atUs ?? 0,
  };
}

/** Steps of which many are a whole window apart. */
const charged = fc.array(
  fc.record({
    step: fc.nat(3),
    client: fc.nat(2),
    units: fc.integer({ min: 0, max: 9 }),
  }),
  { maxLength: 60, size: "max" },
);

test("the most of any window is that of sums over all windows, for odd windows and many clients", async () => {
  let atEdge = 0;
  await holdsUntil(
    300,
    () => atEdge,
    fc.property(charged, fc.constantFrom(1, 2, 7, 13), (drawn, steps) => {
      let at = 0;
      const charges = drawn.map(({ step, ...each }) => ({ ...each, atUs: (at += step) * 999_983 }));
      const perUs = steps * 999_983;
      expect(measure(perUs, charges)).toEqual(sumAllWindows(perUs, charges));
      for (const { client, atUs } of charges)
        atEdge += Number(
          charges.some((each) => each.client === client && atUs - each.atUs === perUs),
        );
    }),
    100,
  );
});
