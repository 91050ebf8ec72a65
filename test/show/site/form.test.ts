// The playground without YAML: whatever is dragged and chosen is a scenario, and its run fits a page.
import * as fc from "fast-check";
import { expect, test } from "vitest";
import { ALGORITHMS } from "#src/limiter/core/algorithms.ts";
import { formatProblem, readSource } from "#src/kit/reading/source.ts";
import { runScenario } from "#src/library/weir.node.ts";
import { countPlannedRequests } from "#src/lab/scenario/plan/size.ts";
import { decode, SCENARIO_FILE } from "#src/lab/scenario/read/decode.ts";
import {
  FORM_CHOICES,
  FORM_NUMBERS,
  formScenario,
  USUAL_STATE as usual,
  fieldsInUse,
  type FormNames,
  type FormNumbers,
  type FormState,
} from "#src/show/site/form.ts";
import { formStateOf } from "#src/show/site/form-of-text.ts";
import { SITE_FAULTS } from "#src/show/site/with-fault.ts";
import { holds } from "../../runs.ts";

const anyNumbers = fc.record(
  Object.fromEntries(
    FORM_NUMBERS.map(({ name, least, most, step }) => [
      name,
      fc.integer({ min: 0, max: Math.round((most - least) / step) }).map((at) => least + at * step),
    ]),
  ),
) as fc.Arbitrary<FormNumbers>;

const anyNames = fc.record(
  Object.fromEntries(
    FORM_CHOICES.map(({ name, groups }) => [
      name,
      fc.constantFrom(...groups.flatMap(({ names }) => names as readonly string[])),
    ]),
  ),
) as fc.Arbitrary<FormNames>;

const MOST_REQUESTS = 18_000;

test("with every number at its end, a scraper among the clients sends the most", () => {
  const numbers = Object.fromEntries(
    FORM_NUMBERS.map(({ name, most }) => [name, most]),
  ) as FormNumbers;
  const populations = FORM_CHOICES.find(({ name }) => name === "population")!.groups;
  const counts = populations
    .flatMap(({ names }) => names as readonly string[])
    .map((population) => {
      const names = { ...usual.names, population };
      const [first] = decode("traffic.yaml", formScenario({ numbers, names })).scenario!.variants;
      return [population, countPlannedRequests(first!)] as const;
    });
  expect(new Map(counts).get("scraper")).toBe(MOST_REQUESTS);
  expect(Math.max(...counts.map(([, count]) => count))).toBe(MOST_REQUESTS);
});

test("every position of the form is a scenario with one variant for each limiter", () => {
  holds(
    fc.property(anyNumbers, anyNames, (numbers, names) => {
      const { scenario, problems } = decode("traffic.yaml", formScenario({ numbers, names }));
      expect(problems.filter(({ severity }) => severity === "error").map(formatProblem)).toEqual(
        [],
      );
      expect(scenario!.variants.length).toBe(names.first === names.second ? 1 : 2);
      for (const variant of scenario!.variants)
        expect(countPlannedRequests(variant)).toBeLessThanOrEqual(MOST_REQUESTS);
    }),
    100,
  );
});

test("the numbers are those of the world and of the traffic", () => {
  const numbers = { ...usual.numbers, rate: 7, per: 3, clients: 4, gateways: 2, burst: 5 };
  const text = formScenario({
    numbers,
    names: { ...usual.names, first: "gcra", second: "nginx" },
  });
  expect(text).toContain("7/3s: { rate: 7, per: 3s, apis: [orders] }");
  expect(text).toContain("count: 4 }");
  expect(text).toContain("nodes: 2");
  expect(text).toContain("gateway: [{ algorithm: gcra, burst: 5 }, { profile: nginx }]");
});

test("every algorithm can be chosen", () => {
  const [limiters] = FORM_CHOICES;
  expect(limiters.groups[0]!.names).toEqual(ALGORITHMS);
  for (const { name, least, most, usual: first } of FORM_NUMBERS)
    expect.soft(first >= least && first <= most, name).toBe(true);
});

