// The response to a decided request: at once, or at its turn (ALG-C10).
import { optionsOf } from "../core/limiter.ts";
import { limitHeaders, replaceLimitHeaders, type HeaderField } from "../gateway/headers.ts";
import type { RequestOutcome } from "../gateway/outcome.ts";
import { later, type Engine, type Node } from "./engine.ts";
import { record, type DecisionRecord, type SentAttempt } from "./recorder.ts";

const PASSED = 200;

/** Everything about a decision but the response to it. */
type DecidedRequest = Omit<DecisionRecord, "answeredUs" | "status" | "headers">;

/** `backUs`: from the gateway to the upstream and back to the client. */
export function respondInTurn(
  engine: Engine,
  node: Node,
  sent: SentAttempt,
  decided: DecidedRequest,
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
  decided: DecidedRequest,
  backUs: number,
): void {
  if (engine.recorder === null) return;
  const { outcome } = decided;
  // Field by field: a copy of all of them takes a tenth of a run.
  record(engine.recorder, sent, {
    outcome,
    toUs: decided.toUs,
    order: decided.order,
    commandsAll: decided.commandsAll,
    gateway: decided.gateway,
    fleet: decided.fleet,
    fromUs: decided.fromUs,
    stampUs: decided.stampUs,
    commandsBefore: decided.commandsBefore,
    answeredUs: engine.nowUs + backUs,
    status: outcome.refused?.status ?? PASSED,
    headers: engine.recorder.isBrief ? [] : responseHeaders(engine, node, outcome),
  });
}

/** The headers of a response: the gateway's own, and those of an upstream that was reached. */
function responseHeaders(
  { environment }: Engine,
  { gateway }: Node,
  { refused, decision }: RequestOutcome,
): readonly HeaderField[] {
  const { rateLimitHeaders } = optionsOf(gateway.limiter);
  const own = decision === null ? [] : limitHeaders(decision, rateLimitHeaders, gateway.clock());
  return refused === null && environment.upstreamHeaders.length > 0
    ? replaceLimitHeaders(environment.upstreamHeaders, own)
    : own;
}
