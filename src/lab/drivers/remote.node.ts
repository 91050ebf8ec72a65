// Real time, on a gateway that is not Weir's. A running gateway was configured by hand, and the scenario's world is a
// claim about it. An implementation is started for each world. Only responses show what a gateway decided.
import { performance } from "node:perf_hooks";
import { setTimeout as sleep } from "node:timers/promises";
import type { Configuration } from "../../limiter/core/config.ts";
import { micros, NEVER, type Micros } from "../../kit/units.ts";
import { isFailure, requireValue } from "../../kit/reading/failure.ts";
import { findImplementation, type Implementation } from "../implementations/catalogue.node.ts";
import type { LimitHeaderNames } from "../implementations/manifest.ts";
import { readyPath } from "../implementations/ready.node.ts";
import { readWantedWorld, type WantedWorld } from "../implementations/wanted.ts";
import { UNDECIDED, type GatewayRequest } from "../../gateway/outcome.ts";
import type { Plan, Variant } from "../scenario/types.ts";
import { credentialOf, requestOf } from "../sim/clients.ts";
import { addressOf, placeOfAddress } from "../sim/places.ts";
import { isLoopback } from "./allowed-target.ts";
import { byLines } from "./decide.node.ts";
import { foreignOffer } from "./foreign-offer.ts";
import { LEAD_US, playClients, type ServedWorld } from "./clients.node.ts";
import {
  localSourceOf,
  mostAtOnce,
  openConnections,
  sourceByCredential,
  type SourceOf,
} from "./connections.node.ts";
import {
  UnreachableTarget,
  type Against,
  type AppliedWorld,
  type Driver,
  type Offer,
} from "./driver.ts";
import { realHistory, realRecorder, type RealRecorder } from "./real-recorder.ts";
import { watchSilence, type ResponseCounts } from "./silence.node.ts";
import { createStarter } from "./started.node.ts";
import { createClaimResolver, limitHeaders, reasonOf, withoutDecision } from "./stranger.ts";
import { createUpstream } from "./upstream.node.ts";
import { readClockUs } from "./open-loop.node.ts";

/** The headers that are read from an unknown gateway: the others do not mean the same everywhere. */
const COMMON_HEADERS: LimitHeaderNames = {
  limit: "x-ratelimit-limit",
  remaining: "x-ratelimit-remaining",
  reset: null,
  reset_is: "seconds",
  retry_after: "retry-after",
};

/** The assumed resolution of an unknown clock. Most clocks step by 1 ms, some by 10 ms. */
const UNKNOWN_STEP_US = micros(10_000);

interface Stranger {
  readonly url: URL;
  readonly refusal: number;
  readonly stepUs: Micros; // resolution of its clock
  readonly clockUs?: Micros; // how far its clock may be from this machine's; unset: it is on this machine
  readonly headers: LimitHeaderNames;
  readonly exited: Promise<string>; // resolves to the reason why the program ended by itself
  readonly ready: URL | null; // a URL outside every limit; null if unknown
  readonly sourceByCredential: SourceOf | null; // null: requests come from the plan's addresses
  readonly change: ((configuration: Configuration) => Promise<void>) | null;
  /** Reports a running gateway that never responds; null for a started implementation. */
  readonly notice: ((line: string) => void) | null;
  readonly loseStoreUntil: ((back: Promise<unknown>) => Promise<void>) | null;
  readonly stop: () => Promise<void>;
}

/** `notice` receives lines about a run that seems to hang. */
export async function remote(
  against: Against,
  notice: (line: string) => void = () => undefined,
): Promise<Driver> {
  if (against.kind === "target")
    return againstTarget(foreignOffer(true, null), new URL(against.url), notice);
  return createImplementationDriver(requireValue(await findImplementation(against.name)));
}

export function createImplementationDriver(
  implementation: Implementation,
  isReused = false,
): Driver {
  const { kind, clock } = implementation.manifest;
  const offer = foreignOffer(clock === "real", implementation);
  return kind === "decide"
    ? byLines(offer, implementation, isReused)
    : againstImplementation(offer, implementation);
}

