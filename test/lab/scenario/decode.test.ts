import { describe, expect, test } from "vitest";
import { decode } from "#src/lab/scenario/read/decode.ts";
import { EVERYTHING } from "../../histories/world.ts";
import { decodeScenario, MERGE, RAMP, problemLines, SMALL, small } from "./examples.ts";

describe("a whole file", () => {
  test("has one variant for each combination of its axes, the last axis changing fastest", () => {
    expect(decodeScenario(MERGE).variants.map(({ name }) => name)).toEqual([
      "algorithm=fixed-window order=gold,silver,bronze",
      "algorithm=fixed-window order=bronze,silver,gold",
      "algorithm=fixed-window order=silver,gold,bronze",
      "algorithm=sliding-log order=gold,silver,bronze",
      "algorithm=sliding-log order=bronze,silver,gold",
      "algorithm=sliding-log order=silver,gold,bronze",
    ]);
  });

  test("replaces the variables by a cell's values", () => {
    const worlds = decodeScenario(MERGE).variants.map(({ world }) => world.configuration);
    expect(worlds.map((world) => world?.options.algorithm)).toEqual([
      ...Array(3).fill("fixed_window"),
      ...Array(3).fill("sliding_log"),
    ]);
    expect([...(worlds[1]?.keys.values() ?? [])].map(({ applyPolicies }) => applyPolicies)).toEqual(
      [["bronze", "silver", "gold"]],
    );
  });

  test("keeps its title and about", () => {
    const { id, file, title, about, proves, needs } = decodeScenario(MERGE);
    expect({ id, file, title, about, proves, needs }).toEqual({
      id: "policy-merge/winner-takes-both",
      file: "scenarios/policy-merge/winner-takes-both.yaml",
      title: "one policy supplies rate and per together",
      about: "Silver has neither the largest rate nor the longest window. It is the fastest.\n",
      proves: ["LIM-5"],
      needs: [],
    });
  });

  test("gives each expectation its line and what it proves", () => {
    const [variant] = decodeScenario(MERGE).variants;
    expect(variant?.expectations.map(({ id, line, proves }) => [id, line, proves])).toEqual([
      ["the first burst spends five", 22, ["LIM-5"]],
      ["and the second five more", 25, ["LIM-5"]],
      ["the text says the same", 28, ["LIM-5"]],
    ]);
  });

  test("becomes measures without any text left in them", () => {
    const measures = decodeScenario(RAMP).variants[0]?.expectations.map(({ measure }) => measure);
    expect(measures).toEqual([
      {
        kind: "events",
        event: "RateLimitSmoothing*",
        key: "alice",
        during: null,
        equals: [
          { times: 4, what: "RateLimitSmoothingUp" },
          { times: 4, what: "RateLimitSmoothingDown" },
        ],
        count: null,
      },
      {
        kind: "gauge",
        gauge: "allowance",
        key: "alice",
        stage: ["ebb"],
        when: "eventually",
        comparison: { op: "equals", value: 20 },
        withinUs: 20_000_000,
        sometimes: [],
      },
      {
        kind: "gapBetween",
        event: "RateLimitSmoothing*",
        key: "alice",
        comparison: { op: "atLeast", value: 5_000_000 },
      },
      { kind: "changeOf", gauge: "allowance", key: "alice", in: [-10, 10] },
      {
        kind: "gauge",
        gauge: "allowance",
        key: "alice",
        stage: null,
        when: "always",
        comparison: { op: "between", from: 20, to: 60 },
        withinUs: null,
        sometimes: [20, 60],
      },
      {
        kind: "count",
        filter: { ...EVERYTHING, status: [429] },
        comparison: { op: "equals", value: 0 },
        among: { op: "atLeast", value: 2000 },
      },
    ]);
  });

  test("leaves an expectation out of the cells that its where does not name", () => {
    const [slow, steep] = decodeScenario(RAMP).variants;
    expect(slow?.expectations.map(({ id }) => id)).toContain("the slow climb passes");
    expect(slow?.expectations.map(({ id }) => id)).not.toContain("the steep one does not");
    expect(steep?.expectations.at(-1)?.measure).toEqual({
      kind: "count",
      filter: { ...EVERYTHING, status: [429], stage: ["climb", "hold"] },
      comparison: { op: "atLeast", value: 1 },
      among: null,
    });
  });

  test("becomes flows, where a ramp starts at the rate that the stage before ended with", () => {
    const [, steep] = decodeScenario(RAMP).variants;
    expect(steep?.traffic).toEqual([
      {
        name: "alice",
        as: "alice",
        method: "GET",
        path: "/orders",
        headers: {},
        atUs: 0,
        shape: {
          kind: "stages",
          arrivals: "uniform",
          stages: [
            { name: "calm", fromRate: 10, toRate: 10, forUs: 10_000_000 },
            { name: "climb", fromRate: 10, toRate: 58, forUs: 10_000_000 },
            { name: "hold", fromRate: 58, toRate: 58, forUs: 20_000_000 },
            { name: "ebb", fromRate: 3, toRate: 3, forUs: 40_000_000 },
          ],
        },
        clients: 1,
        skew: 0,
        behaviour: { kind: "ignore" },
        item: 0,
      },
    ]);
  });

  test("may have no matrix: then it is one variant without a name", () => {
    expect(decodeScenario(SMALL).variants.map(({ name, axes }) => [name, axes])).toEqual([
      ["", {}],
    ]);
  });

  test("needs the capabilities of its expectations and its world, named or not", () => {
    const withoutNeeds = RAMP.replace("needs: [events, gauges]\n", "");
    expect(decodeScenario(withoutNeeds).needs).toEqual(["events", "gauges"]);
    const fleet = small("  keys:", "  fleet: { nodes: 3 }\n  store: { latency: 2ms }\n  keys:");
    expect(decodeScenario(`${fleet}faults:\n  - { at: 1s, store: restart }\n`).needs).toEqual([
      "faults",
      "fleet",
      "latency",
    ]);
  });

  test("starts with a comment for editors if it likes", () => {
    expect(
      problemLines(`# yaml-language-server: $schema=../scenario.schema.json\n${SMALL}`),
    ).toEqual([]);
  });
});

