import { expect, test } from "vitest";
import { endless, roundClock, roundsWarnings } from "#src/studies/bench/round-clock.ts";

/** What a clock reports of rounds in which each measurement takes as long. */
function follow(perRound: number, startSeconds: number, eachSeconds: number) {
  let seconds = 0;
  const clock = roundClock(perRound, () => seconds);
  seconds = startSeconds;
  clock.begin();
  const delays: (readonly [measurement: number, sentence: string])[] = [];
  let rounds = 0;
  do {
    rounds++;
    for (let at = 1; at <= perRound; at++) {
      seconds += eachSeconds;
      const delay = clock.findDelay();
      if (delay !== null) delays.push([at, delay]);
    }
  } while (rounds < 10 && clock.hasTime());
  return { rounds, seconds, delays };
}

test("rounds are measured as long as the next one ends within a minute", () => {
  expect(follow(10, 5, 1)).toMatchObject({ rounds: 5, seconds: 55, delays: [] });
  expect(follow(10, 10, 2.5)).toMatchObject({ rounds: 2, seconds: 60, delays: [] });
});

test("a first round that does not end in time is reported once, when five measurements show it", () => {
  const { rounds, delays } = follow(20, 12, 4);
  expect(rounds).toBe(1);
  expect(delays).toEqual([
    [
      5,
      "one round will take until 1 min 32 s after the start, 32 s longer than a quick run may: the machine is busy or slow",
    ],
  ]);
});

test("a round of few measurements is examined at its end", () => {
  expect(follow(2, 50, 6).delays.map(([at]) => at)).toEqual([2]);
});

test("a run that is not quick has time for every round", () => {
  endless.begin();
  expect([endless.findDelay(), endless.hasTime()]).toEqual([null, true]);
});

test("rounds that were left out are a warning", () => {
  expect(roundsWarnings(3, 3)).toEqual([]);
  expect(roundsWarnings(2, 3)).toEqual([
    "2 of 3 rounds were measured, so that the run ends within a minute",
  ]);
});
