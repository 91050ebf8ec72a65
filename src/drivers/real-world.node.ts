// A world in real time: serves the fleet, sends the plan, and applies injected faults when they are due.
import { Agent } from "node:http";
import { performance } from "node:perf_hooks";
import type { LimiterEvent } from "../core/events.ts";
import { rng } from "../chance/rng.ts";
import { micros } from "../core/units.ts";
import { throttleOf } from "../gateway/throttle.ts";
import type { History } from "../scenario/history.ts";
import type { ManagementCall, Fault, Plan, Variant } from "../scenario/types.ts";
import { credentialOf, headersSent, patienceUs } from "../sim/clients.ts";
import { clientName } from "../sim/places.ts";
import { EPOCH_US } from "../sim/engine.ts";
import { eventInHistory } from "../sim/recorder.ts";
import type { AppliedWorld } from "./driver.ts";
import { exchange } from "./exchange.node.ts";
import { forwardingHeaders } from "./forwarded.ts";
import { serveManagement, type ServedManagement } from "./served-calls.node.ts";
import { playOpenLoop, until } from "./open-loop.node.ts";
import {
  recordRequest,
  realHistory,
  realRecorder,
  type RealRecorder,
  type ObservedDecision,
} from "./real-recorder.ts";
import {
  addNodes,
  introduce,
  ATTEMPT_HEADER,
  pickerOf,
  serveFleet,
  restartNode,
  stopFleet,
  stopNode,
  type ServedFleet,
  type NodeStore,
  type ServedDecision,
  type ServedNode,
} from "./served-fleet.node.ts";

export type StoreHarm = Extract<Fault, { readonly kind: "store_down" | "store_restart" }>;

export interface RealSetting {
  readonly driver: string;
  readonly variant: Variant;
  readonly newStore: () => Promise<NodeStore | null>;
  /** Applies an injected fault to the store; null: this driver cannot do that. */
  readonly harmStore: ((fault: StoreHarm, nowUs: () => number) => Promise<void>) | null;
  readonly closeStore: () => Promise<void>;
}

/** Between applying a world and its first request: stores connect meanwhile. */
const LEAD_US = 20_000;

interface Playing {
  readonly setting: RealSetting;
  readonly plan: Plan;
  readonly fleet: ServedFleet;
  readonly management: ServedManagement | null; // null: nothing is called
  readonly agent: Agent;
  readonly pick: ReturnType<typeof pickerOf>;
  readonly real: RealRecorder;
  readonly decisions: Map<string, ObservedDecision>;
  readonly nowUs: () => number;
  readonly waits: ReturnType<typeof rng>;
}

export async function applyWorld(setting: RealSetting): Promise<AppliedWorld> {
  const { world, calls } = setting.variant;
  const { configuration, environment } = world;
  let startMs = performance.now();
  const nowUs = (): number => Math.floor((performance.now() - startMs) * 1_000);
  let real: RealRecorder | null = null;
  const decisions = new Map<string, ObservedDecision>();
  // One gateway has one connection to its store, and the store replies in the order of the operations: then everything
  // that a decision depends on is settled when its operation is sent, unless the operation is lost.
  const isOnlyOne =
    environment.nodes === 1 &&
    calls.length === 0 && // keys are looked up before the operation
    setting.variant.faults.every(({ kind }) => kind === "configure" || kind === "clock_skew");
  const nodes = (): ServedFleet["nodes"] => fleet?.nodes ?? [];
  const management =
    calls.length === 0 || configuration === null
      ? null
      : await serveManagement(setting.variant, nodes, nowUs);
  const fleet: ServedFleet | null =
    configuration === null
      ? null
      : await serveFleet({
          environment,
          configuration,
          isProxied: setting.variant.traffic.some(({ from }) => from !== undefined),
          nowUs,
          newStore: setting.newStore,
          newInForce: management?.newInForce ?? null,
          event: (node, event) => noteEvent(real, node, event, nowUs()),
          onDecision: (seen) => noteDecision(real, decisions, seen, nowUs(), isOnlyOne),
        });
  return {
    play: async (plan) => {
      real = realRecorder(plan);
      startMs = performance.now() + LEAD_US / 1_000;
      if (fleet !== null) introduce(fleet);
      if (fleet !== null)
        await playOn({
          setting,
          plan,
          fleet,
          management,
          agent: new Agent({ keepAlive: true }),
          pick: pickerOf(fleet, plan),
          real,
          decisions,
          nowUs,
          waits: rng(plan.seed, `${plan.scenario}/${plan.variant}/clients`),
        });
      return historyOf(setting, plan, real, nowUs());
    },
    close: async () => {
      if (fleet !== null) await stopFleet(fleet);
      await management?.close();
      await setting.closeStore();
    },
  };
}

