// A target that answers over HTTP: requests go out at their times, over as many connections as are needed.
import { setTimeout as sleep } from "node:timers/promises";
import type { ReceivedHeader } from "../limit-headers/advertised.ts";
import { readExchange } from "../limit-headers/exchange.ts";
import {
  createAgent,
  exchangeOnce,
  LONGEST_RESPONSE_MS,
  unixNow,
  type ProbeRequest,
} from "../lint/exchange.node.ts";
import { isFailure } from "../reading/failure.ts";
import type { ProbedGroup, ProbeResponse, ProbeSender, ProbeTarget } from "./target.ts";

export interface HttpProbe {
  readonly url: URL;
  readonly headers: readonly ReceivedHeader[];
  /** The header that has another value for the second credential; null: there is no second one. */
  readonly otherHeader: ReceivedHeader | null;
  readonly otherPath: string | null;
  /** The local address of the second client; null: there is none. */
  readonly otherAddress: string | null;
  readonly refusal: number; // status
}

export interface HttpTarget extends ProbeTarget {
  /** What the server did with the last request without a response, beginning with a verb; null: all got one. */
  readonly failure: () => string | null;
  readonly close: () => void;
}

const MOST_CONNECTIONS = 1_000;
/** Sleeps are as long as a timer of the machine is exact; the rest is waited for in turns of the loop. */
const TIMER_MS = 2;

export function createHttpTarget(probe: HttpProbe, stop: AbortSignal): HttpTarget {
  const agent = createAgent(probe.url, MOST_CONNECTIONS);
  const nowUs = (): number => toMicros(unixNow());
  let failure: string | null = null;
  const exchange = async (sender: ProbeSender): Promise<ProbeResponse> => {
    const beginUs = nowUs();
    const request = requestOf(probe, sender);
    const received = await exchangeOnce(request, agent, stop, "headers");
    if (isFailure(received)) {
      failure = received.message;
      return { sentUs: beginUs, receivedUs: nowUs(), outcome: "lost", status: 0, headers: [] };
    }
    const { sentS, receivedS, status, headers } = received;
    return {
      sentUs: toMicros(sentS),
      receivedUs: toMicros(receivedS),
      outcome: status === probe.refusal ? "refused" : readExchange(received, 0).outcome,
      status,
      headers,
    };
  };
  return {
    nowUs,
    patienceUs: LONGEST_RESPONSE_MS * 1_000,
    failure: () => failure,
    close: () => agent.destroy(),
    send: async (groups) => {
      const probed = groups.map((group) => ({ ...group, responses: [] as ProbeResponse[] }));
      const due = probed
        .flatMap((group) =>
          Array.from({ length: group.count }, (_, index) => ({
            group,
            atUs: group.atUs + index * group.everyUs,
          })),
        )
        .toSorted((a, b) => a.atUs - b.atUs);
      const exchanges: Promise<void>[] = [];
      for (const { group, atUs } of due) {
        await waitUntil(atUs, nowUs, stop);
        if (stop.aborted) break;
        exchanges.push(
          exchange(group.sender).then((response) => void group.responses.push(response)),
        );
      }
      await Promise.all(exchanges);
      return probed satisfies readonly ProbedGroup[];
    },
  };
}

async function waitUntil(atUs: number, nowUs: () => number, signal: AbortSignal): Promise<void> {
  for (;;) {
    const leftMs = (atUs - nowUs()) / 1_000;
    if (leftMs <= 0 || signal.aborted) return;
    await sleep(leftMs > TIMER_MS ? leftMs - TIMER_MS : 0, undefined, { signal }).catch(
      (error: unknown) => {
        if (!signal.aborted) throw error;
      },
    );
  }
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
