// Hidden servers of tests, with limiters that are no configuration of Weir.
import type { HiddenServer, ServerDecide } from "#src/studies/identify/hidden-server.ts";

/** A server without a truth that anything compares. */
export const createOwnServer = (createClient: () => ServerDecide): HiddenServer => ({
  name: "own",
  truth: { kind: "in_flight", most: 1, workUs: 0 },
  createClient,
});

export function inFlight(most: number, workUs: number): ServerDecide {
  let ends: number[] = [];
  return (atUs) => {
    ends = ends.filter((each) => each > atUs);
    if (ends.length >= most) return { isAdmitted: false, workUs: 0 };
    ends.push(atUs + workUs);
    return { isAdmitted: true, workUs };
  };
}
