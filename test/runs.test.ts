// Properties that draw until they have examined enough.
import * as fc from "fast-check";
import { expect, test } from "vitest";
import { drawUntil, holdsUntil, SEED } from "./runs.ts";

/** Counts every third input, as a property does that examines only some. */
function countingProperty() {
  const drawn: number[] = [];
  let examined = 0;
  const property = fc.property(fc.nat(), (number) => {
    drawn.push(number);
    if (drawn.length % 3 === 0) examined++;
  });
  return { property, drawn, examined: () => examined };
}

test("a property is drawn in rounds until it has examined enough, each round from other inputs", async () => {
  const one = countingProperty();
  await holdsUntil(0, one.examined, one.property, 30);
  const inRound = one.drawn.length;
  expect(inRound).toBeGreaterThan(0); // although nothing has to be examined
  const { property, drawn, examined } = countingProperty();
  await holdsUntil(inRound, examined, property, 30);
  expect([drawn.length, examined()]).toEqual([3 * inRound, inRound]);
  expect(drawn.slice(0, inRound)).toEqual(one.drawn);
  expect(drawn.slice(inRound, 2 * inRound)).not.toEqual(one.drawn);
});

test("a generator that examines too little fails after the last round", async () => {
  const rounds: number[] = [];
  const draw = (round: number): void => void rounds.push(round);
  await expect(drawUntil(4, () => rounds.length, draw, 3)).rejects.toThrow(
    "3 of 4 examined in 3 rounds",
  );
  expect(rounds).toEqual([0, 1, 2]);
});

test("a property that does not hold fails in a later round too", async () => {
  let isLater = false;
  const property = fc.property(fc.nat(), () => {
    expect(isLater).toBe(false);
  });
  const countExamined = (): number => {
    isLater = true; // after the first round
    return 0;
  };
  const failure = await holdsUntil(40, countExamined, property, 25).catch(String);
  expect(failure).toMatch(/^Error: Property failed/);
  const name = "test/runs.test.ts > a property that does not hold fails in a later round too";
  expect(failure).toContain(`"test":"${name}","seed":${SEED + 1_000_003},`);
});
