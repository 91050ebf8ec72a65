// The management of a world in virtual time: calls, their responses, and the requests that they affect.
import { expect, test } from "vitest";
import { checkVariant } from "#src/lab/check/run.ts";
import { playVariant } from "#src/lab/drivers/virtual.node.ts";
import { playVirtual } from "#src/lab/drivers/virtual.ts";
import { micros, SECOND } from "#src/kit/units.ts";
import { writeHistory } from "#src/lab/scenario/history/write.ts";
import { NO_GATEWAY, NO_STATUS, type History } from "#src/lab/scenario/history.ts";
import { plan } from "#src/lab/scenario/plan/plan.ts";
import { decode } from "#src/lab/scenario/read/decode.ts";
import { formatProblem } from "#src/kit/reading/source.ts";
import type { Variant } from "#src/lab/scenario/types.ts";

interface Parts {
  readonly world?: string;
  readonly traffic: readonly string[];
}

function variantOf({ world = "", traffic }: Parts): Variant {
  const text = `id: management/played
title: played
proves: [MGT-8]
world:
  apis: { orders: { listen: /orders } }
  keys: { alice: { apis: [orders], rate: 2, per: 100 } }
  ${world}
traffic:
${traffic.map((item) => `  - ${item}\n`).join("")}
expect:
  - { id: the text agrees, decisions: {}, agreeWith: oracle }
`;
  const { scenario, problems } = decode("scenarios/management/played.yaml", text);
  if (scenario === null) throw new Error(problems.map(formatProblem).join("\n"));
  return scenario.variants[0]!;
}

const historyOf = async (variant: Variant): Promise<History> =>
  playVariant(variant, plan(variant, "management/played", 1));

const statuses = ({ requests }: History): readonly number[] => [...requests.status];
const outcomes = (variant: Variant, history: History): readonly string[] =>
  checkVariant(variant, history).map(({ outcome }) => outcome);

const RAISE = "{ at: 1s, name: raise, call: PUT admin/org/keys/alice, body: { rate: 3 } }";

test("what a call removes from the store is seen, also after the last request", async () => {
  const variant = variantOf({
    traffic: [
      "{ as: alice, send: GET /orders, burst: 2, at: 1s }",
      "{ at: 2s, name: reset, call: POST admin/org/keys/alice/budgets/reset, body: {} }",
    ],
    world: "gateway: { algorithm: sliding_log }",
  });
  const { gauges, calls } = await historyOf(variant);
  expect(calls.map(({ status }) => status)).toEqual([200]);
  const entries = gauges.filter(({ gauge }) => gauge === "entries");
  expect(entries.map(({ value, atUs }) => [value, atUs])).toEqual([
    [0, 0],
    [1, 1_000_000],
    [2, 1_000_000],
    [0, 2_000_000],
  ]);
});

test("a call affects requests of the same instant, and none before", async () => {
  const variant = variantOf({
    traffic: [
      "{ name: before, as: alice, send: GET /orders, burst: 3, at: 999999us }",
      "{ name: after, as: alice, send: GET /orders, burst: 2, at: 1s }",
      RAISE,
    ],
    world: "gateway: { algorithm: fixed_window }",
  });
  const history = await historyOf(variant);
  expect(statuses(history)).toEqual([200, 200, 429, 200, 429]);
  expect(history.calls).toMatchObject([
    {
      call: "raise",
      on: "admin",
      gateway: 0,
      plannedUs: 1_000_000,
      answeredUs: 1_000_000,
      status: 200,
      body: { ID: "alice", Message: "Key updated", Meta: null, Status: "OK" },
    },
  ]);
  expect(outcomes(variant, history)).toEqual(["pass"]);
  const text = [...writeHistory(history)].join("");
  expect([...writeHistory(await historyOf(variant))].join("")).toBe(text);
});

test("a rejected call changes nothing, for the gateway and for the oracle", async () => {
  const variant = variantOf({
    traffic: [
      "{ call: PUT admin/org/keys/alice, body: { rate: 9 }, as: invalid, name: wrong }",
      "{ call: PUT admin/org/keys/alice, body: { rate: 9 }, as: none, name: none }",
      "{ call: PUT admin/org/keys/alice, body: { rate: 9 }, as: empty, name: empty }",
      "{ call: PUT admin/org/keys/bob, body: { rate: 9 } }",
      "{ call: PUT admin/org/keys/alice, body: { rate: fast }, name: nonsense }",
      "{ as: alice, send: GET /orders, burst: 3 }",
    ],
  });
  const history = await historyOf(variant);
  expect(history.calls.map(({ status }) => status)).toEqual([401, 401, 401, 404, 400]);
  expect(statuses(history)).toEqual([200, 200, 429]);
  expect(outcomes(variant, history)).toEqual(["pass"]);
});

test.each<[latency: string, appliedAfterUs: number, early: readonly number[]]>([
  ["0s", 0, [200, 200]],
  ["100ms", 200_000, [403, 200]],
  ["2s", 500_000, [403, 200]], // it looks for changes itself
])(
  "with %s to the store another gateway applies a change after %s us",
  async (latency, appliedAfterUs, early) => {
    const sends = (name: string, us: number): string =>
      `{ name: ${name}, as: alice, send: GET /orders, burst: 2, at: ${1_000_000 + us}us }`;
    const variant = variantOf({
      world: `fleet: { nodes: 2 }
  store: { latency: ${latency} }
  gateway: { algorithm: drl, drl_threshold: 0 }`,
      traffic: [
        "{ at: 1s, name: lower, call: PUT admin/org/keys/alice, body: { is_inactive: true } }",
        sends("early", appliedAfterUs - 1),
        sends("late", appliedAfterUs),
      ],
    });
    const { requests } = await historyOf(variant);
    const of = (flow: number): readonly number[] =>
      [...requests.status]
        .map((status, row) => ({ status, row }))
        .filter(({ row }) => requests.flow[row] === flow)
        .toSorted((a, b) => requests.gateway[a.row]! - requests.gateway[b.row]!)
        .map(({ status }) => status);
    expect(of(0)).toEqual(early);
    expect(of(1)).toEqual([403, 403]);
  },
);

test("a call that no gateway serves has no answer, and changes nothing", async () => {
  const variant = variantOf({
    traffic: [RAISE, "{ as: alice, send: GET /orders, burst: 3, at: 3s }"],
  });
  const { atUs } = variant.calls[0]!;
  const crashed: Variant = {
    ...variant,
    faults: [
      { kind: "gateway_crash", atUs, node: 0 },
      { kind: "gateway_restart", atUs: micros(2 * SECOND), node: 0 },
    ],
  };
  const history = await historyOf(crashed);
  const untaken = { gateway: NO_GATEWAY, status: NO_STATUS, sentUs: atUs, answeredUs: atUs };
  expect(history.calls).toMatchObject([{ ...untaken, headers: {}, body: null }]);
  expect(statuses(history)).toEqual([200, 200, 429]);
  expect(outcomes(crashed, history)).toEqual(["pass"]);
});

test("a run without waiting has no calls", () => {
  const variant = variantOf({ traffic: [RAISE] });
  expect(() => playVirtual(variant, plan(variant, "management/played", 1))).toThrow(
    "management/played has calls, which take waiting",
  );
});
