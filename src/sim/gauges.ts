import { budgetName } from "../core/budget.ts";
import { optionsOf } from "../core/limiter.ts";
import { isLogBased } from "../core/algorithms.ts";
import { chooseAlgorithm } from "../core/select.ts";
import { micros } from "../core/units.ts";
import type { RequestOutcome } from "../gateway/outcome.ts";
import { bytesIn } from "./bytes.ts";
import { meanwhile, type Engine } from "./engine.ts";
import { sizeOf } from "../store/memory.ts";

/**
 * A smoothed budget starts at its threshold without an event (SMO-1): the gauge records that once, if the gateway
 * that decided counted by a log. `gateways` is how many it knew of.
 */
export function noteAllowances(
  engine: Engine,
  { session, client, resolved }: RequestOutcome,
  gateways: number,
): void {
  const budget = resolved?.key ?? null;
  if (
    engine.recorder === null ||
    engine.recorder.isBrief ||
    session === null ||
    budget === null ||
    budget.limit.smoothing === null
  )
    return;
  const name = budgetName(budget, client);
  if (engine.allowancesSeen.has(name)) return;
  const options = optionsOf(engine.nodes[0]!.gateway.limiter);
  if (!isLogBased(chooseAlgorithm(options, budget.limit, gateways))) return;
  engine.allowancesSeen.add(name);
  engine.recorder.gauges.push({
    gauge: "allowance",
    atUs: micros(engine.nowUs),
    key: session.key.id,
    budget: name,
    gateway: null,
    value: budget.limit.smoothing.threshold,
  });
}

/** How many looks at the store a run is worth. */
const SAMPLES = 200;

/**
 * Looks at what the store holds, in even steps over the plan. Clients that come back make the run longer
 * than its plan, so the steps widen as it goes on. A sample holds until the next one: what did not change gets none.
 */
export function sampleStore(engine: Engine): void {
  let everyUs = Math.max(1_000, Math.ceil(engine.plan.untilUs / SAMPLES));
  let taken = 0;
  const last = { entries: -1, bytes: -1 };
  const note = (gauge: keyof typeof last, value: number): void => {
    if (last[gauge] === value) return;
    last[gauge] = value;
    const atUs = micros(engine.nowUs);
    engine.recorder!.gauges.push({ gauge, atUs, key: null, budget: null, gateway: null, value });
  };
  const look = (): void => {
    const { entries } = sizeOf(engine.shared);
    const bytes = bytesIn(engine.shared);
    note("entries", entries);
    note("bytes", bytes);
    engine.remote.peakEntries = Math.max(engine.remote.peakEntries, entries);
    engine.remote.peakBytes = Math.max(engine.remote.peakBytes, bytes);
    taken += 1;
    if (taken % SAMPLES === 0) everyUs *= 2;
    meanwhile(engine, engine.nowUs + everyUs, look);
  };
  if (engine.recorder?.isBrief === false) meanwhile(engine, 0, look);
}