function againstTarget(offer: Offer, url: URL, notice: (line: string) => void): Driver {
  const stranger: Stranger = {
    url,
    refusal: 429,
    stepUs: UNKNOWN_STEP_US,
    // The Date header does not show the clock: it has whole seconds, and an upstream or a cache may have written it.
    ...(isLoopback(url.hostname) ? {} : { clockUs: NEVER }),
    headers: COMMON_HEADERS,
    exited: new Promise<string>(() => {}),
    ready: null,
    notice,
    sourceByCredential: null,
    change: null,
    loseStoreUntil: null,
    stop: () => Promise.resolve(),
  };
  return {
    offer,
    apply: (variant) => Promise.resolve(createPlayedWorld(stranger, variant)),
    close: () => Promise.resolve(),
  };
}

function againstImplementation(offer: Offer, implementation: Implementation): Driver {
  const { manifest } = implementation;
  const { refusal, ready, capabilities, resolution } = manifest;
  const worlds = createStarter(implementation);
  let upstream: ReturnType<typeof createUpstream> | null = null;
  return {
    offer,
    apply: async (variant) => {
      upstream ??= createUpstream([]);
      const wanted = readLimits(variant.world.configuration);
      const served = await worlds.start(wanted, (await upstream).url);
      const isByAddress = wanted.limits.some(({ by, isForAll }) => by === "ip" && !isForAll);
      const stranger: Stranger = {
        ...served,
        refusal,
        stepUs: resolution ?? UNKNOWN_STEP_US,
        headers: manifest.headers ?? NO_HEADERS,
        ready: new URL(readyPath(ready, 1), served.url),
        notice: null,
        sourceByCredential:
          capabilities.by.join("") === "ip" && !isByAddress
            ? sourceByCredential(wanted.credentials)
            : null,
        change: async (configuration) => {
          const failed = await served.change(readLimits(configuration));
          if (isFailure(failed)) throw new Error(failed.message);
        },
      };
      return createPlayedWorld(stranger, variant);
    },
    close: async () => {
      await worlds.close();
      await (await upstream)?.close();
    },
  };
}

function readLimits(configuration: Configuration | null): WantedWorld {
  if (configuration === null) throw new Error("the configuration of the world has errors");
  return readWantedWorld(configuration);
}

const NO_HEADERS: LimitHeaderNames = {
  ...COMMON_HEADERS,
  limit: null,
  remaining: null,
  retry_after: null,
};

/** The most connections that are opened before a run; more are opened when needed. */
const MOST_WARM = 32;

/** The most requests of a run: enough for scenarios about limits, and no load test of a foreign gateway. */
const MOST_REQUESTS = 100_000;

/** How long a run may go on after its last planned request: for retries, and for gateways that delay. */
const GRACE_US = 120_000_000;

