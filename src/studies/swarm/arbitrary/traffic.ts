// Requests with their clients, paths and times, as one list sorted by time.
import * as fc from "fast-check";
import { gap } from "./moments.ts";
import { APIS, KEYS, PATHS } from "./worlds.ts";

export interface SentRequest {
  readonly atUs: number; // from the start
  readonly as: string | null;
  readonly path: string;
  readonly cost?: number; // in units (LIM-C19); left out: 1
}

export interface TrafficParts {
  readonly most: number; // most requests
  readonly longestGap: number; // in steps of `GRID_US`
  readonly clients: readonly (string | null)[];
  readonly paths: readonly string[];
}

export const EVERYWHERE: readonly string[] = APIS.flatMap((api) =>
  PATHS.map((path) => `/${api}${path}`),
);

export const BUSY: TrafficParts = {
  most: 40,
  longestGap: 5,
  clients: KEYS,
  paths: EVERYWHERE,
};

/** Requests of a world. With `maxLength` alone, fast-check makes short lists; size "max" allows long ones. */
export const traffic = (
  parts: TrafficParts,
  size: fc.SizeForArbitrary = "max",
): fc.Arbitrary<readonly SentRequest[]> =>
  fc
    .array(
      fc.record({
        gap: gap(parts.longestGap),
        as: fc.constantFrom(...parts.clients),
        path: fc.constantFrom(...parts.paths),
        cost: fc.constantFrom(1, 1, 1, 1, 1, 2, 3),
      }),
      { minLength: 1, maxLength: parts.most, size },
    )
    .map((steps) => {
      let atUs = 0;
      return steps.map(({ gap: us, ...sent }) => ({ atUs: (atUs += us), ...sent }));
    });
