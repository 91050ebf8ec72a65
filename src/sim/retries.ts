// How long a client waits before it sends a refused request again.
import { retryAfterSeconds } from "../core/decision.ts";
import { SECOND } from "../core/units.ts";
import type { Outcome } from "../gateway/outcome.ts";
import type { Behaviour } from "../scenario/types.ts";
import { LAST_US, type Engine } from "./engine.ts";

export const behaviourOf = ({ plan }: Engine, arrival: number): Behaviour =>
  plan.flows[plan.flow[arrival]!]!.behaviour;

/** Null where it gives up: nobody waits longer than time is told. */
export function waitBeforeRetry(
  engine: Engine,
  behaviour: Behaviour,
  attempt: number,
  outcome: Outcome,
): number | null {
  const waitUs = waitOf(engine, behaviour, attempt, outcome);
  return waitUs === null || engine.nowUs + waitUs > LAST_US ? null : waitUs;
}

function waitOf(
  engine: Engine,
  behaviour: Behaviour,
  attempt: number,
  { decision }: Outcome,
): number | null {
  if (behaviour.kind === "ignore" || attempt + 1 >= behaviour.maxAttempts) return null;
  if (behaviour.kind === "backoff") {
    const us = behaviour.baseUs * behaviour.factor ** attempt;
    return us * (1 + behaviour.jitter * (2 * engine.random.clients.next() - 1));
  }
  const seconds = decision === null ? null : retryAfterSeconds(decision);
  return seconds === null ? null : seconds * SECOND;
}
