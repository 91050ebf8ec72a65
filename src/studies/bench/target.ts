// How much load a run may put on a target, a gateway that Weir did not start.

/** The most load that a run may put on a target, even if the suite needs more. */
export const CAPS: LoadSpent = { requests: 1_000_000, seconds: 600 };

export interface LoadSpent {
  readonly requests: number;
  readonly seconds: number;
}

/** A message if a cap forbids another repeat, else null. */
export function findReachedCap(
  spent: LoadSpent,
  nextSeconds: number,
  caps: LoadSpent,
): string | null {
  if (spent.seconds + nextSeconds > caps.seconds)
    return `the cap of ${caps.seconds} s against a target is reached`;
  return spent.requests >= caps.requests ? requestCapReached(caps) : null;
}

export const requestCapReached = ({ requests }: LoadSpent): string =>
  `the cap of ${requests} requests against a target is reached`;
