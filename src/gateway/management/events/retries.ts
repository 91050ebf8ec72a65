// The wait before a failed delivery is tried again (EVT-C2).
const FIRST_US = 5_000_000;
const LONGEST_US = 3_600_000_000;

/** The largest number of attempts: the last one is about two and a half hours after the first. */
const MOST_ATTEMPTS = 12;

/**
 * The wait before the next attempt; null: no more attempts. Each wait is twice as long as the one before; up to half of
 * it is random, so that deliveries that failed together are spread.
 */
export function retryAfterUs(attempts: number, random: () => number): number | null {
  if (attempts >= MOST_ATTEMPTS) return null;
  const longestUs = Math.min(LONGEST_US, FIRST_US * 2 ** (attempts - 1));
  return Math.round(longestUs * (0.5 + random() / 2));
}
