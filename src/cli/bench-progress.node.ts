// What is told while a suite is played: a line that is written over on a terminal, and elsewhere one now and then.
import { liveLine, secondsLeft, timeText } from "../bench/progress-line.ts";
import type { LoadProgress } from "../bench/load/load.ts";
import type { BenchSubject } from "../bench/subjects.ts";
import type { Terminal } from "./terminal.ts";

export interface ToldProgress {
  readonly onPhase: (phase: string) => void;
  readonly onProgress: (subject: BenchSubject, progress: LoadProgress, forSeconds: number) => void;
  /** Something that takes a while and has no progress of its own. */
  readonly onStep: (text: string) => void;
  readonly onMeasured: () => void;
}

const EVERY_MS = 10_000;

export function progressOn(
  { err, status, isWatched }: Terminal,
  { repeats, seconds }: { readonly repeats: number; readonly seconds: number | null },
): ToldProgress {
  const startedMs = performance.now();
  let done = 0;
  let measuringMs: number | null = null; // since the end of the first repeat
  let toldMs = startedMs;
  const left = (): number => {
    const nowMs = performance.now();
    return secondsLeft((seconds ?? 0) - (nowMs - startedMs) / 1_000, {
      done: Math.max(0, done - 1),
      of: repeats - 1,
      forSeconds: measuringMs === null ? 0 : (nowMs - measuringMs) / 1_000,
    });
  };
  // Without an estimate nothing is known until the first repeat has ended.
  const withLeft = (text: string): string =>
    seconds === null && done < 2 ? text : `${text}, ${timeText(left())} left`;
  return {
    onStep: (text) => {
      const nowMs = performance.now();
      if (isWatched) status(withLeft(text));
      else if (done === 0 || nowMs - toldMs >= EVERY_MS) {
        toldMs = nowMs;
        err(withLeft(text));
      }
    },
    onPhase: (phase) => {
      if (isWatched) status(phase);
      else err(`${phase}, ${timeText(left())} left`);
    },
    onProgress: (subject, progress, elapsedSeconds) => {
      const nowMs = performance.now();
      if (!isWatched && nowMs - toldMs < EVERY_MS) return;
      toldMs = nowMs;
      const line = liveLine({
        subject: subject.name,
        progress,
        elapsedSeconds,
        secondsLeft: left(),
      });
      if (isWatched) status(line);
      else err(`${done} of ${repeats} repeats; ${line}`);
    },
    onMeasured: () => {
      measuringMs ??= performance.now();
      done++;
    },
  };
}
