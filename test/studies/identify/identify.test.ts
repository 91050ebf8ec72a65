import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { Ajv2020 } from "ajv/dist/2020.js";
import { expect, test } from "vitest";
import { ALGORITHMS, type Algorithm } from "#src/limiter/core/algorithms.ts";
import { rng } from "#src/kit/chance/rng.ts";
import { SECOND } from "#src/kit/units.ts";
import { isSameBehaviour } from "#src/studies/identify/behaviour.ts";
import { behaviourOf, configurationOf, profilesOf } from "#src/studies/identify/behaviour-of.ts";
import { readLimitOptions } from "#src/studies/identify/gateway-options.ts";
import { drawHidden } from "#src/studies/identify/hidden.ts";
import { whyNoLimit } from "#src/studies/identify/first-findings.ts";
import { Identifier, type Identification } from "#src/studies/identify/identify.ts";
import {
  createLimitModel,
  PLAIN_LIMIT,
  type LimitConfiguration,
} from "#src/studies/identify/model.ts";
import { formatEvidence, listSentAgain } from "#src/studies/identify/as-scenario.ts";
import { readAspects } from "#src/studies/identify/counted-by.ts";
import {
  groupAt,
  NOTHING_ANNOUNCED,
  type ProbedGroup,
  type ProbeResponse,
} from "#src/studies/identify/target.ts";
import { createVirtualTarget } from "#src/studies/identify/virtual-target.ts";
import { folderWith, weir } from "../../cli/weir.ts";

const CAPS = { requests: 10_000, durationUs: 48 * 3_600 * SECOND };
const NETWORK = { oneWayUs: 2_000, jitterUs: 200, loss: 0, storeUs: 300, clockUs: 3_000 };
const ONE_BUDGET = { credential: false, address: false, path: false };

/** Several tests look at the same identification. */
const known = new Map<Algorithm, Promise<Identification>>();

function identifyOwn(algorithm: Algorithm): Promise<Identification> {
  const target = createVirtualTarget(fivePerTen(algorithm), ONE_BUDGET, NETWORK, rng(3, algorithm));
  const found = known.get(algorithm) ?? new Identifier(target, CAPS, 3).identify(["credential"]);
  known.set(algorithm, found);
  return found;
}

const fivePerTen = (algorithm: Algorithm): LimitConfiguration => ({
  ...PLAIN_LIMIT,
  algorithm,
  rate: 5,
  perUs: 10 * SECOND,
});

test.each(ALGORITHMS)(
  "%s with 5 per 10 seconds is named",
  async (algorithm) => {
    const found = await identifyOwn(algorithm);
    expect(found.behaviour).not.toBeNull();
    expect(isSameBehaviour(found.behaviour!, behaviourOf(fivePerTen(algorithm)))).toBe(true);
    expect(found.countedBy).toEqual({ credential: false, address: null, path: null });
  },
  120_000,
);

test("a behaviour and the configuration that shows it decide alike", () => {
  for (let index = 0; index < 200; index++) {
    const random = rng(5, `alike/${index}`);
    const { configuration } = drawHidden(random, index % 2 === 0 ? "round" : "odd");
    // Others are rounded to a microsecond, which decides nothing but these decisions.
    if (!Number.isInteger(configuration.perUs / configuration.rate)) continue;
    // Steps of a millisecond and floating point decide as little.
    const { clockResolutionUs, weights, windowStart } = configuration.imitation ?? {};
    if (clockResolutionUs === 1_000 || weights === "floating" || windowStart === "drifting")
      continue;
    const behaviour = behaviourOf(configuration);
    if (behaviour.name === "shifted_window") continue;
    const hidden = createLimitModel(configuration).begin(null);
    const shown = createLimitModel(configurationOf(behaviour)).begin(null);
    let atUs = 1_700_000_000 * SECOND;
    for (let i = 0; i < 300; i++) {
      atUs += Math.round((random.exponential() * configuration.perUs) / configuration.rate / 2) + 2;
      const [a, b] = [hidden.decide(atUs).refused, shown.decide(atUs).refused];
      expect(`${index} ${i} ${a}`).toBe(`${index} ${i} ${b}`);
    }
  }
});

test("profiles that differ in nothing from outside are one behaviour", () => {
  const bucket = { name: "bucket", capacity: 5, spanUs: 200_000 } as const;
  expect(profilesOf(bucket)).toEqual(
    expect.arrayContaining(["nginx", "envoy", "governor", "x-time-rate"]),
  );
  expect(profilesOf({ ...bucket, name: "whole_bucket" })).toEqual(["varnish"]);
  expect(profilesOf({ name: "stepped_window", capacity: 4, spanUs: 3 * SECOND })).toEqual([
    "apache-mod-qos",
  ]);
  expect(profilesOf({ name: "log", capacity: 5, spanUs: SECOND })).toEqual([]);
});

