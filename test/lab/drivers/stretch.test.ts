// Everything k times as slow is decided alike: where it were not, something would have been forgotten.
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { checkVariant } from "#src/lab/check/run.ts";
import { micros } from "#src/kit/units.ts";
import { OFFERS } from "#src/lab/drivers/offers.ts";
import { reasonsAgainst } from "#src/lab/drivers/support.ts";
import { stretchVariant } from "#src/lab/drivers/stretch.ts";
import { stretchRaw } from "#src/lab/drivers/stretch-raw.ts";
import { playVirtual } from "#src/lab/drivers/virtual.ts";
import { plan } from "#src/lab/scenario/plan/plan.ts";
import { decode } from "#src/lab/scenario/read/decode.ts";

const root = join(import.meta.dirname, "../../..");

test.each([
  "algorithms/under-poisson-traffic",
  "algorithms/gcra-and-token-bucket",
  "algorithms/clients-that-come-back",
  "limits/windows-shorter-than-a-second",
  "limits/throttled-requests-wait-and-pass",
  "limits/quota-refusals-spend-nothing",
  "smoothing/hold-off",
  "fleet/drl-threshold-is-exact",
])("%s passes seven times as slow", (name) => {
  const file = `scenarios/${name}.yaml`;
  const { scenario } = decode(file, readFileSync(join(root, file), "utf8"));
  for (const variant of scenario!.variants.slice(0, 9)) {
    const slower = stretchVariant(variant, 7);
    const history = playVirtual(slower, plan(slower, scenario!.id, 1));
    const asItIs = playVirtual(variant, plan(variant, scenario!.id, 1));
    expect(history.requests.sentUs.at(-1)).toBeCloseTo(7 * asItIs.requests.sentUs.at(-1)!, -2);
    const wrong = checkVariant(slower, history).filter(({ outcome }) => outcome !== "pass");
    expect(wrong).toEqual([]);
  }
});

test("a variant that counts in whole seconds is not stretched", () => {
  const file = "scenarios/limits/quota-counts-what-was-admitted.yaml";
  const { scenario } = decode(file, readFileSync(join(root, file), "utf8"));
  const options = { stretch: 7, maxDurationUs: micros(Number.POSITIVE_INFINITY) };
  const against = reasonsAgainst(OFFERS.embedded, scenario!, scenario!.variants[0]!, options);
  expect(against.map(({ missing }) => missing)).toEqual(["stretch"]);
});

test("an API and a key that are called like a duration are stretched as all others", () => {
  const raw = {
    apis: { delay: { listen: "/delay", rate: 2, per: 10 } },
    keys: { per: { rate: 1, per: 4 } },
  };
  expect(stretchRaw(raw, 3)).toEqual({
    apis: { delay: { listen: "/delay", rate: 2, per: 30 } },
    keys: { per: { rate: 1, per: 12 } },
  });
});
