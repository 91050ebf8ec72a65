// The driver for a foreign limiter that reads requests and writes decisions as lines of JSON. The plan runs in virtual
// time, one decision after the other; or in real time if the limiter's clock cannot be set.
import { rng, type Rng } from "../../kit/chance/rng.ts";
import { budgetName } from "../../limiter/core/budget.ts";
import { micros } from "../../kit/units.ts";
import type { GatewayRequest, RequestOutcome } from "../../gateway/outcome.ts";
import type { Implementation } from "../implementations/catalogue.node.ts";
import { LimiterError, type LineLimit, type LineLimiter } from "../implementations/lines.node.ts";
import type { Manifest } from "../implementations/manifest.ts";
import { startLimiter } from "../implementations/start-limiter.node.ts";
import { limitId, readWantedWorld, type WantedWorld } from "../implementations/wanted.ts";
import type { Configuration } from "../../limiter/core/config.ts";
import { isFailure } from "../../kit/reading/failure.ts";
import type { History } from "../scenario/history.ts";
import type { Fault, Plan, Variant } from "../scenario/types.ts";
import { patienceUs, requestOf } from "../sim/clients.ts";
import { EPOCH_US } from "../sim/engine.ts";
import { addressOf, placeOfAddress } from "../sim/places.ts";
import { readClockUs, until } from "./open-loop.node.ts";
import {
  headersOf,
  note,
  recordError,
  type Attempt,
  type Decided,
} from "./decided-request.node.ts";
import type { Driver, Offer } from "./driver.ts";
import { startOwnStore, type OwnStore } from "./own-store.node.ts";
import { realHistory, realRecorder, retryAfterIn, type RealRecorder } from "./real-recorder.ts";
import { createClaimResolver } from "./stranger.ts";

/** A limiter rejected limits of the world. Its message has the limiter's reasons. */
export class InexpressibleLimits extends Error {}

/**
 * Each world has its own limiter and, where needed, its own store, which an outage can cut. With `isReused`, a limiter
 * of an earlier world is configured again, because starting programs takes longer than thousands of decisions. A
 * limiter whose clock cannot go back is not reused. Both worlds need the same windows, because timers for shorter
 * windows would remain and fire millions of times per virtual day.
 */
export function byLines(offer: Offer, implementation: Implementation, isReused: boolean): Driver {
  const { manifest } = implementation;
  const hasStore = manifest.capabilities.store === "redis";
  const isStartedOnce = isReused && manifest.clock !== "virtual-forward" && !hasStore;
  const idle = new Map<string, LineLimiter[]>();
  return {
    offer,
    apply: async (variant) => {
      const own = hasStore ? await startOwnStore() : null;
      const environment = own === null ? {} : { REDIS_ADDRESS: new URL(own.url).host };
      const windows = windowsOf(variant);
      const limiter = idle.get(windows)?.pop() ?? (await startLimiter(implementation, environment));
      let isUsable = false;
      return {
        play: async (plan) => {
          try {
            const history = await play({ manifest, limiter, store: own }, variant, plan);
            isUsable = true;
            return history;
          } catch (error) {
            isUsable = error instanceof InexpressibleLimits;
            throw error;
          }
        },
        close: async () => {
          if (isStartedOnce && isUsable) idle.set(windows, [...(idle.get(windows) ?? []), limiter]);
          else await limiter.stop();
          await own?.stop();
        },
      };
    },
    close: async () => {
      await Promise.all([...idle.values()].flat().map((limiter) => limiter.stop()));
    },
  };
}

function windowsOf({ world: { configuration } }: Variant): string {
  const { limits } = configuration === null ? { limits: [] } : readWantedWorld(configuration);
  return [...new Set(limits.map(({ perUs }) => perUs))].toSorted((a, b) => a - b).join(" ");
}

interface StartedLimiter {
  readonly manifest: Manifest;
  readonly limiter: LineLimiter;
  readonly store: OwnStore | null;
}

