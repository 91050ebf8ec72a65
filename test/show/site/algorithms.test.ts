// What the pages of algorithms show: their limits, their worst cases, and the scenarios that prove a sentence.
import { globSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { ALGORITHMS } from "#src/limiter/core/algorithms.ts";
import { boundOf } from "#src/studies/worst/bound.ts";
import type { WorstCaseQuestion } from "#src/studies/worst/question.ts";
import { decode } from "#src/lab/scenario/read/decode.ts";
import { costsOf } from "#src/show/site/algorithms/costs.node.ts";
import { firstText, LIVE_FILE, LIVE_LIMITS } from "#src/show/site/algorithms/live-limit.ts";
import { proofsOf, provenIn, useOf } from "#src/show/site/algorithms/algorithm-pages.node.ts";
import {
  findImplementations,
  ownImplementations,
} from "#src/lab/implementations/catalogue.node.ts";
import { isFailure } from "#src/kit/reading/failure.ts";
import type { SiteImplementation } from "#src/show/site/implementations/site-implementation.ts";
import { SUBJECTS } from "#src/show/site/algorithms/subjects.ts";
import { runScenario } from "#src/show/site/run-scenario.ts";
import { REQUIREMENTS } from "#src/limiter/spec/requirements.ts";

const root = join(import.meta.dirname, "../../..");

test("each algorithm has a page, and each page a limit to drag", () => {
  const algorithms = SUBJECTS.map(({ algorithm }) => algorithm).filter((each) => each !== null);
  expect(algorithms.toSorted()).toEqual([...ALGORITHMS].toSorted());
  expect(SUBJECTS.map(({ id }) => id).toSorted()).toEqual(Object.keys(LIVE_LIMITS).toSorted());
});

test("whatever a reader drags is a scenario without errors", () => {
  for (const [id, limit] of Object.entries(LIVE_LIMITS)) {
    const names = limit.choices.map(({ names: all }) => all);
    for (const end of ["least", "most", "usual"] as const)
      for (const at of [0, -1]) {
        const text = limit.text(
          Object.fromEntries(limit.numbers.map((field) => [field.name, field[end]])),
          Object.fromEntries(limit.choices.map(({ name }, index) => [name, names[index]!.at(at)!])),
        );
        const { scenario, problems } = decode(LIVE_FILE, text);
        const errors = problems.filter(({ severity }) => severity === "error");
        expect.soft(errors, `${id} at ${end}`).toEqual([]);
        expect.soft(scenario?.variants.length, id).toBe(1);
      }
  }
});

test("a limit that is dragged decides otherwise", () => {
  const [first, changed] = [3, 40].map((rate) =>
    LIVE_LIMITS["gcra"]!.text({ rate, per: 5, burst: 3, each: 2.5, atOnce: 5 }, {}),
  );
  expect(firstText(LIVE_LIMITS["gcra"]!)).not.toBe(first);
  expect(changed).not.toBe(first);
});

interface SavedWorst {
  readonly question: Omit<WorstCaseQuestion, "inFlight">;
  readonly most: number;
  readonly bound: unknown;
  readonly scenario: string;
}

test("the saved worst case of each algorithm is reached when it runs, and has the bound of today", async () => {
  for (const algorithm of ALGORITHMS) {
    const text = readFileSync(join(root, "reports/worst", `${algorithm}.json`), "utf8");
    const { question, most, bound, scenario } = JSON.parse(text) as SavedWorst;
    expect(question.algorithm).toBe(algorithm);
    expect(boundOf({ ...question, inFlight: Number.POSITIVE_INFINITY })).toMatchObject(
      bound as object,
    );
    expect(scenario).toContain(`equals: ${most} }`);
    let outcome: string | null = null;
    for await (const message of runScenario({ file: "worst.yaml", text: scenario, seed: 1 }))
      if (message.kind === "done") ({ outcome } = message.report);
    expect.soft(outcome, algorithm).toBe("pass");
  }
});

test("the heads of scenarios are read as the decoder reads them", () => {
  const files = globSync("scenarios/{smoothing,examples}/*.yaml", { cwd: root });
  expect(files.length).toBeGreaterThan(30);
  for (const file of files) {
    const text = readFileSync(join(root, file), "utf8");
    const { scenario } = decode(file, text);
    const proven = [
      ...scenario!.proves,
      ...scenario!.variants.flatMap(({ expectations }) =>
        expectations.flatMap(({ proves }) => proves),
      ),
    ];
    expect.soft(new Set(provenIn(text)), file).toEqual(new Set(proven));
  }
});

test("each requirement of algorithms, smoothing and headers is on a page, with scenarios", () => {
  const scenarios = globSync("scenarios/**/*.yaml", { cwd: root }).map((file) => {
    const text = readFileSync(join(root, file), "utf8");
    return { id: file, title: file, proves: new Set(provenIn(text)), text, address: "" };
  });
  const proofs = SUBJECTS.flatMap((subject) => proofsOf(subject, scenarios));
  const empty = proofs.filter(({ scenarios: proving }) => proving.length === 0);
  expect(empty.map(({ requirement }) => requirement.id)).toEqual([]);
  const shown = new Set(proofs.map(({ requirement }) => requirement.id));
  const expected = REQUIREMENTS.filter(({ id }) => /^(?:ALG|SMO|HDR)-/.test(id));
  // Of all algorithms together, and of profiles: they have pages in the documentation.
  const elsewhere = ["ALG-C1", "ALG-C8", "ALG-C11"];
  expect(expected.map(({ id }) => id).filter((id) => !shown.has(id))).toEqual(elsewhere);
});

test("an implementation with smoothing or merging has a sentence that shows it", async () => {
  const found = await Promise.all(ownImplementations().map(findImplementations));
  const users = (subject: string): readonly string[] =>
    found.flatMap((all) => {
      if (isFailure(all)) throw new Error("a manifest cannot be read");
      return all.flatMap(({ id, manifest }) => {
        const implementation = { id, manifest, algorithm: "" } as SiteImplementation;
        const use = useOf(
          SUBJECTS.find(({ id }) => id === subject)!,
          implementation,
        );
        return use?.evidence?.source.startsWith("https://") === true ? [id] : [];
      });
    });
  expect(users("smoothing")).toEqual(["tyk/rolling-window", "tyk/sentinel"]);
  expect(users("merging")).toHaveLength(4);
});

test("costs are those that were measured", () => {
  const costs = (id: string): ReturnType<typeof costsOf> =>
    costsOf(
      root,
      SUBJECTS.find((subject) => subject.id === id)!,
    );
  expect(costs("fixed-window")?.rows[0]?.slice(1, 3)).toEqual(["2: MGET, SETRANGE", "1: MGET"]);
  expect(costs("sliding-log")?.measured.map(({ command }) => command)).toEqual([
    "npm run --silent weir -- pareto --gateways 3 --markdown",
    "npm run bench -- core --quick",
  ]);
  expect(costs("smoothing")?.rows).toHaveLength(4);
  expect(costs("drl")?.rows).toEqual([]);
  expect(costs("merging")).toBeNull();
});
