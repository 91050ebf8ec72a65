import { expect, test } from "vitest";
import { readDryRunRequest } from "../../src/gateway/dry-run-request.ts";

test("a dry run by a key's id, by GET where it says nothing else", () => {
  expect(readDryRunRequest({ path: "/orders", key: "alice" })).toEqual({
    method: "GET",
    path: "/orders",
    key: "alice",
    credential: null,
  });
});

test.each([
  ["no object", [], "a dry run is an object"],
  ["no path", {}, "path says where the request goes"],
  ["a path that is no path", { path: "orders" }, "path starts with /"],
  ["a value of another kind", { path: "/orders", method: 7 }, "method is text"],
  ["an unknown field", { path: "/orders", user: "alice" }, '"user" is not a field here'],
  ["two keys", { path: "/orders", key: "alice", credential: "s" }, "keep one of them"],
])("%s is told", (_, raw, said) => {
  expect(readDryRunRequest(raw)).toEqual([expect.stringContaining(said)]);
});

test("all faults are told at once", () => {
  expect(readDryRunRequest({ key: 1, method: "" })).toHaveLength(3);
});
