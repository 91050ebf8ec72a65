// When an attempt that failed is made again (EVT-C2).
const FIRST_US = 5_000_000;
const LONGEST_US = 3_600_000_000;

/** The last one is about two and a half hours after the first. */
export const MOST_ATTEMPTS = 12;

/**
 * Twice as long after each attempt, and somewhere between half of that and all of it, so that what failed together does
 * not come back together. Null: it is given up.
 */
export function retryAfterUs(attempts: number, random: () => number): number | null {
  if (attempts >= MOST_ATTEMPTS) return null;
  const longestUs = Math.min(LONGEST_US, FIRST_US * 2 ** (attempts - 1));
  return Math.round(longestUs * (0.5 + random() / 2));
}
