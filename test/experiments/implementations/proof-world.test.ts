import { expect, test } from "vitest";
import { edgePartsOf } from "../../../src/experiments/implementations/proof-world.ts";
import { micros } from "../../../src/core/units.ts";
import { findImplementation } from "../../../src/implementations/catalogue.node.ts";
import { requireValue } from "../../../src/reading/failure.ts";

const { manifest } = requireValue(await findImplementation("express-rate-limit"));

test.each([
  ["real", null, 25_000],
  ["real", 1_000, 25_000],
  ["real", 10_000, 30_000],
  ["virtual", null, 1],
  ["virtual", 10_000, 10_000],
] as const)(
  "with a %s clock of resolution %j, no request is planned nearer to an edge than %d us",
  (clock, resolution, offsetUs) => {
    expect(
      edgePartsOf({
        ...manifest,
        clock,
        resolution: resolution === null ? null : micros(resolution),
      }).offsetUs,
    ).toBe(offsetUs);
  },
);
