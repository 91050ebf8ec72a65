// Which deliveries events become, for every queue.
import { webhookViewWithDates } from "../families/webhook.ts";
import type { JsonObject } from "../json.ts";
import { MOST_WAITING, type QueueBounds } from "./deliveries.ts";
import type { Happening } from "./happening.ts";

/** The fields of a webhook that the queue needs. */
export interface Subscription {
  readonly webhook: string;
  readonly events: ReadonlySet<string>;
  readonly sinceUs: number; // when the webhook was created
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

/** Null: all of it happened before. Of merged events at least the first one is left out. */
function partSince(happening: Happening, sinceUs: number): Happening | null {
  const { firstUs, lastUs, count } = happening;
  if (firstUs >= sinceUs) return happening;
  return lastUs < sinceUs
    ? null
    : { ...happening, firstUs: sinceUs, count: Math.max(1, count - 1) };
}

/** For events that a write has caused. */
export const CAUSED: QueueBounds = { cooldownUs: 0, mostWaiting: MOST_WAITING };

const LONGEST_MERGING = 600;

interface Merging {
  /** Deliveries with the same text are merged; null: this one never is. */
  readonly merging: string | null;
  readonly dueUs: number;
}

export function mergingOf(
  webhook: string,
  { event, budget, firstUs }: Happening,
  cooldownUs: number,
): Merging {
  if (budget === null || cooldownUs === 0) return { merging: null, dueUs: firstUs };
  // An index limits the length of its texts. Values that agree up to that length are merged.
  const merging = JSON.stringify([webhook, event, budget]).slice(0, LONGEST_MERGING);
  return { merging, dueUs: firstUs + cooldownUs };
}
