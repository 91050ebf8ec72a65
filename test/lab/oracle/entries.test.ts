// The client of a request, its configuration, and the levels that it meets.
import { expect, test } from "vitest";
import { limitOf } from "#src/limiter/core/limit.ts";
import { secondsToMicros } from "#src/kit/units.ts";
import { entriesOf } from "#src/lab/oracle/entries.ts";
import { historyOf } from "../../histories/history.ts";
import { configuration, key, type VariantText } from "../../histories/world.ts";
import { evaluate, oracleWorld } from "./evaluate.ts";

test("the clients of one flow have levels of their own, and a request without a credential has none", () => {
  const keys = [
    key("alice", { limit: limitOf(1, 1) }),
    key("bob", { limit: limitOf(2, 1) }),
    key("carol", { limit: limitOf(3, 1), expiresUs: secondsToMicros(9) }),
  ];
  const flows = [{ name: "all" }, { name: "nobody", as: null }];
  const credentials = new Map([["alice", ["alice", "bob", "carol"]]]);
  const world = { ...oracleWorld({ keys, flows }), credentials };
  const rows = [0, 1, 2, 1, 0, 3, 4].map((client, at) => ({ at, flow: "all", client }));
  const history = historyOf({ flows, rows: [...rows, { at: 9, flow: "nobody" }] });
  expect(entriesOf(history, world).map(({ levels }) => levels[0]?.limit.rate)).toEqual([
    1,
    2,
    3,
    2,
    1,
    1,
    2,
    undefined,
  ]);
});

const alice = (rate: number): VariantText => ({
  keys: [key("alice", { limit: limitOf(rate, 1) })],
});

test.each([
  [0.999999, 1, "change"],
  [0.999999, 0.999999, "1 allowed"],
  [1, 1, "5 allowed"],
  [1, 1.5, "5 allowed"],
])(
  "sent at %d s and decided at %d s, where the limit changes at 1 s: %s",
  (at, decided, expected) => {
    const faults = [
      { kind: "configure", atUs: secondsToMicros(1), configuration: configuration(alice(5)) },
    ] as const;
    const rows = [{ at, span: [decided, decided] as const }];
    expect(evaluate({ ...alice(1), faults }, { rows }).rows[0]?.why).toContain(expected);
  },
);
