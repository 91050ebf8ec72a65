import { expect, test } from "vitest";
import { edgePartsOf, requireProofWorld } from "#src/studies/implementations/proof-world.ts";
import { edgeWorldOf } from "#src/studies/swarm/edge-seeds.ts";
import { playVirtual } from "#src/lab/drivers/virtual.ts";
import { plan } from "#src/lab/scenario/plan/plan.ts";
import { micros } from "#src/kit/units.ts";
import { readWantedWorld } from "#src/lab/implementations/wanted.ts";
import { findImplementation } from "#src/lab/implementations/catalogue.node.ts";
import { requireValue } from "#src/kit/reading/failure.ts";

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

test("the proof of nginx has bursts above the rate, and requests that they admit and refuse", async () => {
  const nginx = requireValue(await findImplementation("nginx")).manifest;
  let above = 0;
  let refusing = 0;
  for (let seed = 1; seed <= 100; seed++) {
    const { profile } = requireProofWorld(edgeWorldOf(edgePartsOf(nginx), seed), nginx, seed);
    const variant = profile.variants[0]!;
    const { limits } = readWantedWorld(variant.world.configuration!);
    if (limits.length === 0 || !limits.every(({ rate, burst }) => burst > rate)) continue;
    above++;
    const { requests } = playVirtual(variant, plan(variant, profile.id, 1));
    if (requests.status.includes(429)) refusing++;
  }
  expect(above).toBeGreaterThan(10);
  expect(refusing).toBeGreaterThan(5);
});