/** The limiter, and the world that it enforces now. */
interface Playing extends StartedLimiter {
  readonly epochUs: number;
  readonly nowUs: () => number;
  /** After the limiter has lost its store, its errors become responses to clients. */
  hasLostStore: boolean;
  wanted: WantedWorld;
  resolveClaim: (request: GatewayRequest) => RequestOutcome;
  skewUs: number; // deviation of its clock
}

async function play(started: StartedLimiter, variant: Variant, plan: Plan): Promise<History> {
  const { manifest, limiter } = started;
  const { configuration } = variant.world;
  if (configuration === null) throw new Error("the configuration of the world has errors");
  const isVirtual = manifest.clock !== "real";
  const epochUs = isVirtual ? EPOCH_US : readClockUs();
  const startMs = performance.now();
  const nowUs = (): number => (performance.now() - startMs) * 1_000;
  const playing: Playing = {
    ...started,
    epochUs,
    nowUs,
    hasLostStore: false,
    ...enforcing(configuration, epochUs),
    skewUs: 0,
  };
  const configured = await limiter.configure(limitsOf(playing.wanted), epochUs);
  if (isFailure(configured))
    throw new InexpressibleLimits(`${manifest.name}: ${configured.message}`);
  const real = realRecorder(plan, epochUs);
  const waits = rng(plan.seed, `${plan.scenario}/${plan.variant}/clients`);
  const queue: Attempt[] = Array.from(plan.atUs, (atUs, arrival) => ({
    atUs,
    arrival,
    attempt: 0,
  }));
  const faults = variant.faults
    .map((fault): DueFault => ({ fault, atUs: startOf(fault) }))
    .toSorted((a, b) => a.atUs - b.atUs);
  // Without retries no request depends on an earlier response, so requests are sent without waiting for responses.
  const isPiped =
    plan.flows.every(({ behaviour }) => behaviour.kind === "ignore") &&
    faults.every(({ fault }) => fault.kind === "configure");
  const answers: Promise<Attempt | null>[] = [];
  let lastUs = -1;
  for (let next = queue.shift(); next !== undefined; next = queue.shift()) {
    while (faults.length > 0 && faults[0]!.atUs <= next.atUs) {
      if (!isVirtual) await until(faults[0]!.atUs, nowUs, undefined);
      await inject(playing, faults.shift()!);
    }
    if (!isVirtual) await until(next.atUs, nowUs, undefined);
    // The order of decisions at the same time may matter, so each request gets a microsecond of its own.
    const atUs = Math.max(Math.ceil(next.atUs), lastUs + 1);
    lastUs = atUs;
    const sentUs = isVirtual ? atUs : Math.max(atUs, Math.floor(nowUs()));
    const answer = decideOne({ playing, real, variant, plan, waits }, { ...next, atUs }, sentUs);
    if (isPiped) {
      answers.push(answer);
      answer.catch(() => undefined); // the error ends the run later
    } else {
      const again = await answer;
      if (again !== null) insert(queue, again);
    }
  }
  await Promise.all(answers);
  return history(real, plan, variant, lastUs, isVirtual);
}

interface Deciding {
  readonly playing: Playing;
  readonly real: RealRecorder;
  readonly variant: Variant;
  readonly plan: Plan;
  readonly waits: Rng;
}

