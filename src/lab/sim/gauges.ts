import { budgetName } from "../../limiter/core/budget.ts";
import { optionsOf } from "../../limiter/core/limiter.ts";
import { isLogBased } from "../../limiter/core/algorithms.ts";
import { chooseAlgorithm } from "../../limiter/core/select.ts";
import { micros } from "../../kit/units.ts";
import type { RequestOutcome } from "../../gateway/outcome.ts";
import { bytesIn } from "./bytes.ts";
import type { Engine } from "./engine.ts";
import { LOOKS, type StoreWatch } from "./store-state.ts";
import { sizeOf } from "../../limiter/store/memory.ts";

/**
 * Records the threshold at which a smoothed budget starts without an event (SMO-1), once, and only if the deciding
 * gateway used a log. `gateways` is the number of active gateways that it knew.
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

/**
 * Records the number of entries after a step or a call, if it has changed: a sample is valid until the next sample.
 */
function countEntries(engine: Engine, watch: StoreWatch): void {
  const { entries } = sizeOf(engine.shared);
  if (entries === watch.entries) return;
  watch.entries = entries;
  note(engine, "entries", entries);
  engine.remote.peakEntries = Math.max(engine.remote.peakEntries, entries);
}

/**
 * Called after each step that may change the store. Counting bytes needs a walk over all logs, so bytes
 * are counted only after some steps, and less often in a run with more steps than planned.
 */
export function watchStore(engine: Engine): void {
  const { watch } = engine;
  if (watch === null) return;
  countEntries(engine, watch);
  if (++watch.steps === watch.every) lookAtStore(engine, watch);
}

export function lookAtStore(engine: Engine, watch: StoreWatch): void {
  countEntries(engine, watch);
  watch.steps = 0;
  watch.looks++;
  if (watch.looks % LOOKS === 0) watch.every *= 2;
  const bytes = bytesIn(engine.shared);
  if (bytes === watch.bytes) return;
  watch.bytes = bytes;
  note(engine, "bytes", bytes);
  engine.remote.peakBytes = Math.max(engine.remote.peakBytes, bytes);
}

function note({ recorder, nowUs }: Engine, gauge: "entries" | "bytes", value: number): void {
  const atUs = micros(nowUs);
  recorder!.gauges.push({ gauge, atUs, key: null, budget: null, gateway: null, value });
}
