/** Formats a number with three significant digits and separated thousands. */
export function figure(value: number): string {
  if (value === 0 || !Number.isFinite(value)) return String(value);
  const digits = Math.max(0, 2 - Math.floor(Math.log10(Math.abs(value))));
  const rounded = Number(value.toFixed(Math.min(digits, 6)));
  return rounded.toLocaleString("en-GB", { maximumFractionDigits: 6, useGrouping: true });
}
