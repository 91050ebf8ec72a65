import { describe, expect, test } from "vitest";
import { decodeScenario, problemsOf, small } from "./examples.ts";

const withWorld = (world: string): string =>
  small("  keys:", `${world.replaceAll(/^/gm, "  ")}\n  keys:`);
const environmentOf = (world: string): unknown =>
  decodeScenario(withWorld(world)).variants[0]?.world.environment;
const environmentProblems = (world: string): readonly string[] => problemsOf(withWorld(world));

describe("the environment", () => {
  test("costs nothing and has one gateway by default", () => {
    const nothing = { kind: "constant", us: 0 };
    expect(environmentOf("store: {}")).toEqual({
      nodes: 1,
      balancer: { kind: "round_robin" },
      networkUs: nothing,
      storeUs: nothing,
      storeCost: { perCommandUs: 0, perEntryUs: 0 },
      upstreamUs: nothing,
      upstreamHeaders: [],
      skewUs: [],
    });
  });

  test("has the values of the file", () => {
    const world = `fleet: { nodes: 2, balancer: weighted, weights: [3, 1], skew: [0s, -20ms] }
network: { latency: { uniform: [1ms, 5ms] } }
store: { latency: { exponential: 2ms }, cost: { command: 1.5us, entry: 200ns } }
upstream: { time: { lognormal: { median: 1ms, p99: 10ms } }, headers: { Server: stock } }`;
    expect(environmentOf(world)).toEqual({
      nodes: 2,
      balancer: { kind: "weighted", weights: [3, 1] },
      networkUs: { kind: "uniform", fromUs: 1_000, toUs: 5_000 },
      storeUs: { kind: "exponential", meanUs: 2_000 },
      storeCost: { perCommandUs: 1.5, perEntryUs: 0.2 },
      upstreamUs: { kind: "lognormal", medianUs: 1_000, p99Us: 10_000 },
      upstreamHeaders: [["Server", "stock"]],
      skewUs: [0, -20_000],
    });
  });

  test.each<[world: string, said: string]>([
    ["fleet: { nodes: 101 }", "SCN-VALUE 101 is not an integer from 1 to 100"],
    [
      "fleet: { balancer: round_robin }",
      'SCN-VALUE "round_robin" is not one of round-robin, random, least-connections, sticky, weighted; did you mean "round-robin"?',
    ],
    [
      "fleet: { weights: [1] }",
      'SCN-UNKNOWN-FIELD "weights" does not go with the balancer round-robin; write balancer: weighted',
    ],
    [
      "fleet: { nodes: 2, balancer: weighted }",
      'SCN-MISSING-FIELD the balancer weighted needs "weights"; write one number for each gateway',
    ],
    [
      "fleet: { nodes: 2, balancer: weighted, weights: [1] }",
      "SCN-VALUE 1 weight for 2 gateways; write one number for each gateway, one of them above 0",
    ],
    [
      "fleet: { nodes: 2, balancer: weighted, weights: [0, 0] }",
      "SCN-VALUE 2 weights for 2 gateways; write one number for each gateway, one of them above 0",
    ],
    ["fleet: { skew: [0s, 1ms] }", "SCN-VALUE 2 clocks are skewed, and there is 1 gateway"],
    [
      "network: { latency: 20 }",
      'SCN-VALUE 20 is neither a duration nor a distribution; write "20ms", {uniform: [1ms, 5ms]}, {exponential: 2ms} or {lognormal: {median: 1ms, p99: 10ms}}',
    ],
    [
      "network: { latency: { uniform: [5ms, 1ms] } }",
      'SCN-VALUE ["5ms","1ms"] has the longer length first; write the shorter length first',
    ],
    [
      "network: { latency: { uniform: [1ms, 5ms], exponential: 2ms } }",
      "SCN-ONE-OF a distribution is one of uniform, exponential, lognormal",
    ],
    [
      "network: { latency: { lognormal: { median: 10ms, p99: 1ms } } }",
      "SCN-VALUE the 99th percentile is below the median",
    ],
    [
      "store: { cost: { command: 2 } }",
      'SCN-VALUE 2 is not a cost in time; write it with a unit: "500ns", "2us"',
    ],
  ])("%s is reported", (world, line) => {
    expect(environmentProblems(world)).toEqual([line]);
  });
});
