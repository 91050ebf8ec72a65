// Sends the requests of a probe, one after the other over one connection, within its caps.
import { setTimeout as sleep } from "node:timers/promises";
import { readExchange, type JudgedExchange } from "../../limiter/limit-headers/exchange.ts";
import { isFailure } from "../../kit/reading/failure.ts";
import { createAgent, exchangeOnce, unixNow, type ProbeRequest } from "./exchange.node.ts";
import { nextProbe, type ProbeCaps } from "./next-probe.ts";

interface ProbeResult {
  readonly exchanges: readonly JudgedExchange[];
  /** Why the probe ended. */
  readonly why: string;
  /** Why a response is missing and no more requests were sent; null: none is missing. */
  readonly lost: string | null;
}

export async function probe(
  request: ProbeRequest,
  caps: ProbeCaps,
  {
    signal,
    report,
  }: { signal: AbortSignal; report: (exchanges: readonly JudgedExchange[]) => void },
): Promise<ProbeResult> {
  const exchanges: JudgedExchange[] = [];
  const startS = unixNow();
  const deadline = AbortSignal.timeout(caps.seconds * 1000);
  const agent = createAgent(request.url, 1);
  const stop = AbortSignal.any([signal, deadline]);
  try {
    for (;;) {
      const step = nextProbe({ exchanges, startS, nowS: unixNow(), caps });
      if (step.kind === "end") return { exchanges, why: step.why, lost: null };
      await sleepUntil(step.atS, stop);
      const received = stop.aborted ? null : await exchangeOnce(request, agent, stop, "body");
      const isFirst = exchanges.length === 0;
      const isCutOff = hasEnded(signal) || (hasEnded(stop) && !isFirst);
      if (received === null || (isFailure(received) && isCutOff)) {
        const why = hasEnded(signal)
          ? "it was interrupted"
          : `the cap of ${caps.seconds} s is reached`;
        return { exchanges, why, lost: null };
      }
      if (isFailure(received)) {
        const message = hasEnded(deadline)
          ? `does not respond within ${caps.seconds} s`
          : received.message;
        const why = `${request.url.href} ${message}`;
        return { exchanges, why, lost: why };
      }
      exchanges.push(readExchange(received, exchanges.length));
      report(exchanges);
    }
  } finally {
    agent.destroy();
  }
}

/** A function, because the compiler assumes that the property is unchanged after a wait. */
const hasEnded = (signal: AbortSignal): boolean => signal.aborted;

async function sleepUntil(atS: number, signal: AbortSignal): Promise<void> {
  const milliseconds = (atS - unixNow()) * 1000;
  if (milliseconds <= 0) return;
  try {
    await sleep(milliseconds, undefined, { signal });
  } catch (error) {
    if (!signal.aborted) throw error;
  }
}
