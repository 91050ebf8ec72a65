// The playground without YAML: whatever is dragged and chosen is a scenario, and its run fits a page.
import * as fc from "fast-check";
import { expect, test } from "vitest";
import { ALGORITHMS } from "#src/limiter/core/algorithms.ts";
import { formatProblem } from "#src/kit/reading/source.ts";
import { countPlannedRequests } from "#src/lab/scenario/plan/size.ts";
import { decode } from "#src/lab/scenario/read/decode.ts";
import {
  FORM_CHOICES,
  FORM_NUMBERS,
  formScenario,
  formStateIn,
  type FormNames,
  type FormNumbers,
} from "#src/show/site/form.ts";
import { holds } from "../../runs.ts";

const usual = {
  numbers: Object.fromEntries(FORM_NUMBERS.map(({ name, usual }) => [name, usual])) as FormNumbers,
  names: Object.fromEntries(FORM_CHOICES.map(({ name, usual }) => [name, usual])) as FormNames,
};

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

test("a position is read from an address, and nothing that the form cannot show", () => {
  holds(
    fc.property(anyNumbers, anyNames, (numbers, names) => {
      const shared: unknown = JSON.parse(JSON.stringify({ numbers, names, more: 1 }));
      expect(formStateIn(shared)).toEqual({ numbers, names });
    }),
    50,
  );
  const { numbers, names } = usual;
  for (const none of [
    undefined,
    null,
    7,
    "form",
    {},
    { numbers },
    { names },
    { numbers: { ...numbers, rate: 1e9 }, names },
    { numbers: { ...numbers, rate: 1.5 }, names },
    { numbers: { ...numbers, rate: "10" }, names },
    { numbers, names: { ...names, first: "<b>" } },
    { numbers, names: { ...names, first: null } },
    { numbers: Object.create(numbers) as unknown, names: null },
  ])
    expect.soft(formStateIn(none)).toBe(null);
});
