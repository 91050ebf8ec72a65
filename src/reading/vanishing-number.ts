/** A decimal number that is not 0, and that a double can only hold as 0: nobody means what it would become. */
export const isVanishing = (text: string): boolean =>
  Number(text) === 0 && /^[-+]?[\d.]*[1-9]/.test(text);

export const VANISHING = "is a number closer to 0 than there is, and would become 0";