function createPlayedWorld(stranger: Stranger, variant: Variant): AppliedWorld {
  return {
    play: async (plan) => {
      const sourceOf: SourceOf =
        stranger.sourceByCredential ?? ((arrival) => localSourceOf(plan, arrival));
      const connections = openConnections(sourceOf);
      if (stranger.ready !== null)
        await connections.warm(
          stranger.ready,
          sourcesOf(plan, variant, sourceOf),
          Math.min(mostAtOnce(plan), MOST_WARM),
        );
      const epochUs = readClockUs() + LEAD_US;
      const startMs = performance.now() + LEAD_US / 1_000;
      const nowUs = (): number => Math.floor((performance.now() - startMs) * 1_000);
      const real = realRecorder(plan, epochUs);
      const ended = Promise.withResolvers<never>();
      ended.promise.catch(() => undefined); // the promise may reject when nothing waits for it any more
      stranger.exited.then((why) => ended.reject(new Error(why)), ended.reject);
      const served = createServedWorld(stranger, variant, plan, real, epochUs, ended.reject);
      const latestUs = (plan.atUs.at(-1) ?? 0) + GRACE_US;
      const late = setTimeout(
        () => ended.reject(new Error(`the run lasts over ${GRACE_US / 1e6} s longer than planned`)),
        latestUs / 1_000,
      );
      let [sent, responses] = [0, 0];
      const destinationOf: ServedWorld["destinationOf"] = (client) => {
        sent++;
        return served.destinationOf(client);
      };
      const read: ServedWorld["read"] = (...response) => {
        responses++;
        return served.read(...response);
      };
      const { origin } = stranger.url;
      const counts = (): ResponseCounts => ({
        waiting: sent - responses - real.lost,
        responses,
      });
      const endWatch =
        stranger.notice === null
          ? () => undefined
          : watchSilence(origin, counts, stranger.notice, ended.reject);
      const clients = playClients({
        variant,
        plan,
        served: { ...served, destinationOf, read },
        real,
        nowUs,
        connections,
      });
      try {
        await Promise.race([clients, ended.promise]);
      } finally {
        clearTimeout(late);
        endWatch();
        connections.close(); // ends requests that still wait for a response
        clients.catch(() => undefined);
      }
      if (responses === 0 && plan.atUs.length > 0)
        throw new UnreachableTarget(
          `no request to ${origin} gets a response; look in the log of the gateway`,
        );
      return realHistory(real, {
        plan,
        variant,
        driver: "remote",
        endUs: nowUs(),
        isStamped: false,
        stepUs: stranger.stepUs,
        ...(stranger.clockUs === undefined ? {} : { clockUs: stranger.clockUs }),
      });
    },
    close: () => stranger.stop(),
  };
}

function sourcesOf(plan: Plan, { world }: Variant, sourceOf: SourceOf): ReadonlySet<string | null> {
  const sources = new Set<string | null>();
  for (let arrival = 0; arrival < plan.atUs.length && sources.size < MOST_WARM; arrival++) {
    const flow = plan.flows[plan.flow[arrival]!]!;
    sources.add(sourceOf(arrival, credentialOf(world.credentials, flow, plan.client[arrival]!)));
  }
  return sources;
}

function createServedWorld(
  { url, refusal, headers, change, loseStoreUntil }: Stranger,
  { world }: Variant,
  plan: Plan,
  real: RealRecorder,
  epochUs: number,
  fail: (error: Error) => void,
): ServedWorld {
  const load = { inFlight: 0 };
  let sent = 0;
  const requestAt = (arrival: number): GatewayRequest => {
    const flow = plan.flows[plan.flow[arrival]!]!;
    const address = addressOf(plan, placeOfAddress(plan, arrival));
    return requestOf(world.credentials, flow, plan.client[arrival]!, address);
  };
  let claimed =
    world.configuration === null ? null : createClaimResolver(world.configuration, epochUs);
  return {
    destinationOf: () => {
      if (++sent > MOST_REQUESTS)
        fail(new Error(`the run sends more than ${MOST_REQUESTS} requests to a foreign gateway`));
      return sent > MOST_REQUESTS ? null : { url, load, gateway: 0 };
    },
    onLost: ({ arrival }) =>
      claimed === null ? UNDECIDED : withoutDecision(claimed(requestAt(arrival))),
    read: ({ arrival }, { status, headers: received, sentUs, receivedUs }) => {
      return {
        decision:
          claimed === null
            ? null
            : {
                outcome: claimed(requestAt(arrival)),
                gateway: 0,
                fleet: 1,
                fromUs: sentUs,
                toUs: receivedUs,
                stampUs: Number.NaN,
                order: real.order++,
              },
        reason: reasonOf(status, refusal),
        headers: limitHeaders(received, headers, epochUs + receivedUs),
        body: "",
      };
    },
    inject: async (fault) => {
      if (fault.kind === "configure" && change !== null) {
        await change(fault.configuration);
        claimed = createClaimResolver(fault.configuration, epochUs);
        return;
      }
      if (fault.kind === "store_down" && loseStoreUntil !== null) {
        await loseStoreUntil(sleep((fault.toUs - fault.fromUs) / 1_000));
        return;
      }
      throw new Error(`a foreign gateway cannot have ${fault.kind}; the scenario is unsupported`);
    },
    call: ({ name }) => {
      throw new Error(`a foreign gateway has no management API for the call ${name}`);
    },
  };
}
