// A target that answers over HTTP: requests go out at their times, over as many connections as are needed.
import { Agent as HttpAgent, request as sendHttp } from "node:http";
import { Agent as HttpsAgent, request as sendHttps } from "node:https";
import { setTimeout as sleep } from "node:timers/promises";
import type { ReceivedHeader } from "../limit-headers/advertised.ts";
import { readExchange } from "../limit-headers/exchange.ts";
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
  /** Why the last request without a response got none; null: all got one. */
  readonly failure: () => string | null;
  readonly close: () => void;
}

const PATIENCE_US = 10_000_000;
const MOST_CONNECTIONS = 1_000;
/** Sleeps are as long as a timer of the machine is exact; the rest is waited for in turns of the loop. */
const TIMER_MS = 2;

export function createHttpTarget(probe: HttpProbe, stop: AbortSignal): HttpTarget {
  const { url } = probe;
  const isTls = url.protocol === "https:";
  const options = { keepAlive: true, maxSockets: MOST_CONNECTIONS, scheduling: "fifo" } as const;
  const agent = isTls ? new HttpsAgent(options) : new HttpAgent(options);
  const nowUs = (): number => Math.round((performance.timeOrigin + performance.now()) * 1_000);
  let failure: string | null = null;
  const exchange = (sender: ProbeSender): Promise<ProbeResponse> =>
    new Promise((resolve) => {
      let sentUs = nowUs();
      const lose = (why: string): void => {
        failure = why;
        resolve({ sentUs, receivedUs: nowUs(), outcome: "lost", status: 0, headers: [] });
      };
      const request = (isTls ? sendHttps : sendHttp)(urlOf(probe, sender), {
        agent,
        signal: AbortSignal.any([stop, AbortSignal.timeout(PATIENCE_US / 1_000)]),
        ...(sender.address === 1 && probe.otherAddress !== null
          ? { localAddress: probe.otherAddress }
          : {}),
      });
      for (const [name, value] of headersOf(probe, sender)) request.setHeader(name, value);
      request.on("error", (error: NodeJS.ErrnoException) =>
        lose(error.name === "AbortError" ? "no response in time" : (error.code ?? error.message)),
      );
      request.on("socket", (socket) => {
        sentUs = nowUs();
        if (socket.connecting)
          socket.once(isTls ? "secureConnect" : "connect", () => {
            sentUs = nowUs();
          });
      });
      request.on("response", (response) => {
        const receivedUs = nowUs();
        const { statusCode: status = 0, rawHeaders } = response;
        const headers = pairsOf(rawHeaders);
        response.on("error", () => undefined);
        response.resume();
        resolve({
          sentUs,
          receivedUs,
          outcome: outcomeOf(status, headers, probe),
          status,
          headers,
        });
      });
      request.end();
    });
  return {
    nowUs,
    patienceUs: PATIENCE_US,
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

const urlOf = ({ url, otherPath }: HttpProbe, { path }: ProbeSender): URL =>
  path === 1 && otherPath !== null ? new URL(otherPath, url) : url;

const headersOf = (
  { headers, otherHeader }: HttpProbe,
  { credential }: ProbeSender,
): readonly ReceivedHeader[] =>
  credential === 0 || otherHeader === null
    ? headers
    : [
        ...headers.filter(([name]) => name.toLowerCase() !== otherHeader[0].toLowerCase()),
        otherHeader,
      ];

function outcomeOf(
  status: number,
  headers: readonly ReceivedHeader[],
  { refusal }: HttpProbe,
): ProbeResponse["outcome"] {
  if (status === refusal) return "refused";
  return readExchange({ sentS: 0, receivedS: 0, status, headers }, 0).outcome;
}

const pairsOf = (raw: readonly string[]): readonly ReceivedHeader[] =>
  Array.from({ length: raw.length / 2 }, (_, index) => [raw[2 * index]!, raw[2 * index + 1]!]);