describe("the world that is configured", () => {
  test("has every credential of a key with a count", () => {
    const many = small("rate: 5, per: 1", "rate: 5, per: 1, count: 3");
    expect(decodeScenario(many).variants[0]?.world.credentials.get("alice")).toHaveLength(3);
  });

  test("reports its errors as errors of the file, at their position", () => {
    expect(problemLines(small("rate: 5", "ratee: 5"))).toEqual([
      'scenarios/limits/small.yaml:6:36 error CFG-UNKNOWN-FIELD "ratee" is not a field of a key; did you mean "rate"?',
    ]);
  });

  test("keeps its warnings without being stopped by them", () => {
    const { scenario, problems } = decode(
      "scenarios/limits/small.yaml",
      small("rate: 5", "allowance: 9, rate: 5"),
    );
    expect(
      problems.map(({ code, severity, line, column }) => [code, severity, line, column]),
    ).toEqual([["CFG-ALLOWANCE-DIFFERS", "warning", 6, 47]]);
    expect(
      scenario?.variants[0]?.world.problems.map(({ code, path }) => [code, path.join(".")]),
    ).toEqual([["CFG-ALLOWANCE-DIFFERS", "keys.alice.allowance"]]);
  });

  test("may be expected to have errors: then it is never run", () => {
    const broken = small("rate: 5", "rate: 0.5").replace(
      / {2}- \{ id: five.*\n/,
      "  - { id: the check reports, configuration: { level: errors }, equals: [{ code: CFG-RATE-FRACTION, path: keys.alice.rate }] }\n",
    );
    const [variant] = decodeScenario(broken).variants;
    expect(variant?.world.configuration).toBeNull();
    expect(variant?.traffic).toEqual([]);
    expect(variant?.world.problems.map(({ code }) => code)).toEqual(["CFG-RATE-FRACTION"]);
  });

  test("is only looked at by expectations about the configuration", () => {
    const broken = `${small("rate: 5", "rate: 0.5")}  - { id: the check reports, configuration: { level: errors }, contains: [{ code: CFG-RATE-FRACTION }] }\n`;
    expect(problemLines(broken)).toEqual([
      "scenarios/limits/small.yaml:10:32 error SCN-BROKEN-WORLD the world is expected to have errors, so it is never run; leave this expectation to other cells with where, or to another file",
    ]);
  });
});