const historyOf = (
  { driver, variant }: RealSetting,
  plan: Plan,
  real: RealRecorder,
  endUs: number,
): History => realHistory(real, { plan, variant, driver, endUs });

async function playOn(playing: Playing): Promise<void> {
  const { plan, nowUs, agent } = playing;
  const over = new AbortController();
  const faults = faultsOf(playing);
  const calls = callsOf(playing);
  const inTime = [...faults, ...calls].map((fault) => whenDue(fault, nowUs, over.signal));
  try {
    await playOpenLoop({
      atUs: plan.atUs,
      nowUs,
      attempt: (arrival, attempt) => {
        // Everything due at the instant of a request is first, as in virtual time.
        const dueUs = attempt === 0 ? plan.atUs[arrival]! : nowUs();
        for (const fault of faults) if (fault.atUs <= dueUs) fault.begin();
        const before = calls.filter(({ atUs }) => atUs <= dueUs);
        for (const call of before) call.begin();
        const answered = before.at(-1)?.done();
        const send = (): ReturnType<typeof sendOne> => sendOne(playing, arrival, attempt);
        return answered === undefined ? send() : answered.then(send);
      },
      signal: over.signal,
    });
    for (const call of calls) {
      await until(call.atUs, nowUs, undefined);
      call.begin();
      await call.done();
    }
  } finally {
    over.abort();
    await Promise.all(inTime);
    await Promise.all(faults.map(({ done }) => done()));
    agent.destroy();
  }
}

// ---------------------------------------------------------------- requests

async function sendOne(playing: Playing, arrival: number, attempt: number): Promise<number | null> {
  const { plan, setting, pick, agent, real, decisions, waits, nowUs } = playing;
  const flow = plan.flows[plan.flow[arrival]!]!;
  const client = plan.client[arrival]!;
  const credential = credentialOf(setting.variant.world.credentials, flow, client);
  const node = pick(credential ?? clientName(plan, arrival));
  if (node === null || node.server === null) {
    real.unanswered++;
    return null;
  }
  const name = `${arrival}.${attempt}`;
  const headers = {
    ...headersSent(flow, credential),
    ...forwardingHeaders(plan, arrival, flow),
    [ATTEMPT_HEADER]: name,
  };
  const { url } = node.server;
  node.inFlight++;
  const response = await exchange(agent, { url, ...flow, headers }, nowUs);
  node.inFlight--;
  const decision = decisions.get(name) ?? null;
  decisions.delete(name);
  if (response === null) {
    real.unanswered++;
    return null;
  }
  recordRequest(real, { arrival, attempt, ...response }, decision);
  if (response.status < 400) return null;
  const retryAfter = response.headers["retry-after"];
  return patienceUs(
    flow.behaviour,
    attempt,
    retryAfter === undefined ? null : Number(retryAfter),
    waits,
  );
}

// ---------------------------------------------------------------- reports of gateways

function noteDecision(
  real: RealRecorder | null,
  decisions: Map<string, ObservedDecision>,
  { node, attempt, outcome, fleet, startUs, stampUs, storeUse }: ServedDecision,
  nowUs: number,
  isOnlyOne: boolean,
): void {
  if (real === null) return;
  const isSeveral = throttleOf(outcome) !== null;
  // A budget in the same process is evaluated in one call.
  const isHere = storeUse === "nothing" && !isSeveral;
  const isFallback = outcome.decision?.fallback === true;
  const isSettledAtStart = storeUse === "once" && isOnlyOne && !isSeveral && !isFallback;
  decisions.set(attempt, {
    outcome,
    gateway: node.index,
    fleet,
    fromUs: isHere ? nowUs : startUs,
    toUs: isSettledAtStart ? startUs : nowUs,
    stampUs: isSeveral ? Number.NaN : stampUs,
    order: real.order++,
  });
}

