// The limiter's events: their names, and the one function that builds one.
import type { Micros } from "../../kit/units.ts";

interface EventTraits {
  readonly isOfLimit: boolean; // a limit of a request can cause it
  readonly isForWebhooks: boolean; // a webhook can list it (EVT-C1)
}

/** The only list of event names: types, the scenario format, checks and webhooks are derived from it. */
const EVENTS = {
  RateLimitSmoothingUp: { isOfLimit: true, isForWebhooks: true },
  RateLimitSmoothingDown: { isOfLimit: true, isForWebhooks: true },
  RatelimitExceeded: { isOfLimit: true, isForWebhooks: true },
  QuotaExceeded: { isOfLimit: true, isForWebhooks: true },
  ShadowLimitExceeded: { isOfLimit: true, isForWebhooks: false },
  PolicyMissing: { isOfLimit: false, isForWebhooks: true },
  AccessNotEnforced: { isOfLimit: false, isForWebhooks: false },
  StoreUnavailable: { isOfLimit: false, isForWebhooks: true },
  StoreRecovered: { isOfLimit: false, isForWebhooks: true },
} as const satisfies Readonly<Record<string, EventTraits>>;

type Events = typeof EVENTS;
type LimiterEventName = keyof Events;
type WebhookEventName = {
  [Name in LimiterEventName]: Events[Name]["isForWebhooks"] extends true ? Name : never;
}[LimiterEventName];

export const LIMITER_EVENTS = Object.keys(EVENTS) as readonly LimiterEventName[];

export const WEBHOOK_EVENTS = LIMITER_EVENTS.filter(
  (name): name is WebhookEventName => EVENTS[name].isForWebhooks,
);

export const isOfLimit = (name: LimiterEventName): boolean => EVENTS[name].isOfLimit;

/** Events about a key itself, whatever it requests. */
export const KEY_EVENTS = [
  "PolicyMissing",
  "AccessNotEnforced",
] as const satisfies readonly LimiterEventName[];

/** The request that an event is about. */
export interface EventSubject {
  readonly key: string | null;
  readonly api: string | null;
  readonly path: string | null;
}

export interface LimiterEvent extends EventSubject {
  readonly event: LimiterEventName;
  readonly stampUs: Micros; // the time of the event, by the clock of the deciding gateway
  readonly budget: string | null;
  readonly value: number | null;
}

const NO_SUBJECT: EventSubject = { key: null, api: null, path: null };

/** `subject` null: the event is about the store. */
export function limiterEvent(
  event: LimiterEventName,
  stampUs: Micros,
  subject: EventSubject | null,
  { budget = null, value = null }: Partial<Pick<LimiterEvent, "budget" | "value">> = {},
): LimiterEvent {
  const { key, api, path } = subject ?? NO_SUBJECT;
  return { event, stampUs, key, api, budget, value, path };
}
