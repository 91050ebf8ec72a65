// One line on how a run goes.
import { figure } from "./figure.ts";

export interface Going {
  readonly subject: string;
  readonly done: number; // repeats
  readonly of: number;
  readonly perSecond: number;
  readonly p99Ms: number | null;
  readonly refused: number; // a share
  readonly secondsLeft: number;
}

export const liveLine = (going: Going): string =>
  [
    `${going.done} of ${going.of} repeats`,
    going.subject,
    `${figure(Math.round(going.perSecond))}/s`,
    `p99 ${going.p99Ms === null ? "none" : `${figure(going.p99Ms)} ms`}`,
    `429 ${Math.round(going.refused * 100)} %`,
    `${timeText(going.secondsLeft)} left`,
  ].join(", ");

export function timeText(seconds: number): string {
  const whole = Math.max(0, Math.round(seconds));
  const minutes = Math.floor(whole / 60);
  return minutes === 0 ? `${whole} s` : `${minutes} min ${whole % 60} s`;
}