const anyEvents = fc.record({
  faults: fc.subarray(SITE_FAULTS.map(({ fields }, index) => `{ at: ${index + 0.5}s, ${fields} }`)),
  changes: fc.array(
    fc.record({ at: fc.constantFrom("1s", "2.5s"), rate: fc.integer({ min: 1, max: 99 }) }),
    {
      maxLength: 2,
    },
  ),
});

const stateOf = (text: string): FormState | null =>
  formStateOf(text, readSource("traffic.yaml", text, SCENARIO_FILE));

test("the form shows each of its own texts again, with what happens during the run", () => {
  holds(
    fc.property(anyNumbers, anyNames, anyEvents, (numbers, names, events) => {
      const shown = stateOf(formScenario({ numbers, names, ...events }))!;
      // A burst of 1 is none, and no other limiter has one.
      expect({ ...shown, numbers: { ...shown.numbers, burst: numbers.burst } }).toEqual({
        numbers,
        names,
        ...events,
      });
      const hasBurst = [names.first, names.second].includes("gcra");
      expect(shown.numbers.burst).toBe(hasBurst ? numbers.burst : usual.numbers.burst);
    }),
    30,
  );
});

test("a text that was changed by hand moves the form, or is no position of it", () => {
  const text = formScenario({ ...usual, faults: ["{ at: 15s, gateway: crash, node: 0 }"] });
  const after = (from: string, to: string): FormState | null => {
    expect(text).toContain(from);
    return stateOf(text.replaceAll(from, to));
  };
  expect(after("per: 5s", "per: 7")?.numbers.per).toBe(7);
  expect(after("{ rate: 10,", "{ rate: 12,")?.numbers.rate).toBe(12);
  expect(after("title: ", "# mine\ntitle: my ")?.numbers).toEqual(usual.numbers);
  expect(after("node: 0", "node: 1")?.faults).toEqual(["{ at: 15s, gateway: crash, node: 1 }"]);
  for (const [from, to] of [
    ["{ rate: 10,", "{ rate: 1000,"],
    ["{ rate: 10,", "{ rate: 10, quota: { max: 5, renews: 1m },"],
    ["GET /orders", "PUT /orders"],
    ["{ at: 15s, gateway: crash, node: 0 }", "at: 15s\n    gateway: crash\n    node: 0"],
    ["clients: 5,", "clients: 6,"],
    ["id: try/traffic", "id: mine/traffic"],
    ["count: {}, atLeast: 0", "count: {}, atLeast: 9"],
  ] as const)
    expect.soft(after(from, to), to).toBe(null);
  for (const none of ["", "[1]", "id: try/traffic", "id: try/traffic\nworld: 3\ntraffic: [4, {}]"])
    expect.soft(stateOf(none), none).toBe(null);
});

/** How many requests a limiter admits. */
async function countAdmitted(state: Pick<FormState, "names" | "numbers">): Promise<number> {
  const run = await runScenario({ file: "traffic.yaml", text: formScenario(state) });
  return run.variants[0]!.result.admitted;
}

test("an input that is not shown changes nothing, and one that is shown changes something", async () => {
  const [{ groups }] = FORM_CHOICES;
  const others = { burst: 20, gateways: 4 };
  const numbers = { ...usual.numbers, clients: 3, seconds: 10 };
  const shown: string[] = [];
  const changing: string[] = [];
  for (const first of groups.flatMap(({ names }) => [...names])) {
    const names = { ...usual.names, first, second: first };
    const before = await countAdmitted({ names, numbers });
    for (const name of ["burst", "gateways"] as const) {
      if (fieldsInUse({ names, faults: [] }).has(name)) shown.push(`${name} of ${first}`);
      const after = await countAdmitted({ names, numbers: { ...numbers, [name]: others[name] } });
      if (after !== before) changing.push(`${name} of ${first}`);
    }
  }
  expect(shown).toEqual(changing);
  expect(shown).toContain("burst of gcra");
  expect(fieldsInUse({ names: usual.names, faults: [] }).has("gateways")).toBe(false);
  expect(fieldsInUse({ names: usual.names, faults: ["{ at: 1s }"] }).has("gateways")).toBe(true);
});
