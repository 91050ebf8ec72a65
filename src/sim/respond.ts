// The response to a decided request: at once, or at its turn (ALG-C10).
import { optionsOf } from "../core/limiter.ts";
import {
  limitHeaders,
  limitValues,
  NO_LIMIT_VALUES,
  readLimitValues,
  replaceLimitHeaders,
  type LimitValues,
} from "../gateway/headers.ts";
import type { RequestOutcome } from "../gateway/outcome.ts";
import { later, type Engine, type Node } from "./engine.ts";
import { record, type DecisionRecord, type SentAttempt } from "./recorder.ts";

const PASSED = 200;

/** `backUs`: from the gateway to the upstream and back to the client. */
export function respondInTurn(
  engine: Engine,
  node: Node,
  sent: SentAttempt,
  decided: DecisionRecord,
  backUs: number,
): void {
  const { outcome } = decided;
  const delayUs = outcome.decision?.delayUs ?? 0;
  if (delayUs === 0) respond(engine, node, sent, decided, backUs);
  else {
    const copy = { ...decided, outcome: copyOf(outcome) };
    waitForTurn(engine, node, delayUs, () => respond(engine, node, sent, copy, backUs));
  }
}

/** The next request decides into the same draft. */
const copyOf = (outcome: RequestOutcome): RequestOutcome => ({
  ...outcome,
  decision: outcome.decision === null ? null : { ...outcome.decision },
});

/** Its turn is spent already. A gateway that stops meanwhile loses the request all the same. */
function waitForTurn(engine: Engine, node: Node, delayUs: number, leave: () => void): void {
  const { generation } = node;
  node.inFlight++;
  const atItsTurn = (): void => {
    if (node.generation !== generation) {
      engine.counts.unanswered++;
      return;
    }
    node.inFlight--;
    leave();
  };
  later(engine, delayUs, atItsTurn, undefined);
}

function respond(
  engine: Engine,
  node: Node,
  sent: SentAttempt,
  decided: DecisionRecord,
  backUs: number,
): void {
  const { recorder } = engine;
  if (recorder === null) return;
  const { outcome } = decided;
  const status = outcome.refused?.status ?? PASSED;
  const values = recorder.isBrief ? NO_LIMIT_VALUES : valuesReceived(engine, node, outcome);
  record(recorder, sent, decided, engine.nowUs + backUs, status, values);
}

/** The gateway's own values, and Retry-After of an upstream that was reached. They are text only if the upstream has some. */
function valuesReceived(
  { environment }: Engine,
  { gateway }: Node,
  { refused, decision }: RequestOutcome,
): LimitValues {
  const { rateLimitHeaders } = optionsOf(gateway.limiter);
  const own =
    decision === null ? NO_LIMIT_VALUES : limitValues(decision, rateLimitHeaders, gateway.clock());
  return refused === null && environment.upstreamHeaders.length > 0
    ? readLimitValues(replaceLimitHeaders(environment.upstreamHeaders, limitHeaders(own)))
    : own;
}
