import { expect, test } from "vitest";
import { toMilliseconds } from "../../src/servers/wire.ts";
import { micros, SECOND } from "../../src/core/units.ts";

test.each([
  [0, 1],
  [1, 1],
  [1_001, 2],
  [30 * SECOND, 30_000],
  [365 * 24 * 3_600 * SECOND, 2_147_483_647],
])("of %d us a timer gets %d ms", (us, ms) => {
  expect(toMilliseconds(micros(us))).toBe(ms);
});
