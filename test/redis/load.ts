// Clients that send one request after the other, and the result of each. Counting is careful: a request counts in a span
// of time only if it was sent and answered within it, so that no bound is reported as broken that was not.
import { Agent, request, type IncomingHttpHeaders } from "node:http";
import { setTimeout as sleep } from "node:timers/promises";
import { until } from "./cluster.ts";

export interface Sent {
  readonly gateway: number;
  readonly sentMs: number;
  readonly answeredMs: number;
  readonly status: number; // 0: the connection broke
  readonly retryAfter: string | null;
}

export interface Load {
  readonly sent: readonly Sent[];
  readonly stop: () => Promise<readonly Sent[]>;
}

/** `clients` at each gateway, each with one request at a time and a pause after it. */
export function load(urls: readonly URL[], clients: number, pauseMs: number, key = "alice"): Load {
  const agent = new Agent({ keepAlive: true });
  const sent: Sent[] = [];
  const until = { isOver: false };
  const run = async (gateway: number): Promise<void> => {
    while (!until.isOver) {
      sent.push(await sendOne(agent, urls[gateway]!, gateway, key));
      await sleep(pauseMs);
    }
  };
  const running = urls.flatMap((_, gateway) => Array.from({ length: clients }, () => run(gateway)));
  return {
    sent,
    stop: async () => {
      until.isOver = true;
      await Promise.all(running);
      agent.destroy();
      return sent;
    },
  };
}

export function sendOne(agent: Agent, url: URL, gateway: number, key: string): Promise<Sent> {
  const sentMs = performance.now();
  return new Promise((resolve) => {
    const finish = (status: number, headers: IncomingHttpHeaders): void =>
      resolve({
        gateway,
        sentMs,
        answeredMs: performance.now(),
        status,
        retryAfter: headers["retry-after"] ?? null,
      });
    const outgoing = request(new URL("/orders", url), { agent, headers: { Authorization: key } });
    outgoing.on("response", (answer) => {
      answer.resume();
      answer.on("end", () => finish(answer.statusCode ?? 0, answer.headers));
      answer.on("error", () => finish(0, {}));
    });
    outgoing.on("error", () => finish(0, {}));
    outgoing.end();
  });
}

export interface Span {
  readonly fromMs: number;
  readonly toMs: number;
}

export const within = (sent: readonly Sent[], { fromMs, toMs }: Span): readonly Sent[] =>
  sent.filter(({ sentMs, answeredMs }) => sentMs >= fromMs && answeredMs <= toMs);

export const admissionsIn = (sent: readonly Sent[]): readonly Sent[] =>
  sent.filter(({ status }) => status === 200);

/** The most that certainly fell into one window of this length. */
export function mostInWindow(sent: readonly Sent[], perMs: number): number {
  const inOrder = sent.toSorted((a, b) => a.sentMs - b.sentMs);
  let most = 0;
  for (let first = 0; first < inOrder.length; first++) {
    const toMs = inOrder[first]!.sentMs + perMs;
    let count = 0;
    for (let i = first; i < inOrder.length && inOrder[i]!.sentMs <= toMs; i++)
      if (inOrder[i]!.answeredMs <= toMs) count++;
    most = Math.max(most, count);
  }
  return most;
}

/** Until each load has `count` answers to requests sent from then on, however long the machine takes. */
export const answersSince = (
  loads: readonly Pick<Load, "sent">[],
  fromMs: number,
  count: number,
): Promise<void> =>
  until(() =>
    loads.every(({ sent }) => sent.filter(({ sentMs }) => sentMs >= fromMs).length >= count),
  );

/** `count` within one window, or half of the requests of one: a busy machine sends fewer. */
export const orHalfOf = (sent: readonly Sent[], perMs: number, count: number): number =>
  Math.min(count, mostInWindow(sent, perMs) / 2);

export const tookMs = ({ sentMs, answeredMs }: Sent): number => answeredMs - sentMs;

export function quantile(values: readonly number[], part: number): number {
  const inOrder = values.toSorted((a, b) => a - b);
  return inOrder[Math.min(inOrder.length - 1, Math.floor(part * inOrder.length))] ?? Number.NaN;
}
