// Runs a courier in real time: soon after an event is accepted, when a delivery is due, and at least once a second,
// because other gateways add to the same queue.
import { many } from "../../../kit/reading/legible.ts";
import { performance } from "node:perf_hooks";
import type { LimiterEvent } from "../../../limiter/core/events.ts";
import type { Courier } from "../events/courier.ts";
import type { Letter } from "../events/letter.ts";
import { Rejection } from "../rejection.ts";
import { traceOf } from "./rejections.ts";
import type { WebhookSender } from "./webhook-sender.node.ts";

interface WebhookRounds {
  readonly event: (event: LimiterEvent) => void;
  /** Stores accepted events and sends no more letters. Running deliveries may take up to `withinMs`. */
  readonly stop: (withinMs: number) => Promise<void>;
}

interface RoundsOptions {
  readonly courier: Courier;
  readonly sender: WebhookSender;
  readonly nowUs: () => number;
  readonly log: (line: string) => void;
}

const SOON_MS = 25;
const LATEST_MS = 1_000;

/** A pause is this many times as long as the writing before it: writing takes at most a quarter of the time. */
const REST = 3;

const REPORT_AGAIN_MS = 60_000;

export function webhookRounds({ courier, sender, nowUs, log }: RoundsOptions): WebhookRounds {
  const underWay = new Set<Promise<void>>();
  let timer: NodeJS.Timeout | null = null;
  let dueMs = Number.POSITIVE_INFINITY; // when the timer ends
  let requestedMs = Number.POSITIVE_INFINITY; // the earliest time requested since the last round began
  let notBeforeMs = 0;
  let round: Promise<void> | null = null;
  let isOver = false;
  const failures = reportOnce(log);
  const losses = reportAtIntervals(log);

  const wake = (inMs: number): void => {
    requestedMs = Math.min(requestedMs, inMs);
    if (isOver || round !== null) return; // the end of a round calls this again
    const at = Math.max(performance.now() + requestedMs, notBeforeMs);
    if (at >= dueMs) return;
    if (timer !== null) clearTimeout(timer);
    dueMs = at;
    timer = setTimeout(begin, Math.max(0, at - performance.now())).unref();
  };

  const begin = (): void => {
    timer = null;
    dueMs = Number.POSITIVE_INFINITY;
    requestedMs = Number.POSITIVE_INFINITY;
    round = turn();
  };

  const turn = async (): Promise<void> => {
    const nextMs = await runRound();
    round = null;
    wake(nextMs);
  };

  const runRound = async (): Promise<number> => {
    const beganMs = performance.now();
    const isWriting = courier.hasAccepted();
    let nextMs = LATEST_MS;
    try {
      const { letters, againUs, failure } = await courier.turn();
      for (const letter of letters) send(letter);
      if (failure !== undefined) throw failure;
      failures.reset();
      if (againUs !== null) nextMs = Math.min(nextMs, Math.max(0, (againUs - nowUs()) / 1_000));
      if (courier.hasAccepted()) nextMs = Math.min(nextMs, SOON_MS);
    } catch (error) {
      failures.report(`weir: events for webhooks wait: ${messageOf(error)}`);
    }
    losses.report(courier.counts.lost);
    const endedMs = performance.now();
    notBeforeMs = isWriting ? endedMs + REST * (endedMs - beganMs) : endedMs;
    return nextMs;
  };

  const send = (letter: Letter): void => {
    const sent = sender
      .send(letter)
      .then((receipt) => courier.recordReceipt(letter, receipt))
      .catch((error: unknown) =>
        failures.report(`weir: events for webhooks wait: ${messageOf(error)}`),
      )
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
      if (requestedMs > SOON_MS && courier.hasAccepted()) wake(SOON_MS);
    },
    stop: async (withinMs) => {
      isOver = true;
      if (timer !== null) clearTimeout(timer);
      await round;
      try {
        await courier.write();
      } catch (error) {
        failures.report(`weir: events for webhooks are lost: ${messageOf(error)}`);
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

/** The message of a rejection; any other error is a bug, so its trace is logged. */
const messageOf = (error: unknown): string =>
  error instanceof Rejection ? error.message : traceOf(error);

function reportOnce(log: (line: string) => void) {
  let isReported = false;
  return {
    report: (line: string): void => {
      if (!isReported) log(line);
      isReported = true;
    },
    reset: (): void => {
      isReported = false;
    },
  };
}

function reportAtIntervals(log: (line: string) => void) {
  let reportedMs = Number.NEGATIVE_INFINITY;
  let reported = 0;
  return {
    report: (lost: number): void => {
      const nowMs = performance.now();
      if (lost === reported || nowMs < reportedMs + REPORT_AGAIN_MS) return;
      log(`weir: the queue of webhooks is full, and has lost ${many(lost - reported, "event")}`);
      reported = lost;
      reportedMs = nowMs;
    },
  };
}
