// One gateway with a local store and a clock that tests set.
import type { LimiterEvent } from "#src/limiter/core/events.ts";
import { limiter, LOCAL_STORE_TRAITS, type StoreTraits } from "#src/limiter/core/limiter.ts";
import { readConfiguration } from "#src/limiter/world/read.ts";
import { resolver } from "#src/limiter/core/resolve/resolver.ts";
import type { Configuration } from "#src/limiter/core/config.ts";
import { micros, type Micros } from "#src/kit/units.ts";
import { performNow } from "#src/limiter/core/sequence.ts";
import type { StoreOp } from "#src/limiter/core/store.ts";
import { begin, finish } from "#src/gateway/begin.ts";
import { gateway, type Gateway } from "#src/gateway/gateway.ts";
import type { GatewayRequest, RequestOutcome } from "#src/gateway/outcome.ts";
import { onBackgroundReply } from "#src/gateway/shadow.ts";
import { EPOCH_US } from "#src/lab/sim/engine.ts";
import { inSteps } from "../gateway/gateways.ts";
import { localStore, memoryStore, type MemoryStore } from "#src/limiter/store/memory.ts";
import type { SentRequest } from "#src/studies/swarm/arbitrary/traffic.ts";
import type { RawWorld } from "#src/studies/swarm/arbitrary/worlds.ts";

export interface Rig {
  readonly gateway: Gateway;
  readonly shared: MemoryStore;
  readonly events: LimiterEvent[];
  nowUs: Micros;
}

/** Without warnings, which nothing here looks at. */
export function configurationOf(raw: RawWorld): Configuration {
  const { configuration, problems } = readConfiguration(raw, [], { hasEffectiveWarnings: false });
  if (configuration === null) {
    const faults = problems.filter(({ severity }) => severity === "error");
    throw new Error(`the generated world has faults: ${JSON.stringify(faults)}`);
  }
  return configuration;
}

/** The header of a request's cost. */
export const COST = "cost";

/** The request that a gateway receives. */
const requestOf = ({ as, path, cost = 1 }: SentRequest, method: string): GatewayRequest => ({
  method,
  target: path,
  credential: as,
  sender: { address: "", header: (name) => (name === COST ? String(cost) : null) },
});

export interface RigSetting {
  readonly shared?: MemoryStore;
  readonly store?: StoreTraits;
}

export function rigOf(configuration: Configuration, setting: RigSetting = {}): Rig {
  const shared = setting.shared ?? memoryStore();
  const events: LimiterEvent[] = [];
  const made: Rig = {
    gateway: gateway(
      limiter(
        resolver({ ...configuration, options: { ...configuration.options, costHeader: COST } }),
        localStore(shared, memoryStore()),
        setting.store ?? LOCAL_STORE_TRAITS,
        (event) => void events.push(event),
      ),
      () => made.nowUs,
    ),
    shared,
    events,
    nowUs: EPOCH_US,
  };
  return made;
}

export const rig = (raw: RawWorld, setting: RigSetting = {}): Rig =>
  rigOf(configurationOf(raw), setting);

/** Sends one request at `atUs` from the start of the run, by the gateway's clock. */
export function send(on: Rig, sending: SentRequest, method = "GET"): RequestOutcome {
  on.nowUs = micros(EPOCH_US + sending.atUs);
  const outcome = begin(on.gateway, requestOf(sending, method));
  if (outcome.kind !== "done")
    throw new Error(`${sending.as} may have to wait, which this rig cannot`);
  return outcome;
}

/** The same in steps, one store operation after the other. */
export function sendInSteps(on: Rig, sending: SentRequest, method = "GET"): RequestOutcome {
  on.nowUs = micros(EPOCH_US + sending.atUs);
  const { limiter } = on.gateway;
  const steps = inSteps(on.gateway, requestOf(sending, method));
  let next = steps.next();
  while (next.done !== true) {
    if (next.value.op === "sleep")
      throw new Error(`${sending.as} has to wait, which this rig cannot`);
    next = steps.next(performNow(limiter.localStore, next.value));
  }
  const outcome = next.value;
  for (const op of outcome.background) performBackground(on, outcome, op);
  return outcome;
}

/** The same with one store operation, or in steps if one is not enough. */
export function sendByOperation(on: Rig, sending: SentRequest, method = "GET"): RequestOutcome {
  on.nowUs = micros(EPOCH_US + sending.atUs);
  const beginning = begin(on.gateway, requestOf(sending, method));
  if (beginning.kind === "steps") return sendInSteps(on, sending, method);
  const outcome =
    beginning.kind === "done"
      ? beginning
      : finish(on.gateway, beginning, performNow(on.gateway.limiter.localStore, beginning));
  for (const op of outcome.background) performBackground(on, outcome, op);
  return outcome;
}

const performBackground = (on: Rig, outcome: RequestOutcome, op: StoreOp): void =>
  onBackgroundReply(on.gateway, outcome, op, performNow(on.gateway.limiter.localStore, op));
