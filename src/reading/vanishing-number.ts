/** A decimal number that is not 0, but becomes 0 as a double, which is never intended. */
export const isVanishing = (text: string): boolean =>
  Number(text) === 0 && /^[-+]?[\d.]*[1-9]/.test(text);

export const VANISHING = "is a number closer to 0 than there is, and would become 0";
