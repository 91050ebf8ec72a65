// Who sends what and when, as one list in order of time.
import * as fc from "fast-check";
import { gap } from "./moments.ts";
import { APIS, KEYS, PATHS } from "./worlds.ts";

export interface Sending {
  readonly atUs: number; // from the start
  readonly as: string | null;
  readonly path: string;
}

export interface TrafficParts {
  readonly most: number; // requests
  readonly longestGap: number; // in steps of the grid
  readonly who: readonly (string | null)[];
  readonly where: readonly string[];
}

export const EVERYWHERE: readonly string[] = APIS.flatMap((api) =>
  PATHS.map((path) => `/${api}${path}`),
);

export const BUSY: TrafficParts = {
  most: 40,
  longestGap: 5,
  who: KEYS,
  where: EVERYWHERE,
};

/** A maxLength alone gives short lists; "max" makes them as long as it says. */
export const traffic = (
  parts: TrafficParts,
  size: fc.SizeForArbitrary = "max",
): fc.Arbitrary<readonly Sending[]> =>
  fc
    .array(
      fc.record({
        gap: gap(parts.longestGap),
        as: fc.constantFrom(...parts.who),
        path: fc.constantFrom(...parts.where),
      }),
      { minLength: 1, maxLength: parts.most, size },
    )
    .map((steps) => {
      let atUs = 0;
      return steps.map(({ gap: us, as, path }) => ({ atUs: (atUs += us), as, path }));
    });
