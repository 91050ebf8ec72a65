// Turns the events of a served gateway into deliveries to the receivers of webhooks.
import { courier, type CourierCounts } from "../management/events/courier.ts";
import { MOST_WAITING } from "../management/events/deliveries.ts";
import type { Secrets } from "../management/management.ts";
import type { Records } from "../management/records/records.ts";
import { parseAllowedReceivers } from "../management/http/allowed-receivers.node.ts";
import type { AllowedReceivers } from "../management/http/receiver-addresses.ts";
import type { Observer } from "../http/observer.ts";
import { wallClock } from "../http/wall-clock.node.ts";
import { webhookRounds } from "../management/http/webhook-rounds.node.ts";
import { sign, webhookSender } from "../management/http/webhook-sender.node.ts";
import { requireValue } from "../../kit/reading/failure.ts";
import type { Settings } from "../settings/table.ts";

export interface Webhooks {
  readonly observer: Observer;
  readonly counts: Readonly<CourierCounts>;
  /** Stores accepted events, and waits up to `withinMs` for running deliveries to end. */
  readonly stop: (withinMs: number) => Promise<void>;
}

interface WebhookOptions {
  readonly records: Records;
  readonly secrets: Secrets;
  readonly settings: () => Settings; // read each time, because a reload may change them
  readonly isCredential: (text: string) => boolean;
  readonly log: (line: string) => void;
}

export function startWebhooks(options: WebhookOptions): Webhooks {
  const { records, secrets, settings, isCredential, log } = options;
  const sent = courier({
    records,
    nowUs: wallClock,
    random: Math.random,
    bounds: () => ({ cooldownUs: settings().event_cooldown, mostWaiting: MOST_WAITING }),
    sign,
    secrets,
    isCredential,
  });
  const sender = webhookSender({ readAllowedReceivers: () => receiversOf(settings()) });
  const rounds = webhookRounds({ courier: sent, sender, nowUs: wallClock, log });
  return {
    observer: { onEvent: rounds.event, onExchange: null },
    counts: sent.counts,
    stop: rounds.stop,
  };
}

const receiversOf = ({ webhook_allow: list }: Settings): AllowedReceivers =>
  requireValue(parseAllowedReceivers(list));
