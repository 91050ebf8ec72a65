// Hidden limits that the self-check found named wrong. Each is written out, so that it stays when others are drawn.
import { expect, test } from "vitest";
import { rng } from "#src/kit/chance/rng.ts";
import type { Imitation } from "#src/limiter/core/imitation.ts";
import { SECOND } from "#src/kit/units.ts";
import { isNamedBy, type LimitBehaviour } from "#src/studies/identify/behaviour.ts";
import { numbersText } from "#src/studies/identify/behaviour-text.ts";
import { ASPECTS, type CountedBy } from "#src/studies/identify/counted-by.ts";
import { Identifier } from "#src/studies/identify/identify.ts";
import type { LimitConfiguration } from "#src/studies/identify/model.ts";
import { createVirtualTarget, type VirtualNetwork } from "#src/studies/identify/virtual-target.ts";
import { NO_IMITATION } from "../../limiter/store/budgets.ts";

/** As `weir identify --self-check` identifies the limit with this index of this seed. */
interface RecordedLimit {
  readonly seed: number;
  readonly index: number;
  readonly requests: number; // at most
  readonly configuration: LimitConfiguration;
  readonly countedBy: CountedBy;
  readonly network: VirtualNetwork;
}

interface RecordedAnswer {
  readonly isNamed: boolean;
  readonly isRight: boolean; // among those that are named, or left
  readonly texts: readonly string[];
}

async function identify(limit: RecordedLimit, truth: LimitBehaviour): Promise<RecordedAnswer> {
  const { seed, index, requests, configuration, countedBy, network } = limit;
  const random = rng(seed, `network/${index}`);
  const target = createVirtualTarget(configuration, countedBy, network, random);
  const caps = { requests, durationUs: 48 * 3_600 * SECOND };
  const { behaviour, alike, left } = await new Identifier(target, caps, index).identify(ASPECTS);
  const named = behaviour === null ? left : [behaviour, ...alike];
  return {
    isNamed: behaviour !== null,
    isRight: named.some((each) => isNamedBy(each, truth)),
    texts: named.map((each) => `${each.name}, ${numbersText(each)}`),
  };
}

/** Windows of a time of their own for each key, which count what they refuse. */
const SHIFTED: Imitation = {
  ...NO_IMITATION,
  refused: "counted",
  windowStart: "hash_of_key",
  changedLimit: "new_budget",
};

test("windows at times of their own are not taken for longer ones that fit the first responses", async () => {
  const limit: RecordedLimit = {
    seed: 2,
    index: 89,
    requests: 10_000,
    configuration: {
      algorithm: "fixed_window",
      burst: 5,
      queue: 10,
      fixedWindowStart: "clock",
      sentinelMark: "sliding",
      imitation: SHIFTED,
      rate: 5,
      perUs: 15 * SECOND,
    },
    countedBy: { credential: true, address: false, path: false },
    network: {
      oneWayUs: 19_229,
      jitterUs: 125,
      loss: 0.009510611821897328,
      storeUs: 302,
      clockUs: 9_267,
    },
  };
  const truth = { name: "shifted_window", capacity: 5, spanUs: 15 * SECOND } as const;
  const { isNamed, isRight, texts } = await identify(limit, truth);
  expect({ isNamed, isRight, texts }).toEqual({ isNamed, isRight: isNamed || isRight, texts });
}, 60_000);

test("windows since a first request are tried at their end before they are named", async () => {
  const limit: RecordedLimit = {
    seed: 1125,
    index: 61,
    requests: 20_000,
    configuration: {
      algorithm: "fixed_window",
      burst: 2,
      queue: 20,
      fixedWindowStart: "clock",
      sentinelMark: "sliding",
      imitation: SHIFTED,
      rate: 40,
      perUs: 60 * SECOND,
    },
    countedBy: { credential: false, address: false, path: false },
    network: { oneWayUs: 1_042, jitterUs: 193, loss: 0, storeUs: 563, clockUs: 9_029 },
  };
  const truth = { name: "shifted_window", capacity: 40, spanUs: 60 * SECOND } as const;
  expect(await identify(limit, truth)).toEqual({
    isNamed: true,
    isRight: true,
    texts: ["shifted_window, 40 per 60s"],
  });
}, 60_000);

test("a pace that is almost as short as times are uncertain is named with its bounds, or not at all", async () => {
  const limit: RecordedLimit = {
    seed: 1125,
    index: 12,
    requests: 20_000,
    configuration: {
      algorithm: "gcra",
      burst: 3,
      queue: 10,
      fixedWindowStart: "clock",
      sentinelMark: "fixed",
      imitation: null,
      rate: 300,
      perUs: 5 * SECOND,
    },
    countedBy: { credential: true, address: false, path: true },
    network: { oneWayUs: 3_167, jitterUs: 2_441, loss: 0, storeUs: 233, clockUs: -113 },
  };
  const truth = { name: "bucket", capacity: 3, spanUs: (5 * SECOND) / 300 } as const;
  expect(await identify(limit, truth)).toMatchObject({ isRight: true });
}, 60_000);
