// Weir: an API-level and a key-level budget, and the session found by its credential.
import type { Algorithm } from "../../src/limiter/core/algorithms.ts";
import { newDecision } from "../../src/limiter/core/decision.ts";
import { decideNow, limiter, LOCAL_STORE_TRAITS, prepare } from "../../src/limiter/core/limiter.ts";
import { readConfiguration } from "../../src/limiter/world/read.ts";
import { resolve, resolver, sessionOf } from "../../src/limiter/core/resolve/resolver.ts";
import { micros } from "../../src/kit/units.ts";
import { begin } from "../../src/gateway/begin.ts";
import { gateway } from "../../src/gateway/gateway.ts";
import type { GatewayRequest } from "../../src/gateway/outcome.ts";
import { localStore, memoryStore } from "../../src/limiter/store/memory.ts";
import { PER_SECONDS, RATE, type Subject, type Workload } from "./workload.node.ts";

export interface WeirOptions {
  readonly algorithm: Algorithm;
  readonly rate?: number;
  /** Reads this clock for each decision, as a served gateway does; limits still use virtual time. */
  readonly readClock: (() => number) | null;
  /** The complete gateway: match, normalize, authenticate, decide. */
  readonly wholeGateway: boolean;
  /** Finds every session in advance, so that a key has only the cost of its budgets. */
  readonly sessionsKnown: boolean;
}

const START_US = 1_767_225_600_000_000;
const PATH = "/orders/7";

export function weir(
  load: Workload,
  { algorithm, rate = RATE, readClock, wholeGateway, sessionsKnown }: WeirOptions,
): Subject {
  const { credentials, stepUs } = load;
  const { configuration, problems } = readConfiguration({
    apis: { orders: { listen: "/orders", global_rate_limit: { rate: 1e9, per: PER_SECONDS } } },
    policies: { plan: { rate, per: PER_SECONDS, apis: ["orders"] } },
    keys: { one: { apply_policies: ["plan"] } },
    gateway: { algorithm, burst: "rate" }, // spaced requests would be refused
  });
  if (configuration === null) throw new Error(JSON.stringify(problems));
  const [one] = configuration.keys.values();
  const keys = new Map(credentials.map((id) => [id, { ...one!, id }]));
  const rules = resolver({ ...configuration, keys });
  const orders = rules.apis[0]!;
  const limits = limiter(
    rules,
    localStore(memoryStore(), memoryStore()),
    LOCAL_STORE_TRAITS,
    () => {},
  );
  let nowUs = START_US;
  const served = gateway(limits, () => micros(nowUs));
  const readNothing = (): number => 0;
  const read = readClock ?? readNothing;
  if (sessionsKnown) for (const credential of credentials) sessionOf(rules, credential);
  const into = newDecision(); // no decision is kept here
  let sink = 0;

  function decide(credential: string, atUs: number): boolean {
    sink += read();
    const session = sessionOf(rules, credential)!;
    const resolved = resolve(rules, orders, session, "GET", PATH)!;
    const prepared = prepare(limits, resolved, micros(atUs));
    return decideNow(limits, prepared, session, micros(atUs), "spend", 1, into).refused === null;
  }

  const atUs = (request: number): number => START_US + Math.round(request * stepUs);

  function run(requests: readonly string[], first: number): number {
    let admitted = 0;
    for (let i = 0; i < requests.length; i++) if (decide(requests[i]!, atUs(first + i))) admitted++;
    return Number.isNaN(sink) ? -1 : admitted;
  }

  function runGateway(requests: readonly string[], first: number): number {
    let admitted = 0;
    for (let i = 0; i < requests.length; i++) {
      sink += read();
      nowUs = atUs(first + i);
      const request: GatewayRequest = { method: "GET", target: PATH, credential: requests[i]! };
      const outcome = begin(served, request);
      if (outcome.kind === "done" && outcome.refused === null) admitted++;
    }
    return Number.isNaN(sink) ? -1 : admitted;
  }

  return {
    run: wholeGateway ? runGateway : run,
    admitEveryKey: () => credentials.filter((credential) => decide(credential, START_US)).length,
  };
}
