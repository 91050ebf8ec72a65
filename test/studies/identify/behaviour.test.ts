// What the result prints of a behaviour, compared with the limiter that shows it.
import { expect, test } from "vitest";
import { SECOND } from "#src/kit/units.ts";
import { BEHAVIOURS, classOf, type BehaviourName } from "#src/studies/identify/behaviour.ts";
import { behaviourOf, configurationOf } from "#src/studies/identify/behaviour-of.ts";
import { readLimitOptions } from "#src/studies/identify/gateway-options.ts";
import { createLimitModel } from "#src/studies/identify/model.ts";

const NAMES = Object.keys(BEHAVIOURS) as BehaviourName[];
const START_US = 1_700_000_000 * SECOND;
const CAPACITY = 4;

/** How many requests of a burst are admitted, for each of its times: after a first burst and these refusals. */
function countAdmitted(name: BehaviourName, refusals: number): readonly number[] {
  // Its capacity is what a second without requests pays for.
  const spanUs = name === "credit_bucket" ? SECOND / (CAPACITY - 1) : 8 * SECOND;
  const model = createLimitModel(configurationOf({ name, capacity: CAPACITY, spanUs }));
  return Array.from({ length: 100 }, (_, step) => {
    const limit = model.begin(null);
    const send = (count: number, afterUs: number): number =>
      Array.from({ length: count }, () => limit.decide(START_US + afterUs).refused).filter(
        (refused) => refused === null,
      ).length;
    send(CAPACITY, 0);
    expect(send(refusals, SECOND / 5)).toBe(0);
    return send(CAPACITY, (step + 1) * (SECOND / 4));
  });
}

test.each(NAMES)(
  "refused requests of %s change later decisions if its result counts them, and not otherwise",
  (name) => {
    const [without, after] = [countAdmitted(name, 0), countAdmitted(name, 3)];
    const isChanged = String(after) !== String(without);
    expect(isChanged).toBe(classOf({ name }).counts === "refusals too");
  },
);

// They begin a whole number of seconds after the clock.
test.each([
  [0.2, "clock_window"],
  [0.59, "shifted_window"],
  [1, "clock_window"],
  [2, "shifted_window"],
] as const)("windows of %d s after a checksum of the key are a %s", (seconds, name) => {
  const options = readLimitOptions("profile: django-ratelimit");
  expect(behaviourOf({ ...options, rate: 6, perUs: seconds * SECOND }).name).toBe(name);
});
