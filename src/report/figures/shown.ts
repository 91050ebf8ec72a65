/** Making one costs a thousand times as much as using it. */
const NUMBERS = new Intl.NumberFormat("en-US", { maximumSignificantDigits: 4 });

/** A number as people write it; an axis would say no more either. */
export const shown = (value: number): string => NUMBERS.format(value);
