// One candidate of the sim suite, in a process of its own: simulated requests per second of
// processor time, from drawing the arrivals to the last count.
import { micros } from "../../src/kit/units.ts";
import { decode } from "../../src/lab/scenario/read/decode.ts";
import { plan } from "../../src/lab/scenario/plan/plan.ts";
import type { Fault, Variant } from "../../src/lab/scenario/types.ts";
import { finishRequests } from "../../src/lab/sim/recorder.ts";
import { simulate } from "../../src/lab/sim/simulate.ts";
import { readInput, printValue, processorMs } from "../program.node.ts";
import { bareEvents } from "./bare-events.ts";
import { runTypedLoop } from "./typed-loop.ts";

export interface Input {
  readonly subject: "weir" | "typed loop" | "bare events";
  readonly requests: number;
  readonly keys: number;
  readonly withLatency: boolean;
  readonly withHistory: boolean;
}

const RATE_PER_KEY = 1;

/** Every key sends one request a second on average and may send 100 a minute; the API limit admits all of them. */
function scenarioText(requests: number, keys: number): string {
  const rate = RATE_PER_KEY * keys;
  return `id: bench/sim
title: a fixed number of requests
proves: [LIM-1]
world:
  apis: { orders: { listen: /orders, global_rate_limit: { rate: 1000000000, per: 60 } } }
  policies: { plan: { rate: 100, per: 60, apis: [orders] } }
  keys: { one: { count: ${keys}, apply_policies: [plan] } }
  gateway: { algorithm: fixed_window }
traffic:
  - { name: all, as: one, clients: ${keys}, skew: ${keys === 1 ? 0 : 0.01}, send: GET /orders, poisson: ${rate}, for: ${Math.ceil((requests / rate) * 1_000_000)}us }
expect:
  - { id: counted, count: {}, atLeast: 1 }
`;
}

function variantOf({ requests, keys }: Input): Variant {
  const { scenario, problems } = decode("bench/sim.yaml", scenarioText(requests, keys));
  if (scenario === null) throw new Error(JSON.stringify(problems));
  return scenario.variants[0]!;
}

/** Adds a network, a remote store, an upstream, and an outage of the store for a tenth of the time. */
function withDelays(
  variant: Variant,
  seconds: number,
): { readonly environment: Variant["world"]["environment"]; readonly faults: readonly Fault[] } {
  const at = (share: number) => micros(Math.round(share * seconds * 1_000_000));
  return {
    environment: {
      ...variant.world.environment,
      networkUs: { kind: "exponential", meanUs: micros(5_000) },
      storeUs: { kind: "exponential", meanUs: micros(500) },
      upstreamUs: { kind: "lognormal", medianUs: micros(20_000), p99Us: micros(100_000) },
    },
    faults: [{ kind: "store_down", fromUs: at(0.4), toUs: at(0.5) }],
  };
}

function play(variant: Variant, { requests, keys, withLatency, withHistory }: Input): number {
  const { world } = variant;
  const seconds = requests / (RATE_PER_KEY * keys);
  const around = withLatency
    ? withDelays(variant, seconds)
    : { environment: world.environment, faults: [] };
  const planned = plan(variant, "bench/sim", 1);
  const engine = simulate({
    plan: planned,
    configuration: world.configuration!,
    credentials: world.credentials,
    keeps: withHistory ? "history" : "counts",
    ...around,
  });
  if (
    engine.recorder !== null &&
    finishRequests(engine.recorder).length < engine.counts.requests * 0.99
  )
    throw new Error(`${engine.counts.requests} requests, and a shorter history`);
  return engine.counts.requests;
}

function run(input: Input, variant: Variant): number {
  const { subject, requests, keys } = input;
  switch (subject) {
    case "weir":
      return play(variant, input);
    case "typed loop":
      return runTypedLoop(requests, keys, RATE_PER_KEY);
    case "bare events":
      return bareEvents(requests, keys, RATE_PER_KEY);
  }
}

const input = readInput() as Input;
const small: Input = { ...input, requests: 200_000, keys: Math.min(input.keys, 10_000) };
run(small, variantOf(small)); // until the compiler has settled
const variant = variantOf(input);
const startMs = processorMs();
const requests = run(input, variant);
const seconds = (processorMs() - startMs) / 1_000;
printValue(requests / seconds);
