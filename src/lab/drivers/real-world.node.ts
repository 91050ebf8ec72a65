// Runs a world in real time on gateways of this process: serves the fleet and applies injected faults.
import { performance } from "node:perf_hooks";
import { setTimeout as sleep } from "node:timers/promises";
import type { Configuration } from "../../limiter/core/config.ts";
import type { LimiterEvent } from "../../limiter/core/events.ts";
import { micros, SECOND } from "../../kit/units.ts";
import { throttleOf } from "../../gateway/throttle.ts";
import type { History } from "../scenario/history.ts";
import type { Fault, Plan, Variant } from "../scenario/types.ts";
import { requestOf } from "../sim/clients.ts";
import { EPOCH_US } from "../sim/engine.ts";
import { addressOf, placeOfAddress } from "../sim/places.ts";
import { eventInHistory } from "../sim/recorder.ts";
import type { AppliedWorld } from "./driver.ts";
import { createClaimResolver, withoutDecision } from "./stranger.ts";
import { LEAD_US, playClients, type ServedWorld } from "./clients.node.ts";
import { serveManagement, type ServedManagement } from "./served-calls.node.ts";
import {
  readResponse,
  realHistory,
  realRecorder,
  type RealRecorder,
  type ObservedDecision,
} from "./real-recorder.ts";
import {
  addNodes,
  introduce,
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
  /** Applies an injected fault of the store; null if this driver cannot do that. */
  readonly harmStore: ((fault: StoreHarm, nowUs: () => number) => Promise<void>) | null;
  readonly closeStore: () => Promise<void>;
}

interface FleetRun {
  readonly setting: RealSetting;
  readonly fleet: ServedFleet;
  readonly management: ServedManagement | null; // null if the scenario makes no calls
  readonly decisions: Map<string, ObservedDecision>;
  readonly nowUs: () => number;
}

export async function applyWorld(setting: RealSetting): Promise<AppliedWorld> {
  const { world, calls } = setting.variant;
  const { configuration, environment } = world;
  let startMs = performance.now();
  const nowUs = (): number => Math.floor((performance.now() - startMs) * 1_000);
  let real: RealRecorder | null = null;
  const decisions = new Map<string, ObservedDecision>();
  // A single gateway has one connection to its store, which replies in the order of operations. So a decision is
  // settled when its operation is sent, unless the operation is lost.
  const isOnlyOne =
    environment.nodes === 1 &&
    calls.length === 0 && // with calls, a key lookup can delay the operation
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
      if (fleet !== null) {
        introduce(fleet);
        const served = createServedWorld({ setting, fleet, management, decisions, nowUs }, plan);
        await playClients({ variant: setting.variant, plan, served, real, nowUs });
        // A background write may end after the last response, and the history needs its events.
        await waitFor(() => fleet.nodes.every(({ pending }) => pending === 0), nowUs);
      }
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
): History => realHistory(real, { plan, variant, driver, endUs, isStamped: true });

function createServedWorld(run: FleetRun, plan: Plan): ServedWorld {
  const { fleet, management, decisions } = run;
  const pick = pickerOf(fleet, plan);
  let claim: {
    readonly configuration: Configuration;
    readonly outcomeOf: ReturnType<typeof createClaimResolver>;
  } | null = null;
  return {
    destinationOf: (client) => {
      const node = pick(client);
      return node === null || node.server === null
        ? null
        : { url: node.server.url, load: node, gateway: node.index };
    },
    read: ({ name }, response) => {
      const decision = decisions.get(name) ?? null;
      decisions.delete(name);
      return readResponse(response, decision);
    },
    onLost: ({ arrival }) => {
      if (claim?.configuration !== fleet.configuration)
        claim = {
          configuration: fleet.configuration,
          outcomeOf: createClaimResolver(fleet.configuration, EPOCH_US),
        };
      const flow = plan.flows[plan.flow[arrival]!]!;
      const address = addressOf(plan, placeOfAddress(plan, arrival));
      const { credentials } = run.setting.variant.world;
      return withoutDecision(
        claim.outcomeOf(requestOf(credentials, flow, plan.client[arrival]!, address)),
      );
    },
    settle: (inFlight) => settle(run, inFlight),
    inject: (fault) => inject(run, fault),
    call: (call) => {
      if (management === null) throw new Error(`no management API for the call ${call.name}`);
      return management.call(call);
    },
  };
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
  // A local budget is evaluated in one call, so the decision was made just now.
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

/** Applies an injected fault. Returns null if that is already complete. */
function inject(run: FleetRun, fault: Fault): Promise<void> | null {
  const { fleet, setting, nowUs } = run;
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
          `${setting.driver} can only cut off a single Redis without TLS; name such a Redis with --store`,
        );
      return fault.kind === "store_restart"
        ? restartStore(run, setting.harmStore, fault)
        : setting.harmStore(fault, nowUs);
  }
}

/** Waits until the gateways have reconnected: in virtual time a restart takes no time. */
async function restartStore(
  { fleet, nowUs }: FleetRun,
  harmStore: NonNullable<RealSetting["harmStore"]>,
  fault: StoreHarm,
): Promise<void> {
  await harmStore(fault, nowUs);
  await Promise.all(fleet.nodes.map(async ({ store }) => store?.reconnect()));
}

const LONGEST_DECISION_US = 10 * SECOND;

/** Waits for requests in flight, because on a busy machine an injected fault could overtake earlier requests. */
function settle(
  { fleet, decisions, nowUs }: FleetRun,
  inFlight: ReadonlySet<string>,
): Promise<void> | null {
  const isSettled = (): boolean => [...inFlight].every((name) => decisions.has(name));
  return isSettled() || canSleep(fleet.configuration) ? null : waitFor(isSettled, nowUs);
}

async function waitFor(isSettled: () => boolean, nowUs: () => number): Promise<void> {
  const lastUs = nowUs() + LONGEST_DECISION_US;
  while (!isSettled() && nowUs() < lastUs) await sleep(1);
}

/** Whether requests may be throttled: a throttled request is decided only after its wait (LIM-C9). */
const canSleep = ({ keys, policies }: Configuration): boolean =>
  [...keys.values(), ...policies.values()].some(
    ({ throttle, accessRights }) =>
      throttle !== null ||
      [...(accessRights?.values() ?? [])].some((right) => right.throttle !== null),
  );

function nodeOf({ nodes }: ServedFleet, index: number): ServedNode {
  const node = nodes[index];
  if (node === undefined)
    throw new Error(`there is no gateway ${index}: the fleet has ${nodes.length}`);
  return node;
}
