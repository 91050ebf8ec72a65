// A target that responds over HTTP. Requests are sent at their planned times, over as many connections as needed.
import { setTimeout as sleep } from "node:timers/promises";
import type { ReceivedHeader } from "../../limiter/limit-headers/advertised.ts";
import { readExchange, type RecordedExchange } from "../../limiter/limit-headers/exchange.ts";
import {
  createAgent,
  exchangeOnce,
  LONGEST_RESPONSE_MS,
  unixNow,
  type ProbeRequest,
} from "../lint/exchange.node.ts";
import { isFailure } from "../../kit/reading/failure.ts";
import { formatDuration, micros } from "../../kit/units.ts";
import { readAnnounced } from "./announced.ts";
import { listDue, waitUntil, type FilledGroup } from "./due.node.ts";
import {
  NOTHING_ANNOUNCED,
  type FailingTarget,
  type ProbedGroup,
  type ProbeResponse,
  type ProbeSender,
} from "./target.ts";

export interface HttpProbe {
  readonly url: URL;
  readonly headers: readonly ReceivedHeader[];
  /** The header whose value differs for the second credential; null: there is no second one. */
  readonly otherHeader: ReceivedHeader | null;
  readonly otherPath: string | null;
  /** The local address of the second client; null: there is none. */
  readonly otherAddress: string | null;
  readonly refusal: number; // status of a refused request
  /** A status other than 2xx that counts as admitted; null: none. */
  readonly admission: number | null;
}

export interface HttpTarget extends FailingTarget {
  readonly close: () => void;
}

interface Ended {
  readonly response: ProbeResponse;
  readonly failure: string | null; // why there is no response
}

const MOST_CONNECTIONS = 1_000;
const LOST = { outcome: "lost", status: 0, announced: NOTHING_ANNOUNCED } as const;

export function createHttpTarget(probe: HttpProbe, stop: AbortSignal): HttpTarget {
  const agent = createAgent(probe.url, MOST_CONNECTIONS);
  const nowUs = (): number => toMicros(unixNow());
  let failure: string | null = null;
  const exchange = async (sender: ProbeSender): Promise<Ended> => {
    const beginUs = nowUs();
    const request = requestOf(probe, sender);
    const received = await exchangeOnce(request, agent, stop, "headers");
    if (isFailure(received))
      return {
        response: { ...LOST, sentUs: beginUs, receivedUs: nowUs() },
        failure: received.message,
      };
    const { sentS, receivedS, status, headers } = received;
    const response = {
      sentUs: toMicros(sentS),
      receivedUs: toMicros(receivedS),
      outcome: outcomeOf(received, probe),
      status,
      announced: readAnnounced(headers, toMicros(receivedS)),
    };
    return { response, failure: null };
  };
  /** Resolves to a lost response after `patienceUs`, if set. A response that arrives later is not read. */
  const giveUp = async (patienceUs: number | undefined): Promise<Ended> => {
    const sentUs = nowUs();
    if (patienceUs === undefined) return new Promise(() => undefined);
    await sleep(patienceUs / 1_000, undefined, { ref: false, signal: stop }).catch(() => undefined);
    return {
      response: { ...LOST, sentUs, receivedUs: nowUs() },
      failure: `does not respond within ${formatDuration(micros(1_000 * Math.ceil(patienceUs / 1_000)))}`,
    };
  };
  const exchangeFor = async ({ sender, patienceUs, responses }: FilledGroup): Promise<void> => {
    const ended = await Promise.race([exchange(sender), giveUp(patienceUs)]);
    responses.push(ended.response);
    // A stop also ends requests to which the server would have responded.
    if (!stop.aborted) ({ failure } = ended);
  };
  return {
    nowUs,
    patienceUs: LONGEST_RESPONSE_MS * 1_000,
    failure: () => failure,
    close: () => agent.destroy(),
    send: async (groups) => {
      const { probed, due } = listDue(groups);
      const exchanges: Promise<void>[] = [];
      for (const { group, atUs } of due) {
        await waitUntil(atUs, nowUs, stop);
        if (stop.aborted) break;
        exchanges.push(exchangeFor(group));
      }
      await Promise.all(exchanges);
      return probed satisfies readonly ProbedGroup[];
    },
  };
}

/** The outcome of a status. A redirect may lead to the resource, or to a page about the limit: users state which. */
function outcomeOf(
  exchange: RecordedExchange,
  { refusal, admission }: HttpProbe,
): ProbeResponse["outcome"] {
  const { status } = exchange;
  if (status === refusal) return "refused";
  if (status === admission) return "admitted";
  return status >= 300 && status < 400 ? "other" : readExchange(exchange, 0).outcome;
}

const toMicros = (seconds: number): number => Math.round(seconds * 1e6);

const requestOf = (
  { url, headers, otherHeader, otherPath, otherAddress }: HttpProbe,
  { credential, path, address }: ProbeSender,
): ProbeRequest => ({
  method: "GET",
  url: path === 1 && otherPath !== null ? new URL(otherPath, url) : url,
  headers:
    credential === 0 || otherHeader === null
      ? headers
      : [
          ...headers.filter(([name]) => name.toLowerCase() !== otherHeader[0].toLowerCase()),
          otherHeader,
        ],
  ...(address === 1 && otherAddress !== null ? { localAddress: otherAddress } : {}),
});
