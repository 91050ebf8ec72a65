import { expect, test } from "vitest";
import { REQUIREMENTS } from "#src/limiter/spec/requirements.ts";
import { ALGORITHMS, FAILING, sample } from "./samples.ts";
import { folderWith, weir } from "./weir.ts";

const suite = {
  "scenarios/limits/algorithms.yaml": ALGORITHMS,
  "scenarios/endpoints/fails.yaml": sample("endpoints/fails", { expect: FAILING }),
};

test("--json is one document with results, requirements and a footer", async () => {
  const { code, out, err } = await weir(folderWith(suite), ["run", "--json", "--seed", "3"]);
  expect(code).toBe(1);
  expect(err).toContain("2 passed, 1 failed, 0 skipped");
  const document = JSON.parse(out) as Record<string, unknown>;
  expect(document).toEqual({
    format: "weir-run/2",
    answer: [
      expect.objectContaining({ id: "verdict", text: "1 of 3 variants of 2 scenarios fails." }),
      expect.objectContaining({ id: "cause" }),
      expect.objectContaining({ id: "why" }),
    ],
    seed: 3,
    results: [
      expect.objectContaining({ scenario: "endpoints/fails", variant: "", outcome: "fail" }),
      {
        scenario: "limits/algorithms",
        file: "scenarios/limits/algorithms.yaml",
        variant: "algorithm=fixed_window",
        axes: { algorithm: "fixed_window" },
        driver: "virtual",
        seed: 3,
        outcome: "pass",
        unsupported: [],
        verdicts: [
          {
            expectation: "five pass, one does not",
            line: 12,
            proves: ["LIM-1"],
            outcome: "pass",
            observed: "5*200 429",
            expected: "5*200 429",
            examined: 6,
            evidence: [0, 1, 2, 3, 4, 5],
            evidenceTotal: 6,
            requests: [1, 2, 3, 4, 5, 6].map((nth) => `first:${nth}`),
          },
        ],
        because: ["LIM-13"],
        decidedBy: [{ scope: "key", because: ["LIM-13"] }],
        requests: 6,
        admitted: 5,
        delayed: 0,
        refused: 1,
        rejected: 0,
        lost: 0,
        losses: [],
        rejections: {},
        peak: { admitted: 5, perUs: 1_000_000 },
        undecided: 0,
        virtualUs: 0,
      },
      expect.objectContaining({ variant: "algorithm=sliding_log", outcome: "pass" }),
    ],
    requirements: REQUIREMENTS.map(({ id, tier, state }) =>
      id === "LIM-1"
        ? {
            id,
            tier,
            state,
            outcome: "fail",
            scenarios: ["endpoints/fails", "limits/algorithms"],
            variants: 3,
          }
        : { id, tier, state, outcome: null, scenarios: [], variants: 0 },
    ),
    footer: {
      complete: true,
      variants: 3,
      passed: 2,
      failed: 1,
      skipped: 0,
      vacuous: 0,
      inconclusive: 0,
      decisions: { compared: 0, open: 0 },
      errors: 0,
    },
  });
});

test("the same seed gives the same bytes, and they contain no time", async () => {
  const folder = folderWith(suite);
  const first = (await weir(folder, ["run", "--json"])).out;
  expect((await weir(folder, ["run", "--json"])).out).toBe(first);
  expect(first).not.toContain(folder);
});

test("the footer of a run that stopped early reports that", async () => {
  const { out } = await weir(folderWith(suite), ["run", "--json", "--bail"]);
  expect(JSON.parse(out)).toMatchObject({ footer: { complete: false, variants: 1 } });
});

test("lists are documents too", async () => {
  const folder = folderWith(suite);
  expect(JSON.parse((await weir(folder, ["list", "--json"])).out)).toMatchObject({
    format: "weir-list/1",
    scenarios: [
      { id: "endpoints/fails", variants: [""], proves: ["LIM-1"] },
      { id: "limits/algorithms", variants: ["algorithm=fixed_window", "algorithm=sliding_log"] },
    ],
  });
  const listed = JSON.parse((await weir(folder, ["list", "--requirements", "--json"])).out) as {
    readonly requirements: readonly unknown[];
  };
  expect(listed.requirements).toHaveLength(REQUIREMENTS.length);
  expect(listed.requirements[0]).toMatchObject({
    id: "LIM-1",
    scenarios: ["endpoints/fails", "limits/algorithms"],
    variants: 3,
  });
});

test("the schema is the one of scenario files", async () => {
  expect(JSON.parse((await weir(folderWith({}), ["schema"])).out)).toMatchObject({
    title: "A scenario of Weir",
    required: expect.arrayContaining(["title", "expect"]),
  });
});