/** Decides an attempt and records the decision. Returns the client's next attempt; null: the client does not retry. */
async function decideOne(
  { playing, real, variant, plan, waits }: Deciding,
  tried: Attempt,
  sentUs: number,
): Promise<Attempt | null> {
  const { manifest, epochUs, nowUs } = playing;
  const { arrival, attempt, atUs } = tried;
  const isVirtual = manifest.clock !== "real";
  const flow = plan.flows[plan.flow[arrival]!]!;
  const address = addressOf(plan, placeOfAddress(plan, arrival));
  const request = requestOf(variant.world.credentials, flow, plan.client[arrival]!, address);
  const outcome = playing.resolveClaim(request);
  const got = await decide(playing, outcome, flow.cost ?? 1, atUs);
  // A client's wait before a retry begins when it has the response.
  const answeredUs = isVirtual ? atUs : Math.max(atUs, Math.ceil(nowUs()));
  if (got === null) {
    recordError(real, tried, isVirtual ? atUs : nowUs());
    return null;
  }
  const decidedUs = typeof got.at_us === "number" ? got.at_us - epochUs - playing.skewUs : atUs;
  const headers = headersOf(playing, decidedUs, got);
  note(real, playing, { ...tried, atUs: sentUs }, { decidedUs, got, outcome, headers });
  if (got.admitted) return null;
  const waitUs = patienceUs(flow.behaviour, attempt, retryAfterIn(headers), waits);
  return waitUs === null ? null : { arrival, attempt: attempt + 1, atUs: answeredUs + waitUs };
}

const enforcing = (
  configuration: Configuration,
  epochUs: number,
): Pick<Playing, "wanted" | "resolveClaim"> => ({
  wanted: readWantedWorld(configuration),
  resolveClaim: createClaimResolver(configuration, epochUs),
});

const limitsOf = ({ limits }: WantedWorld): readonly LineLimit[] =>
  limits.map(({ rate, perUs, burst }) => ({ limit: rate, per_us: perUs, burst }));

interface DueFault {
  readonly fault: Fault;
  readonly atUs: number;
}

const startOf = (fault: Fault): number => ("atUs" in fault ? fault.atUs : fault.fromUs);

async function inject(playing: Playing, { fault, atUs }: DueFault): Promise<void> {
  const { limiter, manifest, epochUs } = playing;
  switch (fault.kind) {
    case "clock_skew":
      playing.skewUs = fault.skewUs;
      return;
    case "configure": {
      Object.assign(playing, enforcing(fault.configuration, epochUs));
      const changed = await limiter.change(
        limitsOf(playing.wanted),
        epochUs + atUs + playing.skewUs,
      );
      if (isFailure(changed)) throw new InexpressibleLimits(`${manifest.name}: ${changed.message}`);
      return;
    }
    case "store_down":
      playing.hasLostStore = true;
      void playing.store!.loseUntil(until(fault.toUs, playing.nowUs, undefined));
      return;
    case "gateway_crash":
    case "gateway_join":
    case "gateway_leave":
    case "gateway_restart":
    case "store_restart":
    case "store_slow":
      throw new Error(`a foreign limiter cannot have ${fault.kind}; the scenario is unsupported`);
  }
}

/**
 * A request that no limit counts is admitted or rejected without the limiter. Null if the limiter returned an error
 * after it had lost its store.
 */
async function decide(
  { limiter, wanted, epochUs, skewUs, hasLostStore }: Playing,
  { refused, decision, client }: RequestOutcome,
  cost: number,
  atUs: number,
): Promise<Decided | null> {
  const budget = decision?.level?.budget;
  if (refused !== null || budget === undefined) return { admitted: refused === null };
  const limitIndex = wanted.limits.findIndex(({ id }) => id === limitId(budget));
  const key = budgetName(budget, client);
  try {
    return await limiter.decide({ limitIndex, key, cost, atUs: epochUs + atUs + skewUs });
  } catch (error) {
    if (hasLostStore && error instanceof LimiterError) return null;
    throw error;
  }
}

/** Sorted by time; attempts at the same time stay in the order of insertion. */
function insert(queue: Attempt[], attempt: Attempt): void {
  let at = queue.length;
  while (at > 0 && queue[at - 1]!.atUs > attempt.atUs) at--;
  queue.splice(at, 0, attempt);
}

function history(
  real: RealRecorder,
  plan: Plan,
  variant: Variant,
  endUs: number,
  isVirtual: boolean,
): History {
  const recorded = realHistory(real, {
    plan,
    variant,
    driver: "remote",
    endUs: micros(endUs),
    isStamped: true,
  });
  return isVirtual
    ? { ...recorded, header: { ...recorded.header, timing: { kind: "exact" } } }
    : recorded;
}
