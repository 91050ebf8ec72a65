import { expect, test } from "vitest";
import { contentOf } from "../../src/store/content.ts";
import { client } from "../../src/core/client.ts";
import { asked, atUs, level, smoothing, type Asked } from "./budgets.ts";

const key = (algorithm: Parameters<typeof level>[0]) =>
  level(algorithm, { rate: 3, per: 10, scope: "key" });
const api = level("fixed_window", { rate: 3, per: 10, scope: "api" });

test("what a store holds does not tell who came first", () => {
  const ask = (...names: readonly string[]): Asked => {
    const made = asked();
    for (const name of names) made.as(client(name), 1, "spend", key("sliding_log"));
    return made;
  };
  expect(contentOf(ask("alice", "bob").store)).toEqual(contentOf(ask("bob", "alice").store));
  expect(contentOf(ask("alice", "bob").store)).not.toEqual(
    contentOf(ask("alice", "bob", "bob").store),
  );
});

test("a log is its stamps, oldest first, with its mark", () => {
  const made = asked();
  for (const seconds of [2, 1, 3]) made.at(seconds, key("sentinel"));
  expect(contentOf(made.store)).toEqual([
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

test("of a smoothed log A is told, and of a bounded one what it may keep", () => {
  const smoothed = level("bounded_log", { rate: 3, per: 10, smoothing: smoothing(2, 1, 0.5, 5) });
  const made = asked();
  made.at(1, smoothed);
  expect(contentOf(made.store)[0]).toMatchObject({
    allowance: { value: 2_000_000, holdUntilUs: atUs(6), lastUs: atUs(1) },
    bound: 3,
  });
});

test("a record of fixed width is its cells, and an API's is nobody's", () => {
  const made = asked();
  made.at(1, api);
  made.at(2, api);
  expect(contentOf(made.store)).toMatchObject([{ identity: "", cells: [atUs(1), 2] }]);
});
