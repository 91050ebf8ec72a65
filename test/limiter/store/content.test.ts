import { expect, test } from "vitest";
import { contentOf } from "./content.ts";
import { client } from "#src/limiter/core/client.ts";
import { requestsTo, atUs, level, smoothing, type StoreRequests } from "./budgets.ts";

const key = (algorithm: Parameters<typeof level>[0]) =>
  level(algorithm, { rate: 3, per: 10, scope: "key" });
const api = level("fixed_window", { rate: 3, per: 10, scope: "api" });

test("the content of a store does not depend on which client was first", () => {
  const requestsOf = (...names: readonly string[]): StoreRequests => {
    const requests = requestsTo();
    for (const name of names) requests.as(client(name), 1, "spend", key("sliding_log"));
    return requests;
  };
  expect(contentOf(requestsOf("alice", "bob").store)).toEqual(
    contentOf(requestsOf("bob", "alice").store),
  );
  expect(contentOf(requestsOf("alice", "bob").store)).not.toEqual(
    contentOf(requestsOf("alice", "bob", "bob").store),
  );
});

test("a log is its stamps, oldest first, with its mark", () => {
  const requests = requestsTo();
  for (const seconds of [2, 1, 3]) requests.at(seconds, key("sentinel"));
  expect(contentOf(requests.store)).toEqual([
    {
      table: "log/key/10000000us",
      identity: "alice",
      cells: [],
      stampsUs: [atUs(1), atUs(2), atUs(3)],
      mark: { untilUs: atUs(11), whole: 3 },
      allowance: null,
      bound: null,
    },
  ]);
});

test("the content of a smoothed log has A, and that of a bounded one its bound", () => {
  const smoothed = level("bounded_log", { rate: 3, per: 10, smoothing: smoothing(2, 1, 0.5, 5) });
  const requests = requestsTo();
  requests.at(1, smoothed);
  expect(contentOf(requests.store)[0]).toMatchObject({
    allowance: { value: 2_000_000, holdUntilUs: atUs(6), lastUs: atUs(1) },
    bound: 3,
  });
});

test("a record of fixed width is its cells, and that of an API has no client", () => {
  const requests = requestsTo();
  requests.at(1, api);
  requests.at(2, api);
  expect(contentOf(requests.store)).toMatchObject([{ identity: "", cells: [atUs(1), 2] }]);
});
