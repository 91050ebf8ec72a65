// When a failed attempt is repeated (EVT-C2).
const FIRST_US = 5_000_000;
const LONGEST_US = 3_600_000_000;

/** The last attempt is about two and a half hours after the first. */
const MOST_ATTEMPTS = 12;

/**
 * The wait doubles after each attempt; a random part of up to half of it spreads deliveries that failed together. Null:
 * the delivery is given up.
 */
export function retryAfterUs(attempts: number, random: () => number): number | null {
  if (attempts >= MOST_ATTEMPTS) return null;
  const longestUs = Math.min(LONGEST_US, FIRST_US * 2 ** (attempts - 1));
  return Math.round(longestUs * (0.5 + random() / 2));
}
