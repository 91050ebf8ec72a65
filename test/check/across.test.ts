import { expect, test } from "vitest";
import { checkAcross, type AcrossVerdict, type Run } from "../../src/check/across.ts";
import { checkVariant } from "../../src/check/run.ts";
import type { Json, Measure, Scenario } from "../../src/scenario/types.ts";
import { historyOf, rowsOf, type Row } from "../histories/history.ts";
import { EVERYTHING, variantOf } from "../histories/world.ts";

const inAll = { of: "storeCommands", before: "all", per: "request" } as const;
type Quantity = Extract<Measure, { kind: "quantity" }>;
const quantity = (comparison: Quantity["comparison"]): Measure => ({
  kind: "quantity",
  quantity: inAll,
  filter: EVERYTHING,
  comparison,
});
const sameAs = (value: Json): Measure => ({
  kind: "sameAs",
  axis: "form",
  value,
  filter: EVERYTHING,
});

const runOf = (
  axes: Readonly<Record<string, Json>>,
  rows: readonly Row[],
  measure: Measure,
): Run => ({
  variant: variantOf({ axes, expect: [measure] }),
  history: historyOf({ rows }),
});

function across(
  runs: readonly Run[],
  variants = runs.map(({ variant }) => variant),
): AcrossVerdict[] {
  const scenario: Scenario = {
    id: "test/across",
    file: "",
    title: "",
    about: "",
    proves: [],
    kills: [],
    needs: [],
    variants,
    charts: [],
  };
  return checkAcross(scenario, runs);
}

const costing = (...commands: number[]): Row[] =>
  commands.map((commandsAll, index) => ({ at: index, commandsAll }));

test("the same statuses as the reference pass, others fail, and the reference speaks for nobody", () => {
  const measure = sameAs("plain");
  const runs = [
    runOf({ form: "plain" }, rowsOf("2*200 429", 0, 1), measure),
    runOf({ form: "other" }, rowsOf("2*200 429", 0, 1), measure),
    runOf({ form: "wrong" }, rowsOf("3*200", 0, 1), measure),
  ];
  expect(across(runs).map(({ variant, outcome }) => [variant, outcome])).toEqual([
    ["form=other", "pass"],
    ["form=wrong", "fail"],
  ]);
  expect(across(runs)[1]?.observed).toBe(
    "3*200; differs at request 3: form=plain has 429, got 200",
  );
});

test("only a neighbour that differs in this one axis is a reference", () => {
  const measure = sameAs("plain");
  const runs = [
    runOf({ form: "plain", rate: 1 }, rowsOf("200", 0, 1), measure),
    runOf({ form: "plain", rate: 2 }, rowsOf("429", 0, 1), measure),
    runOf({ form: "other", rate: 2 }, rowsOf("429", 0, 1), measure),
  ];
  expect(across(runs)).toMatchObject([{ variant: "form=other rate=2", outcome: "pass" }]);
});

test("a reference that did not run is vacuous, one that does not exist is an error", () => {
  const measure = sameAs("plain");
  const reference = runOf({ form: "plain" }, [], measure);
  const other = runOf({ form: "other" }, rowsOf("200", 0, 1), measure);
  expect(across([other], [reference.variant, other.variant])).toMatchObject([
    { outcome: "vacuous" },
  ]);
  expect(across([other])).toMatchObject([{ outcome: "error" }]);
});

test("fewer commands than the reference is a comparison of means", () => {
  const measure = quantity({ op: "lessThan", axis: "form", value: "multi" });
  const runs = [
    runOf({ form: "multi" }, costing(6, 6), measure),
    runOf({ form: "pipe" }, costing(4, 5), measure),
    runOf({ form: "same" }, costing(6), measure),
  ];
  expect(across(runs)).toMatchObject([
    { variant: "form=pipe", outcome: "pass", observed: "4.5 against 6" },
    { variant: "form=same", outcome: "fail" },
  ]);
});

test.each([
  ["growsWith", [1, 2, 3], "pass"],
  ["growsWith", [1, 2, 2], "fail"],
  ["constantIn", [2, 2, 2], "pass"],
  ["constantIn", [2, 2, 3], "fail"],
] as const)("%s %j is %s, one verdict for the whole axis", (op, commands, outcome) => {
  const measure = quantity({ op, axis: "traffic" });
  const [one, two, three] = commands;
  const runs = [
    runOf({ traffic: "10s" }, costing(three), measure),
    runOf({ traffic: "500ms" }, costing(one), measure),
    runOf({ traffic: "2s" }, costing(two), measure),
  ];
  expect(across(runs)).toMatchObject([
    { outcome, observed: `500ms: ${one}, 2s: ${two}, 10s: ${three}` },
  ]);
});

test("one variant alone shows no growth", () => {
  const measure = quantity({ op: "growsWith", axis: "traffic" });
  expect(across([runOf({ traffic: 1 }, costing(1), measure)])).toMatchObject([
    { outcome: "vacuous" },
  ]);
});

test("an axis that the matrix lacks is an error", () => {
  const runs = [runOf({ form: "a" }, costing(1), quantity({ op: "growsWith", axis: "traffic" }))];
  expect(across(runs)).toMatchObject([{ outcome: "error" }]);
});

test("a single variant is not asked what only several can answer", () => {
  const { variant, history } = runOf({ form: "a" }, costing(1), sameAs("b"));
  expect(checkVariant(variant, history)).toEqual([]);
});
