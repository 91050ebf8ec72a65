import { expect, test } from "vitest";
import { CAPS, findReachedCap, targetOf } from "../../src/bench/target.ts";

test.each([
  ["http://127.0.0.1:8080/orders", undefined],
  ["http://127.1.2.3/", undefined],
  ["http://localhost:1/", undefined],
  ["http://[::1]:8080/", undefined],
  ["https://api.example.org/orders", "api.example.org"],
])("%s is a target if %s is allowed", (typed, allowed) => {
  expect(targetOf(typed, allowed)).toEqual(new URL(typed));
});

test.each([
  ["http://api.example.org/", undefined, "add --allow-target api.example.org"],
  [
    "http://api.example.org/",
    "example.org",
    "allows example.org, and the target is api.example.org",
  ],
  ["http://127.0.0.1.example.org/", undefined, "is not this machine"],
  ["http://localhost.example.org/", undefined, "is not this machine"],
  ["http://10.0.0.1/", undefined, "add --allow-target 10.0.0.1"],
  ["http://alice:secret@127.0.0.1/", undefined, "takes no user and password"],
  ["ftp://127.0.0.1/", undefined, "takes the address of a gateway"],
  ["127.0.0.1:8080", undefined, "takes the address of a gateway"],
])("%s is no target if %s is allowed", (typed, allowed, why) => {
  expect(targetOf(typed, allowed)).toContain(why);
});

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
