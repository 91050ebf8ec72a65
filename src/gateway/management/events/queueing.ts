// Selects the events that a webhook receives, and decides which of them one delivery merges. Every queue uses this.
import { webhookViewWithDates } from "../families/webhook.ts";
import type { JsonObject } from "../json.ts";
import { MOST_WAITING, type QueueBounds } from "./deliveries.ts";
import type { Happening } from "./happening.ts";

/** The fields of a webhook that the queue needs. */
export interface Subscription {
  readonly webhook: string;
  readonly events: ReadonlySet<string>;
  readonly sinceUs: number; // when the webhook was created; earlier events are left out
}

export function subscriptionOf(id: string, document: JsonObject): Subscription {
  const { Events, CreatedAt } = webhookViewWithDates({ id, document });
  const sinceUs = Date.parse(CreatedAt) * 1_000;
  return { webhook: id, events: new Set(Events), sinceUs: Number.isNaN(sinceUs) ? 0 : sinceUs };
}

export const selectFor = (
  { events, sinceUs }: Subscription,
  happenings: readonly Happening[],
): readonly Happening[] =>
  happenings.flatMap((happening) =>
    events.has(happening.event) ? (partSince(happening, sinceUs) ?? []) : [],
  );

/** The merged events from `sinceUs` on; null: none. Only the first event is subtracted: other times are unknown. */
function partSince(happening: Happening, sinceUs: number): Happening | null {
  const { firstUs, lastUs, count } = happening;
  if (firstUs >= sinceUs) return happening;
  return lastUs < sinceUs
    ? null
    : { ...happening, firstUs: sinceUs, count: Math.max(1, count - 1) };
}

/** Queue bounds for events that a write causes: such events are never merged. */
export const CAUSED: QueueBounds = { cooldownUs: 0, mostWaiting: MOST_WAITING };

const LONGEST_MERGING = 600;

interface Merging {
  /** Events with the same value are merged into one delivery; null: the event is never merged. */
  readonly merging: string | null;
  readonly dueUs: number;
}

export function mergingOf(
  webhook: string,
  { event, budget, firstUs }: Happening,
  cooldownUs: number,
): Merging {
  if (budget === null || cooldownUs === 0) return { merging: null, dueUs: firstUs };
  // Queues index this value, and an index entry has a maximum length. Events with the same start are merged.
  const merging = JSON.stringify([webhook, event, budget]).slice(0, LONGEST_MERGING);
  return { merging, dueUs: firstUs + cooldownUs };
}
