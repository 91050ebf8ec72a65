// Progress of a suite: on a terminal, a line that is overwritten; elsewhere, an occasional line.
import { liveLine, secondsLeft, timeText } from "../studies/bench/progress-line.ts";
import type { LoadProgress } from "../studies/bench/load/load.ts";
import type { BenchSubject } from "../studies/bench/subjects.ts";
import type { Terminal } from "./terminal.ts";

interface ProgressReport {
  readonly onPhase: (phase: string) => void;
  readonly onProgress: (subject: BenchSubject, progress: LoadProgress, forSeconds: number) => void;
  /** Reports a step that takes a while and has no progress of its own. */
  readonly onStep: (text: string) => void;
  readonly onMeasured: () => void;
}

const EVERY_MS = 10_000;

export function progressOn(
  { err, status, isWatched }: Terminal,
  { repeats, seconds }: { readonly repeats: number; readonly seconds: number | null },
): ProgressReport {
  const startedMs = performance.now();
  let done = 0;
  let measuringMs: number | null = null; // when the first repeat ended
  let reportedMs = startedMs;
  const remaining = (): number => {
    const nowMs = performance.now();
    return secondsLeft((seconds ?? 0) - (nowMs - startedMs) / 1_000, {
      done: Math.max(0, done - 1),
      of: repeats - 1,
      forSeconds: measuringMs === null ? 0 : (nowMs - measuringMs) / 1_000,
    });
  };
  // Without an estimate, the remaining time is unknown until the first repeat has ended.
  const withLeft = (text: string): string =>
    seconds === null && done < 2 ? text : `${text}, ${timeText(remaining())} left`;
  return {
    onStep: (text) => {
      const nowMs = performance.now();
      if (isWatched) status(withLeft(text));
      else if (done === 0 || nowMs - reportedMs >= EVERY_MS) {
        reportedMs = nowMs;
        err(withLeft(text));
      }
    },
    onPhase: (phase) => {
      if (isWatched) status(phase);
      else err(`${phase}, ${timeText(remaining())} left`);
    },
    onProgress: (subject, progress, elapsedSeconds) => {
      const nowMs = performance.now();
      if (!isWatched && nowMs - reportedMs < EVERY_MS) return;
      reportedMs = nowMs;
      const line = liveLine({
        subject: subject.name,
        progress,
        elapsedSeconds,
        secondsLeft: remaining(),
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
