// The response to a decided request: immediate, or after the delay of the decision (ALG-C10).
import { optionsOf } from "../../limiter/core/limiter.ts";
import {
  limitHeaders,
  limitValues,
  NO_LIMIT_VALUES,
  readLimitValues,
  replaceLimitHeaders,
  type LimitValues,
} from "../../gateway/headers.ts";
import type { RequestOutcome } from "../../gateway/outcome.ts";
import { later, type Engine, type Node } from "./engine.ts";
import { record, type DecisionRecord, type SentAttempt } from "./recorder.ts";

const PASSED = 200;

/** Responds after the decision's delay. `upstreamUs`: to the upstream and back. `backUs`: from gateway to client. */
export function respondInTurn(
  engine: Engine,
  node: Node,
  sent: SentAttempt,
  decided: DecisionRecord,
  upstreamUs: number,
  backUs: number,
): void {
  const { outcome } = decided;
  const delayUs = outcome.decision?.delayUs ?? 0;
  if (delayUs === 0) respond(engine, node, sent, decided, upstreamUs, backUs);
  else {
    const copy = { ...decided, outcome: copyOf(outcome) };
    node.inFlight++;
    waitUnderWay(engine, node, sent, delayUs, () => {
      node.inFlight--;
      respond(engine, node, sent, copy, upstreamUs, backUs);
    });
  }
}

/** Copies the outcome, because the next request overwrites the original. */
const copyOf = (outcome: RequestOutcome): RequestOutcome => ({
  ...outcome,
  decision: outcome.decision === null ? null : { ...outcome.decision },
});

/** Waits, then calls `then`. If the gateway ends meanwhile, the request is lost, although its budgets were spent. */
function waitUnderWay(
  engine: Engine,
  node: Node,
  sent: SentAttempt,
  waitUs: number,
  then: () => void,
): void {
  if (engine.gatewaysEnd) node.underWay.add(sent);
  const goOn = (): void => {
    if (sent.isLost) return;
    if (engine.gatewaysEnd) node.underWay.delete(sent);
    then();
  };
  later(engine, waitUs, goOn, undefined);
}

function respond(
  engine: Engine,
  node: Node,
  sent: SentAttempt,
  decided: DecisionRecord,
  upstreamUs: number,
  backUs: number,
): void {
  if (engine.gatewaysEnd) node.underWay.delete(sent);
  const { recorder, nowUs } = engine;
  if (recorder === null) return;
  const { outcome } = decided;
  const status = outcome.refused?.status ?? PASSED;
  const values = recorder.isBrief ? NO_LIMIT_VALUES : valuesReceived(engine, node, outcome);
  const answeredUs = nowUs + upstreamUs + backUs;
  if (upstreamUs === 0 || !engine.gatewaysEnd) {
    record(recorder, sent, decided, answeredUs, status, values);
    return;
  }
  const copy = { ...decided, outcome: copyOf(outcome) };
  waitUnderWay(engine, node, sent, upstreamUs, () => {
    record(recorder, sent, copy, answeredUs, status, values);
  });
}

/** The limit values that the client receives. Headers are parsed only if the upstream sends any. */
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
