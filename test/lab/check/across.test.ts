import { describe, expect, test } from "vitest";
import { checkAcross, type AcrossVerdict, type AcrossRun } from "#src/lab/check/across.ts";
import { checkVariant } from "#src/lab/check/run.ts";
import type { Measure, Scenario } from "#src/lab/scenario/types.ts";
import type { Json } from "#src/kit/reading/shape.ts";
import { micros } from "#src/kit/units.ts";
import type { Timing } from "#src/lab/scenario/history.ts";
import { historyOf, rowsOf, type Row } from "../../histories/history.ts";
import { EVERYTHING, variantOf } from "../../histories/world.ts";

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
): AcrossRun => ({
  variant: variantOf({ axes, expect: [measure] }),
  history: historyOf({ rows }),
});

function across(
  runs: readonly AcrossRun[],
  variants = runs.map(({ variant }) => variant),
): AcrossVerdict[] {
  const scenario: Scenario = {
    id: "test/across",
    file: "",
    title: "",
    about: "",
    proves: [],
    needs: [],
    variants,
    charts: [],
    lists: [],
  };
  return checkAcross(scenario, runs);
}

const costing = (...commands: number[]): Row[] =>
  commands.map((commandsAll, index) => ({ at: index, commandsAll }));

test("the same statuses as the reference pass, others fail, and the reference has no verdict", () => {
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
  expect(across(runs)[1]?.observed).toBe("3*200; differs at only:3: form=plain has 429, got 200");
});

