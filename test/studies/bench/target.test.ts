import { expect, test } from "vitest";
import { CAPS, findReachedCap } from "#src/studies/bench/target.ts";

const NEXT_SECONDS = 1.5;

test.each([
  ["nothing yet", { requests: 0, seconds: 0 }],
  ["all requests but one", { requests: CAPS.requests - 1, seconds: 0 }],
  ["nearly all the time", { requests: 0, seconds: CAPS.seconds - 1.5 }],
])("after %s another repeat is allowed", (_what, spent) => {
  expect(findReachedCap(spent, NEXT_SECONDS, CAPS)).toBeNull();
});

test.each([
  ["1000000 requests", { requests: CAPS.requests, seconds: 0 }],
  ["600 s", { requests: 0, seconds: CAPS.seconds - 1.4 }],
])("a repeat that would exceed %s is not started", (cap, spent) => {
  expect(findReachedCap(spent, NEXT_SECONDS, CAPS)).toContain(cap);
});
