// Delivers a run's events to webhook receivers in virtual time. Deliveries do not affect gateways, so they are
// simulated afterwards, in parts: up to each call that may change a webhook, and then to the end.
import type { LimiterEvent } from "../../limiter/core/events.ts";
import { micros, type Micros } from "../../kit/units.ts";
import {
  courier,
  type CourierPorts,
  type Receipt,
} from "../../gateway/management/events/courier.ts";
import type { Delivery } from "../../gateway/management/events/deliveries.ts";
import type { Letter } from "../../gateway/management/events/letter.ts";
import type { HistoryDelivery } from "../scenario/history.ts";
import type { Json } from "../../kit/reading/shape.ts";

/** What a receiver does with an attempt. `afterUs` is from the start of the attempt; Infinity: no response. */
export interface Received {
  readonly status: number | null; // null: the receiver sends no response
  readonly afterUs: number;
  readonly error?: string; // why there was no response
}

export interface DeliveryAttempt extends Receipt {
  readonly letter: Letter;
  readonly sentUs: number;
  readonly endedUs: number;
}

export interface EventThen {
  readonly atUs: Micros; // true time, not the gateway's clock
  readonly event: LimiterEvent;
}

export interface VirtualWebhooks {
  /** Sorted by `endedUs`. */
  readonly attempts: readonly DeliveryAttempt[];
  /** Continues to `untilUs`. `events` are the events since the previous call. */
  readonly until: (untilUs: Micros, events: readonly EventThen[]) => Promise<void>;
}

export interface WebhookParts extends Omit<CourierPorts, "nowUs"> {
  readonly fromUs: Micros;
  readonly receive: (letter: Letter) => Received;
}

/** How long a served gateway waits for further events before it stores the accepted events. */
const SOON_US = 25_000;

export function virtualWebhooks({ fromUs, receive, ...ports }: WebhookParts): VirtualWebhooks {
  let nowUs: number = fromUs;
  let againUs = Number.POSITIVE_INFINITY;
  const by = courier({ ...ports, nowUs: () => nowUs });
  const attempts: DeliveryAttempt[] = [];
  const underWay: DeliveryAttempt[] = []; // the attempt that ends first is first

  const turn = async (): Promise<void> => {
    const { letters, againUs: nextUs, failure } = await by.turn();
    if (failure !== undefined) throw failure;
    againUs = nextUs ?? Number.POSITIVE_INFINITY;
    for (const letter of letters) {
      const attempt = attemptAt(letter, nowUs, receive(letter));
      const place = underWay.findIndex(({ endedUs }) => endedUs > attempt.endedUs);
      underWay.splice(place < 0 ? underWay.length : place, 0, attempt);
    }
  };

  const playTo = async (untilUs: number): Promise<void> => {
    for (;;) {
      const nextUs = Math.min(underWay[0]?.endedUs ?? Number.POSITIVE_INFINITY, againUs);
      if (nextUs > untilUs) break;
      nowUs = Math.max(nowUs, nextUs);
      while (underWay.length > 0 && underWay[0]!.endedUs <= nowUs) {
        const ended = underWay.shift()!;
        attempts.push(ended);
        await by.recordReceipt(ended.letter, ended);
      }
      await turn();
    }
    nowUs = Math.max(nowUs, untilUs);
  };

  return {
    attempts,
    until: async (untilUs, events) => {
      await turn(); // a call may have created deliveries
      for (const { atUs, event } of events) {
        await playTo(atUs);
        by.accept(event);
        if (by.hasAccepted()) againUs = Math.min(againUs, nowUs + SOON_US);
      }
      await playTo(untilUs);
    },
  };
}

function attemptAt(
  letter: Letter,
  sentUs: number,
  { status, afterUs, error }: Received,
): DeliveryAttempt {
  if (afterUs >= letter.timeoutUs)
    return {
      letter,
      sentUs,
      endedUs: sentUs + letter.timeoutUs,
      status: null,
      error: "did not answer in time",
    };
  const endedUs = sentUs + afterUs;
  if (status === null) return { letter, sentUs, endedUs, status, error: error ?? "broke off" };
  const isTaken = status >= 200 && status < 300;
  return { letter, sentUs, endedUs, status, error: isTaken ? null : `answered ${status}` };
}

/** The attempt in the form of the history. `ends` has the delivery records at the end of the run. */
export function deliveryMade(
  { letter, sentUs, endedUs, status, error }: DeliveryAttempt,
  epochUs: number,
  ends: readonly Delivery[],
): HistoryDelivery {
  const { delivery, method, url, headers, body } = letter;
  return {
    delivery: delivery.id,
    webhook: delivery.webhook,
    event: delivery.event,
    attempt: delivery.attempts,
    sentUs: micros(sentUs - epochUs),
    endedUs: micros(endedUs - epochUs),
    method,
    url,
    headers: Object.fromEntries(headers.map(([name, value]) => [name.toLowerCase(), value])),
    body: JSON.parse(body) as Json,
    status,
    error,
    state: ends.find(({ id }) => id === delivery.id)?.state ?? null,
  };
}
