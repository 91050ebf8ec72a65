// The caps on requests and on time, whatever the limit is, and targets whose responses follow no limit.
import * as fc from "fast-check";
import { expect, test } from "vitest";
import { rng, type Rng } from "#src/kit/chance/rng.ts";
import type { Algorithm } from "#src/limiter/core/algorithms.ts";
import { micros, SECOND } from "#src/kit/units.ts";
import { ASPECTS, planAspects } from "#src/studies/identify/counted-by.ts";
import { drawHidden } from "#src/studies/identify/hidden.ts";
import type { NumberKind } from "#src/studies/identify/hidden-numbers.ts";
import { Identifier, type Identification } from "#src/studies/identify/identify.ts";
import { PLAIN_LIMIT, type LimitConfiguration } from "#src/studies/identify/model.ts";
import type { IdentifyCaps } from "#src/studies/identify/prober.ts";
import {
  NOTHING_ANNOUNCED,
  type ProbeResponse,
  type ProbeTarget,
} from "#src/studies/identify/target.ts";
import { createVirtualTarget } from "#src/studies/identify/virtual-target.ts";
import { holdsLater, SEED } from "../../runs.ts";
import { createOwnServer, inFlight } from "./own-server.ts";

interface Sent {
  requests: number;
  lastUs: number;
}

/** The same target, and how many requests it got until when. Beyond the caps it fails: without them nothing would end. */
function countSent(target: ProbeTarget, caps: IdentifyCaps): readonly [ProbeTarget, Sent] {
  const startUs = target.nowUs();
  const sent: Sent = { requests: 0, lastUs: startUs };
  const counting: ProbeTarget = {
    ...target,
    send: (groups) => {
      for (const { atUs, count, everyUs } of groups) {
        sent.requests += count;
        sent.lastUs = Math.max(sent.lastUs, target.nowUs(), atUs + (count - 1) * everyUs);
      }
      expect(sent.requests).toBeLessThanOrEqual(caps.requests);
      expect(sent.lastUs - startUs).toBeLessThanOrEqual(caps.durationUs);
      return target.send(groups);
    },
  };
  return [counting, sent];
}

/** Identifies within the caps, and returns what was found. */
async function identifyWithin(
  caps: IdentifyCaps,
  target: ProbeTarget,
  seed: number,
): Promise<Identification> {
  const [counting, sent] = countSent(target, caps);
  const found = await new Identifier(counting, caps, seed).identify(ASPECTS);
  expect(found.requests).toBe(sent.requests);
  return found;
}

// To look for a smaller example would identify many more.
const capsUpTo = (requests: number): fc.Arbitrary<IdentifyCaps> =>
  fc.noShrink(
    fc.record({
      requests: fc.integer({ min: 1, max: requests }),
      durationUs: fc.double({ min: 0, max: 1, noNaN: true }).map((part) => SECOND * 3_600 ** part),
    }),
  );
const kind = fc.noShrink(fc.constantFrom<NumberKind>("round", "odd"));
const seed = fc.noShrink(fc.integer({ min: 0, max: 1_000_000 }));
const ratio = fc.noShrink(fc.integer({ min: 2, max: 9 }));

/** Near to the server, and what is counted by nothing but the sender. */
const NETWORK = { oneWayUs: 2_000, jitterUs: 200, loss: 0, storeUs: 300, clockUs: 3_000 };
const COUNTED_BY = { credential: false, address: false, path: false };

const LONG_US = 48 * 3_600 * SECOND;

const WIDE: IdentifyCaps = { requests: 200, durationUs: LONG_US };
const ENDED_BY_REQUESTS = 5;

test("no hidden limit, of round numbers or odd ones, gets more requests or time than the caps allow", async () => {
  let ended = 0;
  const examine = async (
    within: IdentifyCaps,
    numbers: NumberKind,
    index: number,
  ): Promise<boolean> => {
    const random = rng(index, "caps");
    const { server, configuration, countedBy, network } = drawHidden(random, numbers);
    const target = createVirtualTarget(server ?? configuration, countedBy, network, random);
    const { requests } = await identifyWithin(within, target, index);
    return requests > within.requests / 2;
  };
  await holdsLater(
    fc.asyncProperty(capsUpTo(300), kind, seed, async (...drawn) => {
      if (await examine(...drawn)) ended++;
    }),
    16,
  );
  // The first experiment to separate suspects was chosen for all of the time, and sent 1 ms later.
  await examine({ requests: 208, durationUs: SECOND }, "odd", 5);
  // More of them, until the cap of requests mattered in five.
  for (let more = 0; more < 100; more++) {
    if (ended >= ENDED_BY_REQUESTS) break;
    if (await examine(WIDE, "round", SEED + more)) ended++;
  }
  expect(ended).toBeGreaterThanOrEqual(ENDED_BY_REQUESTS);
});

type Outcome = ProbeResponse["outcome"];

/** Responses by the number of the request, whenever it is sent. */
const FLAT: Readonly<Record<string, (random: Rng, every: number) => (index: number) => Outcome>> = {
  "every request admitted": () => () => "admitted",
  "every request refused": () => () => "refused",
  "only the first requests admitted": (_, every) => (index) =>
    index < every ? "admitted" : "refused",
  "a share refused at random": (random, every) => () =>
    random.next() < 1 / every ? "refused" : "admitted",
  "one of several refused": (_, every) => (index) => (index % every === 0 ? "refused" : "admitted"),
  "one of several admitted": (_, every) => (index) =>
    index % every === 0 ? "admitted" : "refused",
  "errors between": (_, every) => (index) => (index % every === 0 ? "refused" : "other"),
  "no response": () => () => "lost",
};

