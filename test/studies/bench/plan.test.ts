import { expect, test } from "vitest";
import { planOf, type BenchSelection } from "#src/studies/bench/plan.ts";
import type { Suite } from "#src/studies/bench/suite.ts";
import { requireValue } from "#src/kit/reading/failure.ts";
import { messageOf } from "../../kit/reading/message-of.ts";
import { suite } from "./bench-suite.ts";

const ALL: BenchSelection = {
  isQuick: false,
  isCross: false,
  isTarget: false,
  only: null,
  controls: [],
  repeats: null,
  starts: null,
};

const buildPlan = (whole: Suite, wanted: Partial<BenchSelection>) => {
  const plan = requireValue(planOf(whole, { ...ALL, ...wanted }));
  return { ...plan, names: plan.subjects.map(({ name }) => name) };
};

const whyNot = (whole: Suite, wanted: Partial<BenchSelection> = {}) =>
  planOf(whole, { ...ALL, ...wanted });

const only = (text: string, name = text): Pick<BenchSelection, "only"> => ({
  only: [{ text, matches: (each) => each === name }],
});

test("cells come first, then the controls of the suite and those of the command line", () => {
  const { names } = buildPlan(suite({ controls: ["upstream"] }), {
    controls: ["nginx", "upstream"],
  });
  expect(names.slice(-3)).toEqual(["connections=128", "upstream", "nginx"]);
});

test("a chosen cell keeps its controls, and loses the gates of the others", () => {
  const gates = [
    { cell: "base", metric: "cpu" },
    { cell: "demand=2", metric: "cpu" },
  ] as const;
  const plan = buildPlan(suite({ controls: ["upstream"], gates }), only("demand=2"));
  expect(plan.names).toEqual(["demand=2", "upstream"]);
  expect(plan.suite.gates).toEqual([gates[1]]);
});

test("an unknown cell is an error with the nearest name", () => {
  expect(messageOf(whyNot(suite(), only("demand=3")))).toBe(
    "there is no cell demand=3; did you mean demand=2?",
  );
  expect(messageOf(whyNot(suite(), only("elephants")))).toBe(
    "there is no cell elephants; weir bench --list shows them",
  );
});

test("an unknown cell is an error even if another one exists", () => {
  const both = { only: [...only("demand=2").only!, ...only("nope").only!] };
  expect(messageOf(whyNot(suite(), both))).toBe(
    "there is no cell nope; weir bench --list shows them",
  );
});

test("a target gateway varies only in its load, and has no controls", () => {
  const { names } = buildPlan(suite({ controls: ["upstream"] }), { isTarget: true });
  expect(names).toEqual(["base", "connections=1", "connections=128"]);
});

const connections = Array.from({ length: 24 }, (_, at) => at + 100);

test("more cells than a run allows are only measured with every combination", () => {
  const large = suite({ vary: { connections } });
  expect(messageOf(whyNot(large))).toBe(
    "made has 25 cells, and at most 24 are allowed; leave some out, or use --cross to measure every combination",
  );
  expect(buildPlan(large, { isCross: true }).names).toHaveLength(25);
  expect(buildPlan(large, { isQuick: true }).names).toEqual(["base", "connections=100"]);
});

test("more than four controls of a suite are refused", () => {
  const controls = ["upstream", "unlimited", "bare-proxy", "fastify", "nginx"] as const;
  expect(messageOf(whyNot(suite({ controls })))).toBe(
    "made has 5 controls, and at most 4 are allowed; leave some out",
  );
});

test("the time grows with repeats, and a short run takes less than a minute", () => {
  const whole = suite({ controls: ["upstream"] });
  const { seconds } = buildPlan(whole, {});
  expect(buildPlan(whole, { repeats: 20 }).seconds).toBeGreaterThan(1.7 * seconds);
  expect(buildPlan(whole, { isQuick: true }).seconds).toBeLessThan(60);
});

test("each start takes as long as the first one, and a short run has one", () => {
  const whole = suite({ controls: ["upstream"], starts: 3 });
  const once = buildPlan(whole, { starts: 1 });
  const thrice = buildPlan(whole, {});
  expect(thrice.repeats).toBe(3 * once.repeats);
  expect(thrice.seconds).toBeGreaterThan(2.5 * once.seconds);
  expect(buildPlan(whole, { isQuick: true }).suite.starts).toBe(1);
});

test("a control of a bound also gets the loads of the cells", () => {
  const whole = suite({
    base: { connections: 8 },
    vary: { connections: [1], store: ["redis"] },
    controls: ["upstream", "bare-proxy"],
    bounds: [{ metric: "cpu", cell: null, control: "bare-proxy", times: 1 }],
  });
  const { names, subjects } = buildPlan(whole, { isCross: true });
  expect(names.slice(-3)).toEqual(["upstream", "bare-proxy", "bare-proxy connections=1"]);
  expect(subjects.at(-1)).toMatchObject({
    control: "bare-proxy",
    loadFactors: { connections: 1, keys: "one" },
  });
});

test("a control of a bound of one cell gets the load of that cell alone", () => {
  const whole = suite({
    base: { connections: 8 },
    vary: { connections: [1, 2], store: ["redis"] },
    controls: ["bare-proxy", "bare-proxy-redis"],
    bounds: [
      { metric: "cpu", cell: "connections=1", control: "bare-proxy", times: 1 },
      { metric: "cpu", cell: "store=redis", control: "bare-proxy-redis", times: 1 },
    ],
  });
  expect(buildPlan(whole, {}).names.slice(4)).toEqual([
    "bare-proxy",
    "bare-proxy-redis",
    "bare-proxy connections=1",
  ]);
});

test("a control over Redis needs a cell over Redis", () => {
  const whole = suite({ vary: { store: ["redis"] }, controls: ["bare-proxy-redis"] });
  expect(buildPlan(whole, {}).names).toEqual(["base", "store=redis", "bare-proxy-redis"]);
  expect(buildPlan(whole, only("base")).names).toEqual(["base"]);
  const controls = ["bare-proxy-redis"] as const;
  expect(messageOf(whyNot(whole, { ...only("base"), controls }))).toBe(
    "the control bare-proxy-redis needs a cell with store=redis",
  );
});

test("a bound of a cell or control that is not measured is left out", () => {
  const bounds = [
    { metric: "rss", cell: "demand=2", most: 1 },
    { metric: "cpu", cell: null, control: "nginx", times: 1 },
    { metric: "cpu", cell: "base", most: 1 },
  ] as const;
  const whole = suite({ controls: ["nginx"], bounds });
  expect(buildPlan(whole, only("base")).suite.bounds).toEqual(bounds.slice(1));
  expect(buildPlan(whole, { ...only("base"), isTarget: true }).suite.bounds).toEqual([bounds[2]]);
});

test("combinations that run in several parts have their controls in each part", () => {
  const large = suite({ vary: { connections } });
  const [alone, withControl] = [large, { ...large, controls: ["upstream"] as const }].map(
    (each) => buildPlan(each, { isCross: true }).seconds,
  );
  const each = alone! / 25;
  expect(buildPlan({ ...large, controls: ["upstream"] }, { isCross: true }).repeats).toBe(27 * 10);
  expect(withControl! - alone!).toBeGreaterThan(1.5 * each);
});
