// A limiter of others that decides by lines of JSON: the plan in virtual time, one decision after the other, each at its
// time; in real time if its clock cannot be moved.
import { rng } from "../chance/rng.ts";
import { micros, SECOND } from "../core/units.ts";
import type { Implementation } from "../implementations/catalogue.node.ts";
import type { LineDecision, LineLimit, LineLimiter } from "../implementations/lines.node.ts";
import { startLimiter } from "../implementations/start-limiter.node.ts";
import { readWantedWorld, type WantedWorld } from "../implementations/wanted.ts";
import { isFailure } from "../reading/failure.ts";
import type { History } from "../scenario/history.ts";
import type { Plan, Variant } from "../scenario/types.ts";
import { patienceUs, requestOf } from "../sim/clients.ts";
import { EPOCH_US } from "../sim/engine.ts";
import { addressOf, placeOfAddress } from "../sim/places.ts";
import { until } from "./open-loop.node.ts";
import type { AppliedWorld, Driver, Offer } from "./driver.ts";
import { realHistory, realRecorder, recordRequest, type RealRecorder } from "./real-recorder.ts";
import { createClaimResolver } from "./stranger.ts";

export function byLines(offer: Offer, implementation: Implementation): Driver {
  // A world has a limiter of its own, which starts faster than most of them forget.
  return {
    offer,
    apply: async (variant) => {
      const limiter = await startLimiter(implementation);
      return createPlayedWorld(implementation, limiter, variant);
    },
    close: () => Promise.resolve(),
  };
}

interface Attempt {
  readonly atUs: number;
  readonly arrival: number;
  readonly attempt: number;
}

function createPlayedWorld(
  { manifest }: Implementation,
  limiter: LineLimiter,
  variant: Variant,
): AppliedWorld {
  const isVirtual = manifest.clock !== "real";
  return {
    play: async (plan) => {
      const { configuration } = variant.world;
      if (configuration === null) throw new Error("the configuration of the world has errors");
      const wanted = readWantedWorld(configuration);
      const epochUs = isVirtual ? EPOCH_US : Date.now() * 1_000;
      const configured = await limiter.configure(limitsOf(wanted), epochUs);
      if (isFailure(configured)) throw new Error(`${manifest.name}: ${configured.message}`);
      const real = realRecorder(plan, epochUs);
      const claimed = createClaimResolver(configuration, epochUs);
      const waits = rng(plan.seed, `${plan.scenario}/${plan.variant}/clients`);
      const startMs = performance.now();
      const queue: Attempt[] = Array.from(plan.atUs, (atUs, arrival) => ({
        atUs,
        arrival,
        attempt: 0,
      }));
      let lastUs = -1;
      for (let next = queue.shift(); next !== undefined; next = queue.shift()) {
        const { arrival, attempt } = next;
        if (!isVirtual)
          await until(next.atUs, () => (performance.now() - startMs) * 1_000, undefined);
        // A limiter may decide otherwise if several decisions have one time, so each takes a microsecond.
        const atUs = Math.max(Math.ceil(next.atUs), lastUs + 1);
        lastUs = atUs;
        const flow = plan.flows[plan.flow[arrival]!]!;
        const client = plan.client[arrival]!;
        const address = addressOf(plan, placeOfAddress(plan, arrival));
        const request = requestOf(variant.world.credentials, flow, client, address);
        const outcome = claimed(request);
        const key = request.credential ?? "everybody";
        const got = await limiter.decide(key, 1, epochUs + atUs);
        const decidedUs = got.at_us === null ? atUs : got.at_us - epochUs;
        note(real, { ...next, atUs }, decidedUs, got, outcome);
        const waitUs = got.admitted
          ? null
          : patienceUs(flow.behaviour, attempt, retryAfterS(got), waits);
        if (waitUs !== null) insert(queue, { arrival, attempt: attempt + 1, atUs: atUs + waitUs });
      }
      return history(real, plan, variant, lastUs, isVirtual);
    },
    close: () => limiter.stop(),
  };
}

const retryAfterS = ({ retry_after_us: waitUs }: LineDecision): number | null =>
  waitUs === null ? null : waitUs / SECOND;

/** In order of time; of one instant, in the order of their insertion. */
function insert(queue: Attempt[], attempt: Attempt): void {
  let at = queue.length;
  while (at > 0 && queue[at - 1]!.atUs > attempt.atUs) at--;
  queue.splice(at, 0, attempt);
}

const limitsOf = ({ limits }: WantedWorld): readonly LineLimit[] =>
  limits.map(({ rate, perUs }) => ({ limit: rate, per_us: perUs }));

function note(
  real: RealRecorder,
  { atUs, arrival, attempt }: Attempt,
  decidedUs: number,
  got: LineDecision,
  outcome: ReturnType<ReturnType<typeof createClaimResolver>>,
): void {
  const { admitted, limit, remaining, reset_us: resetUs, delay_us: delayUs } = got;
  const waitS = retryAfterS(got);
  const fields = [
    ["x-ratelimit-limit", limit],
    ["x-ratelimit-remaining", remaining],
    ["x-ratelimit-reset", resetUs === null ? null : resetUs / SECOND],
    ["retry-after", waitS],
  ] as const;
  const decision =
    delayUs === null || outcome.decision === null
      ? outcome.decision
      : { ...outcome.decision, delayUs };
  recordRequest(
    real,
    {
      arrival,
      attempt,
      sentUs: Math.min(atUs, decidedUs),
      receivedUs: decidedUs + (delayUs ?? 0),
      status: admitted ? 200 : 429,
    },
    {
      decision: {
        outcome: { ...outcome, decision },
        gateway: 0,
        fleet: 1,
        fromUs: decidedUs,
        toUs: decidedUs,
        stampUs: decidedUs,
        order: real.order++,
      },
      reason: admitted ? "none" : "rate",
      headers: fields.flatMap(([name, value]) =>
        value === null ? [] : [[name, `${value}`] as const],
      ),
      body: "",
    },
  );
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
