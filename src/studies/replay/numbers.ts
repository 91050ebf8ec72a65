// Reads the numbers in a log from bytes.
const decoder = new TextDecoder();

/** Reads a decimal number; NaN for anything else, such as a dash or no bytes at all. */
export function numberIn(bytes: Uint8Array, from: number, to: number): number {
  let value = 0;
  let place = 0;
  for (let at = from; at < to; at++) {
    const digit = bytes[at]! - 48;
    if (digit >= 0 && digit <= 9) {
      value = value * 10 + digit;
      place *= 10;
    } else if (digit === -2 && place === 0) place = 1;
    else return otherNumber(decoder.decode(bytes.subarray(from, to)));
  }
  const digits = to - from - (place > 0 ? 1 : 0);
  if (digits === 0) return Number.NaN;
  return place > 1 ? value / place : value;
}

/** Reads other notations, such as 1e3. Blanks alone are no number, although `Number` reads them as 0. */
const otherNumber = (text: string): number => (text.trim() === "" ? Number.NaN : Number(text));
