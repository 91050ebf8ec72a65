// What may be named of the suspects that are left.
import { expect, test } from "vitest";
import { SECOND } from "#src/kit/units.ts";
import type { BehaviourName } from "#src/studies/identify/behaviour.ts";
import type { ProbeTiming } from "#src/studies/identify/evidence.ts";
import { countRangeOf, isCountOpen, settle } from "#src/studies/identify/naming.ts";
import type { IdentifyStep } from "#src/studies/identify/prober.ts";
import { createSuspect, type Suspect } from "#src/studies/identify/suspect.ts";
import {
  FIRST_SENDER,
  NOTHING_ANNOUNCED,
  type ProbeResponse,
} from "#src/studies/identify/target.ts";

const suspectOf = (name: BehaviourName, capacity: number, seconds: number): Suspect =>
  createSuspect({ name, capacity, spanUs: seconds * SECOND });

test("behaviours that differ in a detail are named together, unless their windows are apart", () => {
  const near = [suspectOf("two_windows", 7, 1), suspectOf("rounded_windows", 7, 1.02)];
  expect(settle(near)).toEqual(near);
  expect(settle([near[0]!, suspectOf("rounded_windows", 7, 1.2)])).toBe(null);
  const paced = [suspectOf("bucket", 40, 0.01), suspectOf("bucket", 41, 0.012)];
  expect(settle(paced)).toBe(null);
});

const stepWith = (outcomes: readonly ProbeResponse["outcome"][]): IdentifyStep => ({
  title: "",
  suspects: 1,
  groups: [
    {
      atUs: 0,
      count: outcomes.length,
      everyUs: 0,
      sender: FIRST_SENDER,
      responses: outcomes.map((outcome) => ({
        sentUs: 0,
        receivedUs: 1,
        outcome,
        status: 0,
        announced: NOTHING_ANNOUNCED,
      })),
    },
  ],
});
const LOST = [stepWith(["admitted", "lost"])];
const ALL = [stepWith(["admitted", "refused"])];

test.each([
  ["stepped_window", 410, LOST, true],
  ["stepped_window", 410, ALL, false],
  ["stepped_window", 4, LOST, false],
  ["window", 410, LOST, false],
  ["window", 409, LOST, true],
  ["window", 409, ALL, false],
  ["loose_log", 409, ALL, true],
  ["window", 455, LOST, true],
] as const)("the count of a %s of %i may be another one: %#", (name, capacity, steps, isOpen) => {
  const suspects = [suspectOf("window", capacity, 170), suspectOf(name, capacity, 171)];
  expect(isCountOpen(suspects, suspects[1]!.behaviour, steps)).toBe(isOpen);
});

test("a count of what comes back one by one has what a burst regains on its way", () => {
  const timing: ProbeTiming = {
    tripUs: 4_000,
    workUs: 0,
    spreadUs: 2_000,
    lateUs: 0,
    clockUs: 20_000,
    patienceUs: 10 * SECOND,
  };
  const suspects = [503, 510].map((count) => suspectOf("bucket", count, 0.001));
  expect(countRangeOf(suspects, timing)).toEqual([495, 514]);
  expect(countRangeOf([suspectOf("bucket", 5, 2)], timing)).toBe(undefined);
  expect(countRangeOf([suspectOf("window", 5, 2)], timing)).toBe(undefined);
});
