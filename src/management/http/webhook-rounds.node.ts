// Runs a courier in real time: soon after something was accepted, when something is due, and once a second in any case,
// because others write into the same queue.
import { performance } from "node:perf_hooks";
import type { LimiterEvent } from "../../core/events.ts";
import type { Courier } from "../events/courier.ts";
import type { Letter } from "../events/letter.ts";
import { Rejection } from "../rejection.ts";
import { traceOf } from "./refused.ts";
import type { WebhookSender } from "./webhook-sender.node.ts";

export interface WebhookRounds {
  readonly event: (event: LimiterEvent) => void;
  /** What was accepted is written, what is under way may end for so long, and nothing more is sent. */
  readonly stop: (withinMs: number) => Promise<void>;
}

export interface RoundsOptions {
  readonly courier: Courier;
  readonly sender: WebhookSender;
  readonly nowUs: () => number;
  readonly log: (line: string) => void;
}

const SOON_MS = 25;
const LATEST_MS = 1_000;

/** Writing takes a quarter of the time at most, however much there is to write. */
const REST = 3;

const TELL_AGAIN_MS = 60_000;

export function webhookRounds({ courier, sender, nowUs, log }: RoundsOptions): WebhookRounds {
  const underWay = new Set<Promise<void>>();
  let timer: NodeJS.Timeout | null = null;
  let dueMs = Number.POSITIVE_INFINITY; // of the timer
  let askedMs = Number.POSITIVE_INFINITY; // since the last round began
  let notBeforeMs = 0;
  let round: Promise<void> | null = null;
  let isOver = false;
  const faults = toldOnce(log);
  const losses = toldNowAndThen(log);

  const wake = (inMs: number): void => {
    askedMs = Math.min(askedMs, inMs);
    if (isOver || round !== null) return; // a round looks at its end
    const at = Math.max(performance.now() + askedMs, notBeforeMs);
    if (at >= dueMs) return;
    if (timer !== null) clearTimeout(timer);
    dueMs = at;
    timer = setTimeout(begin, Math.max(0, at - performance.now())).unref();
  };

  const begin = (): void => {
    timer = null;
    dueMs = Number.POSITIVE_INFINITY;
    askedMs = Number.POSITIVE_INFINITY;
    round = turn();
  };

  const turn = async (): Promise<void> => {
    const nextMs = await go();
    round = null;
    wake(nextMs);
  };

  const go = async (): Promise<number> => {
    const beganMs = performance.now();
    const isWriting = courier.hasAccepted();
    let nextMs = LATEST_MS;
    try {
      const { letters, againUs, fault } = await courier.turn();
      for (const letter of letters) send(letter);
      if (fault !== undefined) throw fault;
      faults.over();
      if (againUs !== null) nextMs = Math.min(nextMs, Math.max(0, (againUs - nowUs()) / 1_000));
      if (courier.hasAccepted()) nextMs = Math.min(nextMs, SOON_MS);
    } catch (error) {
      faults.tell(`weir: events for webhooks wait: ${messageOf(error)}`);
    }
    losses.tell(courier.counts.lost);
    const endedMs = performance.now();
    notBeforeMs = isWriting ? endedMs + REST * (endedMs - beganMs) : endedMs;
    return nextMs;
  };

  const send = (letter: Letter): void => {
    const sent = sender
      .send(letter)
      .then((receipt) => courier.ended(letter, receipt))
      .catch((error: unknown) => faults.tell(`weir: events for webhooks wait: ${messageOf(error)}`))
      .finally(() => {
        underWay.delete(sent);
        wake(0);
      });
    underWay.add(sent);
  };

  wake(0);
  return {
    event: (event) => {
      courier.accept(event);
      if (askedMs > SOON_MS && courier.hasAccepted()) wake(SOON_MS);
    },
    stop: async (withinMs) => {
      isOver = true;
      if (timer !== null) clearTimeout(timer);
      await round;
      try {
        await courier.write();
      } catch (error) {
        faults.tell(`weir: events for webhooks are lost: ${messageOf(error)}`);
      }
      const all = Promise.all(underWay);
      let late: NodeJS.Timeout | undefined;
      await Promise.race([all, new Promise((end) => (late = setTimeout(end, withinMs)))]);
      clearTimeout(late);
      await sender.close();
      await all;
    },
  };
}

/** A refusal says all there is to it. */
const messageOf = (error: unknown): string =>
  error instanceof Rejection ? error.message : traceOf(error);

function toldOnce(log: (line: string) => void) {
  let isTold = false;
  return {
    tell: (line: string): void => {
      if (!isTold) log(line);
      isTold = true;
    },
    over: (): void => {
      isTold = false;
    },
  };
}

function toldNowAndThen(log: (line: string) => void) {
  let toldMs = Number.NEGATIVE_INFINITY;
  let told = 0;
  return {
    tell: (lost: number): void => {
      const nowMs = performance.now();
      if (lost === told || nowMs < toldMs + TELL_AGAIN_MS) return;
      log(`weir: ${lost - told} events for webhooks are lost: their queue is full`);
      told = lost;
      toldMs = nowMs;
    },
  };
}
