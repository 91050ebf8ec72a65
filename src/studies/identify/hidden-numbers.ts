// Draws numbers of hidden limits: conventional ones, or unconventional ones with two digits.
import type { Rng } from "../../kit/chance/rng.ts";
import { SECOND } from "../../kit/units.ts";

const RATES = [
  1, 2, 3, 5, 8, 10, 15, 20, 25, 30, 40, 50, 60, 100, 120, 200, 300, 500, 1_000,
] as const;
const SPANS_S = [0.2, 0.5, 1, 2, 5, 10, 15, 30, 60, 300, 600, 900, 3_600, 7_200] as const;

/** `round`: conventional numbers. `odd`: two random digits, with an unconventional rate and window. */
export type NumberKind = "round" | "odd";

type Bounds = readonly [least: number, most: number];

export interface HiddenBounds {
  readonly rate: Bounds;
  readonly seconds: Bounds;
  readonly isWhole?: boolean; // windows of whole seconds only
}

export function drawNumbers(
  random: Rng,
  kind: NumberKind,
  { rate, seconds, isWhole = false }: HiddenBounds,
): { readonly rate: number; readonly perUs: number } {
  const isBetween = (value: number, [least, most]: Bounds): boolean =>
    value >= least && value <= most;
  if (kind === "round") {
    const pick = (values: readonly number[]): number => values[random.int(values.length)]!;
    const spans = SPANS_S.filter((each) => isBetween(each, seconds));
    return {
      rate: pick(RATES.filter((each) => isBetween(each, rate))),
      perUs: pick(isWhole ? spans.filter(Number.isInteger) : spans) * SECOND,
    };
  }
  const ownRate = drawOddCount(random, rate);
  for (;;) {
    const own = drawTwoDigits(random, seconds);
    const perS = isWhole ? Math.ceil(own) : own;
    if (!(SPANS_S as readonly number[]).includes(perS))
      return { rate: ownRate, perUs: Math.round(perS * SECOND) };
  }
}

/** Draws a count that is not in `RATES`, evenly on a logarithmic scale. */
export function drawOddCount(random: Rng, bounds: Bounds): number {
  for (;;) {
    const count = Math.round(drawTwoDigits(random, bounds));
    if (!(RATES as readonly number[]).includes(count)) return count;
  }
}

function drawTwoDigits(random: Rng, [least, most]: Bounds): number {
  return withTwoDigits(least * (most / least) ** random.next());
}

export function withTwoDigits(value: number): number {
  const unit = 10 ** (Math.floor(Math.log10(value)) - 1);
  return Math.round(value / unit) * unit;
}