test.each([
  ["varnish", "whole_bucket"],
  ["haproxy/rate", "counted_windows"],
  ["nestjs-throttler", "blocked_log"],
  ["fastify-rate-limit/continue-exceeding", "extended_window"],
] as const)(
  "the profile %s is named by what it does",
  async (profile, name) => {
    const options = readLimitOptions(`profile: ${profile}`);
    const configuration = { ...options, burst: "rate", rate: 5, perUs: 10 * SECOND } as const;
    const target = createVirtualTarget(configuration, ONE_BUDGET, NETWORK, rng(3, profile));
    const { behaviour } = await new Identifier(target, CAPS, 3).identify([]);
    expect(behaviour).toMatchObject({ name, capacity: 5 });
    expect(profilesOf(behaviour!)).toContain(profile);
  },
  120_000,
);

const countSentBy = (evidence: string): number =>
  [...evidence.matchAll(/(?:burst|count): (\d+), at/g)].reduce(
    (sum, each) => sum + Number(each[1]),
    0,
  );

test("a library that decides by lines is identified in its virtual time, and the document fits its schema", async () => {
  const folder = folderWith({});
  await weir(folder, ["implementations", "new", "./own"]);
  const args = ["identify", "--implementation", "./own", "--rate", "5", "--per", "10s", "--json"];
  const { code, out, err } = await weir(folder, [...args, "--out", "evidence/own/limit.yaml"]);
  expect(code).toBe(0);
  const sent = /limit\.yaml has (\d+) of the (\d+) requests that were sent, without those of other/;
  const [, saved, all] = sent.exec(err) ?? [];
  const text = readFileSync(join(folder, "evidence/own/limit.yaml"), "utf8");
  expect(countSentBy(text)).toBe(Number(saved));
  expect(Number(all)).toBe((JSON.parse(out) as { requests: number }).requests);
  expect(Number(saved)).toBeLessThan(Number(all));
  expect(readdirSync(join(folder, "evidence/own"))).toEqual(["limit.yaml"]);
  const document = JSON.parse(out) as unknown;
  expect(document).toMatchObject({ identified: { behaviour: "window", numbers: "5 per 10s" } });
  const schema = JSON.parse((await weir(folder, ["schema", "--identify"])).out) as object;
  const fits = new Ajv2020({ allowUnionTypes: true }).compile(schema);
  expect(fits(document)).toBe(true);
  const self = await weir(folder, ["identify", "--self-check", "1", "--json"]);
  expect(fits(JSON.parse(self.out))).toBe(true);
  expect(fits({})).toBe(false);
}, 60_000);

test("decisions on a copy of a limit change nothing in the original", () => {
  const model = createLimitModel({
    ...PLAIN_LIMIT,
    algorithm: "sliding_log",
    rate: 2,
    perUs: SECOND,
  });
  const first = model.begin(null);
  first.decide(5 * SECOND);
  const state = first.end();
  const copy = model.begin(state);
  for (let i = 0; i < 5; i++) copy.decide(5 * SECOND + 1);
  expect(model.begin(state).decide(5 * SECOND + 2).refused).toBeNull();
});

test("a target without a limit, and one that never admits again, stay undecided with the reason", async () => {
  const most = { ...PLAIN_LIMIT, algorithm: "fixed_window", rate: 5_000, perUs: SECOND } as const;
  const large = createVirtualTarget(most, ONE_BUDGET, NETWORK, rng(1, "large"));
  const none = await new Identifier(large, { ...CAPS, requests: 200 }, 1).identify([]);
  expect([none.behaviour, none.why]).toEqual([
    null,
    "no limit was found within 121 requests: the next burst has 243, which --requests 364 allows",
  ]);
  const [first] = none.steps[0]!.groups;
  const [response] = first!.responses;
  const lost = { ...first!, responses: [{ ...response!, outcome: "lost" as const }] };
  expect(whyNoLimit([{ ...none.steps[0]!, groups: [first!, lost] }], 3)).toBe(
    "no limit was found within 2 requests, 1 of which got no response: the next burst has 3, which --requests 5 allows",
  );
  const more = await new Identifier(large, { ...CAPS, requests: 364 }, 1).identify([]);
  expect(more.why).toMatch(/^no limit was found within 364 requests: /);
  const slow = { ...most, rate: 3, perUs: 3_600 * SECOND };
  const blocked = createVirtualTarget(slow, ONE_BUDGET, NETWORK, rng(1, "slow"));
  const short = { requests: 1_000, durationUs: 60 * SECOND };
  const found = await new Identifier(blocked, short, 1).identify([]);
  expect(found.behaviour).toBeNull();
  expect(found.why).toMatch(/^refused, and not admitted again within \d+(?:\.\d)?s$/);
  expect(found.seen).toBe("3 requests admitted until one was refused");
  expect(found.durationUs).toBeLessThanOrEqual(60 * SECOND);
});

