// The requests that the specification leaves open, and the keys whose allowance cannot be followed.
import { expect, test } from "vitest";
import { limitOf } from "#src/limiter/core/limit.ts";
import { secondsToMicros } from "#src/kit/units.ts";
import type { HistorySpan } from "#src/lab/scenario/history.ts";
import { BOUNDED, rowsOf, type Row } from "../../histories/history.ts";
import { api, configuration, key, type VariantText } from "../../histories/world.ts";
import { evaluate, inWords } from "./evaluate.ts";

const us = secondsToMicros;
const silent = (what: HistorySpan["what"]): HistorySpan => ({
  what,
  gateway: null,
  fromUs: us(0.5),
  toUs: us(2),
  text: what,
});
const alice = [key("alice", { limit: limitOf(9, 1) })];
const apis = [api("orders", { globalRateLimit: limitOf(9, 1) })];

test.each<[string, VariantText, readonly HistorySpan[], readonly number[]]>([
  ["a log", {}, [], []],
  ["a sentinel", { options: { algorithm: "sentinel" } }, [], [0, 1]],
  ["single commands", { options: { algorithm: "non_transactional" } }, [], [0, 1]],
  ["a sentinel beside DRL", { apis, options: { algorithm: null, drlThreshold: 9.5 } }, [], []],
  [
    "a sentinel beside a quota",
    {
      options: { algorithm: "sentinel" },
      keys: [key("alice", { limit: limitOf(9, 1), quota: { max: 9, renewalUs: us(9) } })],
    },
    [],
    [0, 1],
  ],
  ["a store that is taken away", {}, [silent("store_down")], [1]],
  [
    "a store that is taken away and falls silent",
    {},
    [silent("fallback"), silent("store_down")],
    [1],
  ],
  ["a store that falls silent", {}, [silent("fallback")], []],
])("%s leaves open by the text: %j", (_, more, spans, open) => {
  const rows = [{ at: 0 }, { at: 1 }];
  const results = evaluate({ keys: alice, ...more }, { rows, spans });
  expect([...results.openByText]).toEqual(open);
});

test("while the limit changes under a request the events of its key are not compared", () => {
  const faults = [{ kind: "configure", atUs: us(1), configuration: configuration() }] as const;
  const flows = [{ name: "only" }, { name: "bob", as: "bob" }, { name: "nobody", as: null }];
  const rows: Row[] = [
    { at: 0.9, span: [1, 1] },
    { at: 2, flow: "bob", key: "bob" },
  ];
  const keys = [...alice, key("bob")];
  const of = (rows: readonly Row[]) => [
    ...evaluate({ keys, faults, flows }, { rows, flows }).openKeys,
  ];
  expect(of(rows)).toEqual(["alice"]);
  expect(of(rows.slice(1))).toEqual([]);
  expect([...evaluate({ keys: alice }, { rows: [{ at: 0 }] }).openKeys]).toEqual([]);
});

const BOTH = [{ name: "only" }, { name: "bob", as: "bob" }];

test("what a gateway took with it may have been spent: a refusal is allowed too, where one more decides", () => {
  const lost: Row = { at: 0.968, answered: 1, lost: "ended" };
  const keys = [key("alice", { limit: limitOf(1, 9) }), key("bob", { limit: limitOf(1, 9) })];
  const at = (s: number, more: Partial<Row> = {}) =>
    evaluate({ keys, flows: BOTH }, { rows: [{ at: s, ...more }, lost], flows: BOTH }).rows[0]!;
  expect([inWords(at(0.967999)), inWords(at(0.968))]).toEqual(["admit", "open"]);
  expect(at(0.968)).toMatchObject({
    admit: true,
    refuse: true,
    why: "key: 0 to 1 attempts in the window, 1 allowed (LIM-1)",
  });
  // Neither another key nor a later window has anything of it.
  expect(inWords(at(0.968, { flow: "bob", key: "bob" }))).toBe("admit");
  expect([inWords(at(9.999999)), inWords(at(10))]).toEqual(["open", "admit"]);
});

test("a quota that is perhaps used up leaves Retry-After open", () => {
  const keys = [key("alice", { quota: { max: 1, renewalUs: us(1) } })];
  const rows: Row[] = [
    { at: 0, span: [0, 0.2] },
    { at: 1.1, span: [1.1, 1.1], status: 403, reason: "quota", by: "quota" },
  ];
  const [, open] = evaluate({ keys }, { rows, timing: BOUNDED }).rows;
  expect(open).toMatchObject({ admit: true, refuse: true, retryAfter: null });
  const sure = evaluate({ keys }, { rows: rowsOf("200 403", 0, 0.1, { by: "quota" }) }).rows[1];
  expect(sure).toMatchObject({ admit: false, retryAfter: { fromS: 1, toS: 1 } });
});
