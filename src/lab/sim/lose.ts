// Requests without a response (LIM-C18): no gateway received them, or their gateway ended while it had them. The client
// notices the loss immediately.
import { gatewaysAt } from "../../limiter/core/limiter.ts";
import { NO_LIMIT_VALUES } from "../../gateway/headers.ts";
import { UNDECIDED } from "../../gateway/outcome.ts";
import { addresseesOf } from "../../gateway/route.ts";
import { NO_GATEWAY, NO_STATUS, type LossReason } from "../scenario/history.ts";
import { behaviourOf, waitBeforeRetry } from "./clients.ts";
import { sendAgain, type Engine, type Node } from "./engine.ts";
import { placeOfAddress } from "./places.ts";
import { record, type Recorder, type SentAttempt } from "./recorder.ts";
import { goOn, takesTurns } from "./turns.ts";

/** Records a lost request and schedules its retry, if any. `node` is the gateway that had received it, or null. */
export function lose(
  engine: Engine,
  node: Node | null,
  sent: SentAttempt,
  reason: LossReason,
): void {
  const { arrival, attempt } = sent;
  if (engine.recorder !== null) recordLoss(engine, engine.recorder, node, sent, reason);
  const waitUs = waitBeforeRetry(engine, behaviourOf(engine, arrival), attempt, null);
  if (takesTurns(engine, arrival)) goOn(engine, arrival, attempt, waitUs);
  else if (waitUs !== null) sendAgain(engine, arrival, attempt, waitUs);
}

/** Loses all requests of a gateway that ends, because its connections break. */
export function loseUnderWay(engine: Engine, node: Node): void {
  node.generation++;
  const lost = [...node.underWay];
  node.underWay.clear();
  for (const sent of lost) {
    sent.isLost = true;
    lose(engine, node, sent, "ended");
  }
}

function recordLoss(
  engine: Engine,
  recorder: Recorder,
  node: Node | null,
  sent: SentAttempt,
  reason: LossReason,
): void {
  const { nowUs, plan } = engine;
  const { arrival, sentUs } = sent;
  const { gateway } = node ?? engine.nodes[0]!;
  const request = engine.requestOf(
    plan.flow[arrival]!,
    plan.client[arrival]!,
    placeOfAddress(plan, arrival),
  );
  const lost = {
    outcome: { ...UNDECIDED, ...addresseesOf(gateway, request) },
    gateway: node?.index ?? NO_GATEWAY,
    fleet: node === null ? 1 : gatewaysAt(gateway.limiter, gateway.clock()),
    fromUs: sentUs,
    toUs: nowUs,
    stampUs: Number.NaN,
    order: engine.decided++,
    commandsBefore: 0,
    commandsAll: 0,
    lost: reason,
  };
  record(recorder, sent, lost, nowUs, NO_STATUS, NO_LIMIT_VALUES);
}
