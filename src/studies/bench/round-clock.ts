// A quick run ends within a minute on two cores. If the cores are busy, the run measures fewer rounds. If even the
// first round takes longer, the run reports by how much as soon as it can forecast the end.
import { timeText } from "./progress-line.ts";

const QUICK_SECONDS = 60;

export interface RoundClock {
  /** Call when the first round begins, after servers were started and programs prepared. */
  readonly begin: () => void;
  /** Call after each measurement. Returns a sentence, once, if the first round will not end in time. */
  readonly findDelay: () => string | null;
  /** Call after each round. Returns whether another round of the same length ends in time. */
  readonly hasTime: () => boolean;
}

/** The clock of a run that measures all its rounds. */
export const endless: RoundClock = {
  begin: () => {},
  findDelay: () => null,
  hasTime: () => true,
};

/** A warning of the result if a quick run left out rounds. */
export const roundsWarnings = (done: number, of: number): readonly string[] =>
  done >= of ? [] : [`${done} of ${of} rounds were measured, so that the run ends within a minute`];

/** A forecast needs this many measurements, because some, such as those of controls, take less time. */
const LEAST = 5;

/** `elapsedSeconds` returns the time since the command began. */
export function roundClock(
  perRound: number,
  elapsedSeconds: () => number,
  limitSeconds = QUICK_SECONDS,
): RoundClock {
  let roundSeconds = 0; // the elapsed time when the round began
  let rounds = 0;
  let done = 0;
  let isReported = false;
  const begin = (): void => {
    roundSeconds = elapsedSeconds();
    done = 0;
  };
  return {
    begin,
    findDelay: () => {
      done++;
      if (isReported || rounds > 0 || done < Math.min(LEAST, perRound)) return null;
      const seconds = elapsedSeconds();
      const expected = seconds + ((seconds - roundSeconds) / done) * (perRound - done);
      if (expected <= limitSeconds) return null;
      isReported = true;
      return `one round will take until ${timeText(expected)} after the start, ${timeText(expected - limitSeconds)} longer than a quick run may: the machine is busy or slow`;
    },
    hasTime: () => {
      const lasted = elapsedSeconds() - roundSeconds;
      rounds++;
      begin();
      return elapsedSeconds() + lasted <= limitSeconds;
    },
  };
}
