/** Making one costs a thousand times as much as using it. */
const NUMBERS = new Intl.NumberFormat("en-US", { maximumSignificantDigits: 4 });

/** A number with separators and as many digits as an axis has. */
export const formatNumber = (value: number): string => NUMBERS.format(value);
