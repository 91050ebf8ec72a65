// The status line that is overwritten while scenarios run.
import { timeText } from "../studies/bench/progress-line.ts";

interface RunProgress {
  readonly done: number;
  readonly of: number;
  readonly failed: number; // number of scenarios that do not pass
  readonly elapsedMs: number;
  readonly names: string;
}

/** When the first estimate is shown, in real milliseconds of the run. An earlier estimate would fluctuate. */
const KNOWN_AFTER_MS = 500;

/** Formats the status line, with scenarios per second and the time that the remaining ones take at this rate. */
export function progressLine({ done, of, failed, elapsedMs, names }: RunProgress): string {
  const perSecond = (done * 1_000) / elapsedMs;
  const isKnown = done > 0 && elapsedMs >= KNOWN_AFTER_MS;
  const parts = [
    `${done} of ${of}`,
    ...(failed === 0 ? [] : [`${failed} failed`]),
    ...(isKnown
      ? [
          `${Number(perSecond.toPrecision(2))} per second`,
          `${timeText(Math.ceil((of - done) / perSecond))} left`,
        ]
      : []),
  ];
  return `${parts.join(", ")}: ${names}`;
}