test.each([
  [5_000, 1, /^refused, and not admitted again within \d{3}ms$/],
  [20, 300, /^refused, and not admitted again within \d{3}ms; the caps leave no request after a/],
  [14, 300, /^too few requests are left$/],
])(
  "%i requests and %d s end while the limit is used up: the reason has the longest wait",
  async (requests, seconds, why) => {
    const hourly = { ...PLAIN_LIMIT, algorithm: "fixed_window", rate: 5, perUs: 3_600 * SECOND };
    const limit = hourly as LimitConfiguration;
    const target = createVirtualTarget(limit, ONE_BUDGET, NETWORK, rng(3, "hourly"));
    const found = await new Identifier(
      target,
      { requests, durationUs: seconds * SECOND },
      3,
    ).identify([]);
    expect(found.why).toMatch(why);
    expect(found.seen).toBe("5 requests admitted until one was refused");
  },
);

test.each([
  [280, 1],
  [6, 7.4],
])(
  "a queue of %i requests at intervals of %d s, longer than clients wait, stays undecided at once",
  async (queue, intervalS) => {
    const configuration: LimitConfiguration = {
      ...PLAIN_LIMIT,
      algorithm: "leaky_bucket",
      rate: 1,
      perUs: intervalS * SECOND,
      queue,
    };
    const target = createVirtualTarget(configuration, ONE_BUDGET, NETWORK, rng(7, "long queue"));
    const { why, seen, steps } = await new Identifier(target, CAPS, 1).identify([]);
    expect(why).toBe("requests wait in a queue for longer than weir identify waits for a response");
    expect(seen).toMatch(/requests admitted until one was refused/);
    expect(steps.length).toBeLessThan(40);
  },
);

test.each(["token_bucket", "fixed_window", "sliding_log"] as const)(
  "the evidence of %s passes in virtual time, and fails with another limit",
  async (algorithm) => {
    const text = formatEvidence(await identifyOwn(algorithm));
    const other = text.replace("rate: 5,", "rate: 8,");
    expect(other).not.toBe(text);
    const folder = folderWith({ "evidence.yaml": text, "other.yaml": other });
    expect(await weir(folder, ["run", "evidence.yaml"])).toMatchObject({ code: 0 });
    expect(await weir(folder, ["run", "other.yaml"])).toMatchObject({ code: 1 });
  },
  60_000,
);

test("the evidence has as many requests as were sent of a group that was cut off", async () => {
  const found = await identifyOwn("fixed_window");
  const steps = found.steps.map((step) => ({
    ...step,
    groups: step.groups.map((group) => ({ ...group, responses: group.responses.slice(0, 2) })),
  }));
  const all = listSentAgain(steps).flatMap(({ responses }) => responses);
  const text = formatEvidence({ ...found, behaviour: null, steps });
  expect(countSentBy(text)).toBe(all.length);
  expect(text).toContain("among: { atLeast: 2 }");
  expect(text).not.toMatch(/atLeast: (?!1 |2 )/);
});

test("the evidence of a limiter that reads the clock and is none of Weir's has an expectation", async () => {
  const found = await identifyOwn("fixed_window");
  const behaviour = { name: "stepped_window", capacity: 5, spanUs: 10 * SECOND } as const;
  const folder = folderWith({ "evidence.yaml": formatEvidence({ ...found, behaviour }) });
  expect(await weir(folder, ["run", "evidence.yaml"])).toMatchObject({ code: 0 });
});

test("the evidence of two limits at once has their numbers as its title, and no limit", async () => {
  const found = await identifyOwn("fixed_window");
  const second = { capacity: 20, spanUs: 60 * SECOND };
  const behaviour = { name: "window", capacity: 5, spanUs: SECOND, second } as const;
  const text = formatEvidence({ ...found, behaviour });
  expect(text).toMatch(
    /^title: the requests that identified two limits at once, .*, 5 per 1s, and 20 per 60s$/m,
  );
  expect(text).not.toContain("invariant");
});

test("another sender is undecided unless the first one used up its budget", () => {
  const group = (...outcomes: ProbeResponse["outcome"][]): ProbedGroup => ({
    ...groupAt(0, outcomes.length),
    responses: outcomes.map((outcome) => ({
      sentUs: 0,
      receivedUs: 1,
      outcome,
      status: 0,
      announced: NOTHING_ANNOUNCED,
    })),
  });
  const others = group("admitted", "admitted", "admitted");
  const plan = { groups: [], usedUpFrom: 2, apartFrom: 2 };
  const read = (first: ProbedGroup): unknown =>
    readAspects(["address"], plan, [first, others]).address;
  expect(read(group("admitted", "lost", "refused"))).toBe(true);
  expect(read(group("admitted", "admitted", "lost"))).toBe(true);
  expect(read(group("admitted", "lost", "lost"))).toBeNull();
});