test("a difference that late requests explain is inconclusive", () => {
  const measure = sameAs("plain");
  const jitterUs = micros(100_000);
  const timing: Timing = { kind: "bounded", jitterUs, maxUs: micros(0), isStamped: true };
  const late = (form: string, rows: readonly Row[]): AcrossRun => ({
    ...runOf({ form }, [], measure),
    history: historyOf({ rows, timing }),
  });
  const three = rowsOf("3*200", 0, 0.1);
  const refused: Row = { at: 0.99, status: 429, by: "key", retryAfter: 1 };
  const runs = [late("plain", [...three, { at: 1.05 }]), late("other", [...three, refused])];
  expect(across(runs)).toMatchObject([{ outcome: "inconclusive" }]);
  const wrong = [runs[0]!, late("other", [...three, { ...refused, at: 1.05 }])];
  expect(across(wrong)).toMatchObject([{ outcome: "fail" }]);
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

test("a reference that did not run is vacuous, and a missing one is an error", () => {
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

test("a single variant has no verdicts on measures that compare variants", () => {
  for (const measure of [sameAs("b"), quantity({ op: "growsWith", axis: "form" })]) {
    const { variant, history } = runOf({ form: "a" }, costing(1), measure);
    expect(checkVariant(variant, history)).toEqual([]);
  }
});

/** The first verdict of a variant that is compared with its reference. */
const compareWith = (reference: AcrossRun, other: AcrossRun): AcrossVerdict | undefined =>
  across([reference, other]).at(0);

describe("compared with a reference", () => {
  const measure = sameAs("plain");
  const plain = (runs: string) => runOf({ form: "plain" }, rowsOf(runs, 0, 1), measure);
  const other = (runs: string) => runOf({ form: "other" }, rowsOf(runs, 0, 1), measure);

  test.each<[string, AcrossRun, AcrossRun, string, string]>([
    [
      "the first differs",
      plain("200"),
      other("429"),
      "fail",
      "429; differs at only:1: form=plain has 200, got 429",
    ],
    [
      "the reference is longer",
      plain("2*200"),
      other("200"),
      "fail",
      "200; differs at the end: form=plain has 200, got none",
    ],
    [
      "the reference is shorter",
      plain("200"),
      other("2*200"),
      "fail",
      "2*200; differs at only:2: form=plain has none, got 200",
    ],
    ["both are alike", plain("200"), other("200"), "pass", "200"],
    ["neither has any", plain("0*200"), other("0*200"), "vacuous", "nothing"],
    ["both lost the same one", plain("200 lost"), other("200 lost"), "pass", "200 lost"],
    [
      "the reference lost one that has a response",
      plain("200 lost"),
      other("2*200"),
      "fail",
      "2*200; differs at only:2: form=plain has lost, got 200",
    ],
    [
      "one is lost that the reference responded to",
      plain("2*429"),
      other("429 lost"),
      "fail",
      "429 lost; differs at only:2: form=plain has 429, got lost",
    ],
  ])("%s", (_, reference, one, outcome, observed) => {
    expect(compareWith(reference, one)).toMatchObject({ outcome, observed });
  });

  test("the evidence ends with the difference", () => {
    expect(compareWith(plain("4*200"), other("200 429 2*200"))?.evidence).toEqual([0, 1]);
    expect(compareWith(plain("200 429"), other("2*200"))?.evidence).toEqual([0, 1]);
  });

  test("values of an axis are compared as they are written", () => {
    const listed = sameAs(["a", "b"]);
    const runs = [
      runOf({ form: ["a", "b"] }, rowsOf("200", 0, 1), listed),
      runOf({ form: ["b", "a"] }, rowsOf("200", 0, 1), listed),
    ];
    expect(across(runs)).toMatchObject([{ variant: 'form=["b","a"]', outcome: "pass" }]);
  });

  test.each([
    [{ rate: 1 }, 'the matrix has no axis "form"'],
    [{ form: "other" }, "no variant has form=plain"],
  ])("%j: %s", (axes, observed) => {
    const run = runOf(axes, rowsOf("200", 0, 1), measure);
    expect(across([run])).toMatchObject([
      { outcome: "error", observed, expected: "compared with form=plain" },
    ]);
  });

  test("a reference that did not run is named", () => {
    const run = other("200");
    expect(across([run], [plain("200").variant, run.variant])[0]?.observed).toBe(
      "form=plain did not run",
    );
  });
});

describe("fewer than a reference", () => {
  const fewer = (of: Quantity["quantity"]): Measure => ({
    ...(quantity({ op: "lessThan", axis: "form", value: "multi" }) as Quantity),
    quantity: of,
  });
  const expected = "fewer store commands a request, in all than multi";

  test.each<[string, readonly number[], readonly number[], string]>([
    ["as many are not fewer", [6], [6], "fail"],
    ["of none there is no mean", [], [4], "vacuous"],
    ["none has no mean", [6], [], "vacuous"],
    ["fewer are", [6], [4], "pass"],
  ])("%s", (_, multi, pipe, outcome) => {
    const reference = runOf({ form: "multi" }, costing(...multi), fewer(inAll));
    const one = runOf({ form: "pipe" }, costing(...pipe), fewer(inAll));
    expect(compareWith(reference, one)).toMatchObject({ outcome, expected });
  });

  test("a figure that the history does not keep is an error", () => {
    const peak = fewer({ of: "storeOps", per: "peak" });
    const runs = [runOf({ form: "multi" }, costing(1), peak), runOf({ form: "pipe" }, [], peak)];
    expect(across(runs)).toMatchObject([{ outcome: "error" }]);
  });

  test.each(["multi", "pipe"])("a flow that %s alone does not have is an error", (without) => {
    const measure = { ...(fewer(inAll) as Quantity), filter: { ...EVERYTHING, flow: ["only"] } };
    const runs = ["multi", "pipe"].map((form): AcrossRun => ({
      ...runOf({ form }, [], measure),
      history: historyOf({ rows: costing(1), flows: [{ name: form === without ? "x" : "only" }] }),
    }));
    const observed = 'the run has no flow "only"';
    expect(across(runs)).toMatchObject([{ outcome: "error", observed, expected }]);
  });

  test("a measure of one variant is not checked across variants", () => {
    const measure = quantity({ op: "equals", value: 1 });
    expect(across([runOf({ form: "multi" }, costing(1), measure)])).toEqual([]);
    const { variant } = runOf({}, [], { kind: "invariant", rule: "responses" });
    expect(across([{ variant, history: historyOf({}) }])).toEqual([]);
  });
});

describe("along an axis", () => {
  const along = (op: "growsWith" | "constantIn", axis = "traffic"): Measure =>
    quantity({ op, axis });

  test.each([
    ["growsWith", "store commands a request, in all: grows with traffic"],
    ["constantIn", "store commands a request, in all: constant in traffic"],
  ] as const)("%s has its expectation as text", (op, expected) => {
    const runs = [1, 2].map((traffic) => runOf({ traffic }, costing(traffic), along(op)));
    expect(across(runs)).toMatchObject([{ expected }]);
    const [verdict] = across([runOf({ form: "a" }, costing(1), along(op))]);
    expect(verdict?.observed).toBe('the matrix has no axis "traffic"');
  });

  test("other axes make groups of their own", () => {
    const runs = [1, 2].flatMap((form) =>
      [1, 2].map((traffic) =>
        runOf({ form, traffic }, costing(form * traffic), along("growsWith")),
      ),
    );
    expect(across(runs).map(({ observed }) => observed)).toEqual(["1: 1, 2: 2", "1: 2, 2: 4"]);
  });

  test("values without a size stay in the order of the matrix", () => {
    const runs = ["many", "10s", "few"].map((traffic, index) =>
      runOf({ traffic }, costing(index + 1), along("growsWith")),
    );
    expect(across(runs)).toMatchObject([{ outcome: "pass", observed: "many: 1, 10s: 2, few: 3" }]);
    const lists = [["10s"], ["2s"]].map((traffic, index) =>
      runOf({ traffic }, costing(index + 1), along("growsWith")),
    );
    expect(across(lists)).toMatchObject([{ outcome: "pass", observed: '["10s"]: 1, ["2s"]: 2' }]);
  });

  test("numbers are sorted by size", () => {
    const runs = [10, 9].map((traffic) => runOf({ traffic }, costing(traffic), along("growsWith")));
    expect(across(runs)).toMatchObject([{ outcome: "pass", observed: "9: 9, 10: 10" }]);
  });

  test("a variant that examined nothing makes the axis vacuous", () => {
    const runs = [runOf({ traffic: 1 }, costing(1), along("growsWith"))];
    runs.push(runOf({ traffic: 2 }, [], along("growsWith")));
    expect(across(runs)).toMatchObject([{ outcome: "vacuous" }]);
  });

  test.each([
    [[2, 4], [2, 4], "pass"],
    [[2, 4], [2, 5], "fail"],
    [[2, 4], [1, 4], "fail"],
  ])("constant means that the range does not move: %j and %j", (one, two, outcome) => {
    const runs = [
      runOf({ traffic: 1 }, costing(...one), along("constantIn")),
      runOf({ traffic: 2 }, costing(...two), along("constantIn")),
    ];
    expect(across(runs)).toMatchObject([{ outcome, examined: 2 }]);
  });

  test("a figure that the history does not keep is an error", () => {
    const peak: Measure = {
      ...(along("growsWith") as Quantity),
      quantity: { of: "storeOps", per: "peak" },
    };
    const runs = [1, 2].map((traffic) => runOf({ traffic }, costing(1), peak));
    expect(across(runs)).toMatchObject([{ outcome: "error" }]);
  });
});
