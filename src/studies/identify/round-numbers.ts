// Numbers that people write in limits: conventional ones, and those with two digits. A measured number is rounded to
// one of them only if its bounds contain no other.
import { SECOND } from "../../kit/units.ts";
import { isPaced, type BehaviourName } from "./behaviour.ts";

const CONVENTIONAL_S = [
  0.2, 0.25, 0.5, 1, 2, 3, 4, 5, 6, 10, 12, 15, 20, 30, 60, 120, 300, 600, 900, 1_800, 3_600, 7_200,
] as const;
const DIGITS = 2;

/** Whether a number has at most two significant digits. */
export const hasFewDigits = (value: number): boolean => {
  const unit = 10 ** (Math.floor(Math.log10(value) + 1e-12) - DIGITS + 1);
  return Math.abs(value / unit - Math.round(value / unit)) < 1e-9 * (value / unit);
};

/** Whether a span has few digits in seconds, or is a round number of minutes or hours. */
export function isRoundSpan(us: number): boolean {
  const seconds = us / SECOND;
  const isWhole = (unit: number): boolean =>
    Math.abs(seconds / unit - Math.round(seconds / unit)) < 1e-9 && seconds / unit < 100;
  return hasFewDigits(seconds) || (seconds >= 60 && (isWhole(60) || isWhole(3_600)));
}

export const isConventional = (us: number): boolean =>
  CONVENTIONAL_S.some((seconds) => Math.abs(us - seconds * SECOND) < 1);

/** All round spans within the bounds: conventional ones, those with two digits, and up to 99 minutes or hours. */
export function listRoundSpans(fromUs: number, toUs: number): readonly number[] {
  const found = new Set<number>();
  const add = (us: number): void => {
    const whole = Math.round(us);
    if (whole >= fromUs && whole <= toUs) found.add(whole);
  };
  for (const seconds of CONVENTIONAL_S) add(seconds * SECOND);
  for (let power = -4; power <= 5; power++)
    for (let digits = 10; digits < 100; digits++) add(digits * 10 ** (power - 1) * SECOND);
  for (const unit of [60, 3_600])
    for (let count = 1; count < 100; count++) add(count * unit * SECOND);
  return [...found].toSorted((a, b) => a - b);
}

/** Round intervals of a pace: those of a round rate per second, minute or hour, or of `capacity` per round window. */
function listRoundIntervals(capacity: number, fromUs: number, toUs: number): readonly number[] {
  const found = new Set<number>();
  for (const unit of [1, 60, 3_600]) {
    const unitUs = unit * SECOND;
    const rates = listRoundSpans((unitUs / toUs) * SECOND, (unitUs / fromUs) * SECOND);
    for (const rate of rates) if (rate >= SECOND) found.add((unitUs * SECOND) / rate);
  }
  for (const us of listRoundSpans(fromUs * capacity, toUs * capacity)) found.add(us / capacity);
  for (const seconds of CONVENTIONAL_S) found.add(seconds * SECOND);
  const sorted = [...found].filter((us) => us >= fromUs && us <= toUs).toSorted((a, b) => a - b);
  // Removes duplicates: two quotients may be the same interval.
  return sorted.filter((us, index) => index === 0 || us - sorted[index - 1]! > 1e-6 * us);
}

const SIMPLE_DIGITS = [1, 2, 5] as const;
const UNITS = [1, 60, 3_600] as const;

/** Whether a pace is conventional. Most paces are quotients, which people do not write. */
export function isConventionalPace(capacity: number, us: number): boolean {
  const isSimple = (rate: number): boolean => {
    const digits = rate / 10 ** Math.floor(Math.log10(rate) + 1e-9);
    return SIMPLE_DIGITS.some((each) => Math.abs(digits - each) < 1e-6);
  };
  return (
    isConventional(us) ||
    isConventional(us * capacity) ||
    UNITS.some((unit) => unit * SECOND >= us && isSimple((unit * SECOND) / us))
  );
}

interface Shape {
  readonly name: BehaviourName;
  readonly capacity: number;
}

export const listRound = (shape: Shape, fromUs: number, toUs: number): readonly number[] =>
  isPaced(shape) ? listRoundIntervals(shape.capacity, fromUs, toUs) : listRoundSpans(fromUs, toUs);

/** The roundest span between two: a conventional one, otherwise the one nearest to the middle; null: there is none. */
export function roundestBetween(shape: Shape, fromUs: number, toUs: number): number | null {
  const round = listRound(shape, fromUs, toUs);
  const conventional = round.filter(isConventional);
  const middle = (fromUs + toUs) / 2;
  const [nearest] = (conventional.length > 0 ? conventional : round).toSorted(
    (a, b) => Math.abs(a - middle) - Math.abs(b - middle),
  );
  return nearest ?? null;
}