function noteEvent(
  real: RealRecorder | null,
  { index }: ServedNode,
  event: LimiterEvent,
  nowUs: number,
): void {
  if (real === null) return;
  const stampUs = micros(event.stampUs - EPOCH_US);
  real.history.events.push(eventInHistory(event, { atUs: micros(nowUs), stampUs, gateway: index }));
}

// ---------------------------------------------------------------- calls

/** One after the other, in the order of their times. */
function callsOf({ management, real, setting }: Playing): readonly Due[] {
  let last: Promise<void> = Promise.resolve();
  const make = async (call: ManagementCall): Promise<void> => {
    const made = (await management?.call(call)) ?? null;
    if (made === null) real.unanswered++;
    else real.calls.push(made);
  };
  const waiting = [...setting.variant.calls];
  const made = new Map<ManagementCall, Promise<void>>();
  const beginUntil = (latest: ManagementCall): void => {
    while (!made.has(latest)) {
      const call = waiting.shift()!;
      last = last.then(() => make(call));
      made.set(call, last);
    }
  };
  return setting.variant.calls.map((call): Due => ({
    atUs: call.atUs,
    begin: () => beginUntil(call),
    done: () => made.get(call) ?? Promise.resolve(),
  }));
}

// ---------------------------------------------------------------- injected faults

interface Due {
  readonly atUs: number;
  readonly begin: () => void; // once
  readonly done: () => Promise<void>;
}

function faultsOf(playing: Playing): readonly Due[] {
  const { real, setting, nowUs } = playing;
  return setting.variant.faults.map((fault): Due => {
    let under: Promise<void> | null = null;
    const happen = async (): Promise<void> => {
      const fromUs = micros(nowUs());
      const harmed = harm(playing, fault);
      if (harmed !== null) await harmed;
      const toUs = micros(nowUs());
      const what = fault.kind === "store_down" ? "store_down" : "fault";
      real.history.spans.push({ what, gateway: null, fromUs, toUs, text: fault.kind });
    };
    return {
      atUs: "atUs" in fault ? fault.atUs : fault.fromUs,
      begin: () => void (under ??= happen()),
      done: () => under ?? Promise.resolve(),
    };
  });
}

async function whenDue(
  { atUs, begin }: Due,
  nowUs: () => number,
  signal: AbortSignal,
): Promise<void> {
  try {
    await until(atUs, nowUs, signal);
  } catch (error) {
    // The run is over before it was due.
    if (signal.aborted) return;
    throw error;
  }
  begin();
}

/** Null where it has happened already. */
function harm({ fleet, setting, nowUs }: Playing, fault: Fault): Promise<void> | null {
  switch (fault.kind) {
    case "configure":
      fleet.configuration = fault.configuration;
      for (const { server } of fleet.nodes) server?.reload(fault.configuration);
      return null;
    case "clock_skew":
      nodeOf(fleet, fault.node).skewUs = fault.skewUs;
      return null;
    case "gateway_crash":
      return stopNode(nodeOf(fleet, fault.node), "crash");
    case "gateway_leave":
      return stopNode(nodeOf(fleet, fault.node), "leave");
    case "gateway_restart":
      return restartNode(fleet, nodeOf(fleet, fault.node));
    case "gateway_join":
      return addNodes(fleet, fault.count);
    case "store_slow":
      throw new Error(`${setting.driver} cannot inject ${fault.kind}; the scenario is unsupported`);
    case "store_down":
    case "store_restart":
      if (setting.harmStore === null)
        throw new Error(
          `${setting.driver} can cut the way to a single store without TLS, and this is another`,
        );
      return setting.harmStore(fault, nowUs);
  }
}

function nodeOf({ nodes }: ServedFleet, index: number): ServedNode {
  const node = nodes[index];
  if (node === undefined)
    throw new Error(`there is no gateway ${index}: the fleet has ${nodes.length}`);
  return node;
}