function createFlatTarget(outcomeOf: (index: number) => Outcome, random: Rng): ProbeTarget {
  let nowUs = 1_700_000_000 * SECOND;
  let index = 0;
  return {
    nowUs: () => nowUs,
    patienceUs: 30 * SECOND,
    send: (groups) => {
      const startUs = nowUs;
      const probed = groups.map((group) => ({
        ...group,
        responses: Array.from({ length: group.count }, (_, at): ProbeResponse => {
          const sentUs = Math.max(startUs, group.atUs + at * group.everyUs);
          const outcome = outcomeOf(index++);
          const receivedUs =
            sentUs + (outcome === "lost" ? 30 * SECOND : 2_000 + random.int(3_000));
          nowUs = Math.max(nowUs, receivedUs);
          const status = { admitted: 200, refused: 429, other: 500, lost: 0 }[outcome];
          return { sentUs, receivedUs, outcome, status, announced: NOTHING_ANNOUNCED };
        }),
      }));
      return Promise.resolve(probed);
    },
  };
}

test.each(Object.keys(FLAT))("a target with %s is never named", async (name) => {
  await holdsLater(
    fc.asyncProperty(capsUpTo(60), seed, ratio, async (within, index, every) => {
      const random = rng(index, name);
      const target = createFlatTarget(FLAT[name]!(random, every), random);
      const { behaviour } = await identifyWithin(within, target, index);
      expect(behaviour).toBeNull();
    }),
    2,
  );
});

test.each([
  { most: 20, workUs: 200_000, requests: 100, seconds: 300 },
  { most: 5, workUs: 200_000, requests: 60, seconds: 300 },
  { most: 20, workUs: 2 * SECOND, requests: 1_000, seconds: 15 },
])(
  "$requests requests and $seconds s are not exceeded to confirm $most requests in flight",
  async ({ most, workUs, requests, seconds }) => {
    const server = createOwnServer(() => inFlight(most, workUs));
    const target = createVirtualTarget(server, COUNTED_BY, NETWORK, rng(1, "in flight"));
    const within = { requests, durationUs: seconds * SECOND };
    const { special, why } = await identifyWithin(within, target, 1);
    expect(special).toBeNull();
    expect(why).not.toContain("no limit");
  },
);

test("refusals at random are looked for only within the time that is left", async () => {
  for (let seconds = 2; seconds < 14; seconds++) {
    const random = rng(seconds, "random");
    const target = createFlatTarget(FLAT["a share refused at random"]!(random, 3), random);
    const within = { requests: 5_000, durationUs: seconds * SECOND };
    expect((await identifyWithin(within, target, seconds)).behaviour).toBeNull();
  }
});

const tenSeconds = (algorithm: Algorithm): LimitConfiguration => ({
  ...PLAIN_LIMIT,
  algorithm,
  rate: 20,
  perUs: micros(10 * SECOND),
});

test.each(["fixed_window", "token_bucket"] as const)(
  "what a %s is counted by is not measured with more requests than are left",
  async (algorithm) => {
    const limit = tenSeconds(algorithm);
    const newTarget = (): ProbeTarget =>
      createVirtualTarget(limit, COUNTED_BY, NETWORK, rng(3, algorithm));
    const wide = { requests: 2_000, durationUs: LONG_US };
    const whole = await identifyWithin(wide, newTarget(), 3);
    const alone = await new Identifier(newTarget(), wide, 3).identify([]);
    expect(whole.requests).toBeGreaterThan(alone.requests + 1);
    const tight = { ...wide, requests: whole.requests - 1 };
    const found = await identifyWithin(tight, newTarget(), 3);
    expect(found.behaviour).toEqual(whole.behaviour);
    expect(Object.values(found.countedBy)).toEqual(ASPECTS.map(() => null));
  },
);

test("what a limit is counted by is not measured if the other senders come after the end of the time", async () => {
  const limit = tenSeconds("token_bucket");
  let [durationUs, previousUs] = [LONG_US, 0];
  for (let tries = 0; tries < 5; tries++) {
    const target = createVirtualTarget(limit, COUNTED_BY, NETWORK, rng(5, "token_bucket"));
    const startUs = target.nowUs();
    const caps = { requests: 2_000, durationUs };
    const found = await new Identifier(target, caps, 5).identify([]);
    if (found.durationUs === previousUs) break;
    previousUs = found.durationUs;
    const plan = planAspects(found.behaviour!, ASPECTS, target.nowUs(), found.timing)!;
    // The first sender is in time, and the others come a microsecond late.
    durationUs = plan.groups[1]!.atUs - startUs - 1;
  }
  const target = createVirtualTarget(limit, COUNTED_BY, NETWORK, rng(5, "token_bucket"));
  const found = await identifyWithin({ requests: 2_000, durationUs }, target, 5);
  expect(found).toMatchObject({ durationUs: previousUs, behaviour: { name: "bucket" } });
});
