// A quick run ends within a minute on two cores. Where they are busy it measures fewer rounds, and if one round alone takes
// longer it reports by how much, as soon as that is known.
import { timeText } from "./progress-line.ts";

const QUICK_SECONDS = 60;

export interface RoundClock {
  /** The first round begins: servers are started, and programs prepared. */
  readonly begin: () => void;
  /** After each measurement. A sentence, once: the first round will not end in time. */
  readonly findDelay: () => string | null;
  /** After each round: whether another one as long ends in time. */
  readonly hasTime: () => boolean;
}

/** Has time for every round. */
export const endless: RoundClock = {
  begin: () => {},
  findDelay: () => null,
  hasTime: () => true,
};

/** A warning of the result if a quick run left out rounds. */
export const roundsWarnings = (done: number, of: number): readonly string[] =>
  done >= of ? [] : [`${done} of ${of} rounds were measured, so that the run ends within a minute`];

/** One measurement is no measure of the others: controls take less time than what they are compared with. */
const LEAST = 5;

/** `elapsedSeconds`: since the command began. */
export function roundClock(
  perRound: number,
  elapsedSeconds: () => number,
  limitSeconds = QUICK_SECONDS,
): RoundClock {
  let roundSeconds = 0; // at which the round began
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
