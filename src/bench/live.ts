// How a run goes, in one line: what is measured now, and when it will be over.
import { figure } from "./figure.ts";
import type { Progress } from "./load/load.ts";

export interface Going {
  readonly subject: string;
  readonly progress: Progress;
  readonly forSeconds: number; // since this repeat began
  readonly secondsLeft: number;
}

export function liveLine({ subject, progress, forSeconds, secondsLeft }: Going): string {
  const { answers, refused, errors, p99Us } = progress;
  const share = answers === 0 ? 0 : (refused / answers) * 100;
  return [
    `${subject}: ${figure(Math.round(answers / forSeconds))}/s`,
    `p99 ${p99Us === null ? "none" : `${figure(p99Us / 1_000)} ms`}`,
    `429 ${Math.round(share)} %`,
    ...(errors === 0 ? [] : [`${errors} errors`]),
    `${timeText(secondsLeft)} left`,
  ].join(", ");
}

/** Estimated by the suite at first, and by what was measured after that. */
export function secondsLeft(
  estimated: number,
  {
    done,
    of,
    forSeconds,
  }: { readonly done: number; readonly of: number; readonly forSeconds: number },
): number {
  return done === 0 ? estimated : (forSeconds / done) * (of - done);
}

export function timeText(seconds: number): string {
  const whole = Math.max(0, Math.round(seconds));
  const [hours, minutes] = [Math.floor(whole / 3_600), Math.floor(whole / 60) % 60];
  if (hours > 0) return `${hours} h ${minutes} min`;
  return minutes > 0 ? `${minutes} min ${whole % 60} s` : `${whole} s`;
}
