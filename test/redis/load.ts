// Clients that ask without a pause, and what each request came to. Counting is careful: a request is said to
// lie in a span of time only where it was sent and heard within it, so no bound is ever called broken that
// was not.
import { Agent, request, type IncomingHttpHeaders } from "node:http";
import { setTimeout as sleep } from "node:timers/promises";
import { until } from "./cluster.ts";

export interface Sent {
  readonly gateway: number;
  readonly sentMs: number;
  readonly heardMs: number;
  readonly status: number; // 0: the connection broke
  readonly retryAfter: string | null;
}

export interface Load {
  readonly sent: readonly Sent[];
  readonly stop: () => Promise<readonly Sent[]>;
}

/** `clients` at each gateway, each with one request at a time and a pause behind it. */
export function load(urls: readonly URL[], clients: number, pauseMs: number, key = "alice"): Load {
  const agent = new Agent({ keepAlive: true });
  const sent: Sent[] = [];
  const until = { isOver: false };
  const run = async (gateway: number): Promise<void> => {
    while (!until.isOver) {
      sent.push(await ask(agent, urls[gateway]!, gateway, key));
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

export function ask(agent: Agent, url: URL, gateway: number, key: string): Promise<Sent> {
  const sentMs = performance.now();
  return new Promise((resolve) => {
    const heard = (status: number, headers: IncomingHttpHeaders): void =>
      resolve({
        gateway,
        sentMs,
        heardMs: performance.now(),
        status,
        retryAfter: headers["retry-after"] ?? null,
      });
    const asking = request(new URL("/orders", url), { agent, headers: { Authorization: key } });
    asking.on("response", (answer) => {
      answer.resume();
      answer.on("end", () => heard(answer.statusCode ?? 0, answer.headers));
      answer.on("error", () => heard(0, {}));
    });
    asking.on("error", () => heard(0, {}));
    asking.end();
  });
}

export interface Span {
  readonly fromMs: number;
  readonly toMs: number;
}

export const within = (sent: readonly Sent[], { fromMs, toMs }: Span): readonly Sent[] =>
  sent.filter(({ sentMs, heardMs }) => sentMs >= fromMs && heardMs <= toMs);

export const admitted = (sent: readonly Sent[]): readonly Sent[] =>
  sent.filter(({ status }) => status === 200);

/** The most that certainly fell into one window of this length. */
export function mostInWindow(sent: readonly Sent[], perMs: number): number {
  const inOrder = sent.toSorted((a, b) => a.sentMs - b.sentMs);
  let most = 0;
  for (let first = 0; first < inOrder.length; first++) {
    const toMs = inOrder[first]!.sentMs + perMs;
    let count = 0;
    for (let i = first; i < inOrder.length && inOrder[i]!.sentMs <= toMs; i++)
      if (inOrder[i]!.heardMs <= toMs) count++;
    most = Math.max(most, count);
  }
  return most;
}

/** Until each of them has heard `count` answers to what it sent from then on: how long that takes is the machine's affair. */
export const heardSince = (
  loads: readonly Pick<Load, "sent">[],
  fromMs: number,
  count: number,
): Promise<void> =>
  until(() =>
    loads.every(({ sent }) => sent.filter(({ sentMs }) => sentMs >= fromMs).length >= count),
  );

/** `count` within one window, or half of what was asked in one: a busy machine asks for less. */
export const orHalfOf = (asked: readonly Sent[], perMs: number, count: number): number =>
  Math.min(count, mostInWindow(asked, perMs) / 2);

export const tookMs = ({ sentMs, heardMs }: Sent): number => heardMs - sentMs;

export function quantile(values: readonly number[], part: number): number {
  const inOrder = values.toSorted((a, b) => a - b);
  return inOrder[Math.min(inOrder.length - 1, Math.floor(part * inOrder.length))] ?? Number.NaN;
}
