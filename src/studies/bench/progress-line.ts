// The progress of a run in one line: the current measurement, and the remaining time.
import { figure, many } from "../../kit/reading/legible.ts";
import type { LoadProgress } from "./load/load.ts";

interface LiveProgress {
  readonly subject: string;
  readonly progress: LoadProgress;
  readonly elapsedSeconds: number; // since this repeat began
  readonly secondsLeft: number;
}

export function liveLine({ subject, progress, elapsedSeconds, secondsLeft }: LiveProgress): string {
  const { answers, refused, errors, p99Us } = progress;
  const share = answers === 0 ? 0 : (refused / answers) * 100;
  return [
    `${subject}: ${figure(Math.round(answers / elapsedSeconds))}/s`,
    `p99 ${p99Us === null ? "none" : `${figure(p99Us / 1_000)} ms`}`,
    `429 ${Math.round(share)} %`,
    ...(errors === 0 ? [] : [many(errors, "error")]),
    `${timeText(secondsLeft)} left`,
  ].join(", ");
}

/** The remaining time: at first as estimated for the suite, then from the measured repeats. */
export function secondsLeft(
  estimated: number,
  {
    done,
    of,
    forSeconds: elapsedSeconds,
  }: { readonly done: number; readonly of: number; readonly forSeconds: number },
): number {
  return done === 0 ? estimated : (elapsedSeconds / done) * (of - done);
}

export function timeText(seconds: number): string {
  const whole = Math.max(0, Math.round(seconds));
  const [hours, minutes] = [Math.floor(whole / 3_600), Math.floor(whole / 60) % 60];
  if (hours > 0) return `${hours} h ${minutes} min`;
  return minutes > 0 ? `${minutes} min ${whole % 60} s` : `${whole} s`;
}
