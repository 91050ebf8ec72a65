/** A number as people write it; an axis would say no more either. */
export const shown = (value: number): string =>
  Number(value.toPrecision(4)).toLocaleString("en-US", { maximumFractionDigits: 6 });
