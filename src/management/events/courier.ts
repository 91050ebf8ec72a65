// Brings what happens to webhooks. It has neither a clock nor a socket: whoever runs it says when, sends the letters,
// and tells what became of them, in real time or in virtual.
import type { LimiterEvent } from "../../core/events.ts";
import { shownWebhook } from "../families/webhook.ts";
import type { JsonObject } from "../json.ts";
import type { Secrets } from "../management.ts";
import type { Records } from "../records/records.ts";
import { unsealFields } from "../sealed.ts";
import { maskedBudget, maskedPath, startOfPath } from "../../gateway/without-credentials.ts";
import type { Bounds, Delivery, Kept, Settled } from "./deliveries.ts";
import { merged, ofLimiter, type Happening } from "./happening.ts";
import { letterOf, type Letter, type Sign } from "./letter.ts";
import { retryAfterUs } from "./retries.ts";

/** What became of a letter. */
export interface Receipt {
  readonly status: number | null; // null: nothing was answered
  readonly error: string | null; // why not
}

export interface CourierPorts {
  readonly records: Pick<Records, "bounds" | "read" | "deliveries">;
  readonly nowUs: () => number;
  readonly random: () => number; // in [0, 1)
  readonly bounds: () => Bounds; // asked again each time, because a reload may change them
  readonly sign: Sign;
  readonly secrets: Secrets;
  /** What is one is not passed on, wherever it stands. */
  readonly isCredential: (text: string) => boolean;
}

export interface Turn {
  readonly letters: readonly Letter[]; // to be sent now
  readonly againUs: number | null; // when something more is due; null: not before something happens
  readonly fault: unknown; // what went wrong after the letters were taken, undefined where nothing did
}

/** Since the start of this process. */
export interface CourierCounts {
  accepted: number;
  delivered: number;
  failed: number; // attempts
  dead: number;
  lost: number; // did not fit, or had to go
}

export interface Courier {
  /** On a request's way: it costs a look-up, and neither waits nor fails. */
  readonly accept: (event: LimiterEvent) => void;
  readonly hasAccepted: () => boolean;
  /** Makes what was accepted durable. Where it fails, all of it is still accepted. */
  readonly write: () => Promise<void>;
  /** Writes, and takes what is due. Never two at a time. */
  readonly turn: () => Promise<Turn>;
  readonly ended: (letter: Letter, receipt: Receipt) => Promise<void>;
  readonly counts: Readonly<CourierCounts>;
}

/** Before they are written: a database that is away for long must not fill the memory. */
const MOST_ACCEPTED = 10_000;

/** To one webhook: a slow receiver keeps so many of its own, and nobody else's. */
const MOST_AT_ONCE = 4;

/** Longer than the longest Timeout: who has taken a delivery and says nothing is gone. */
export const LEASE_US = 60_000_000;

const MINUTE_US = 60_000_000;
const DAY_US = 24 * 60 * MINUTE_US;
const DELIVERED_KEPT_US = DAY_US;
const DEAD_KEPT_US = 30 * DAY_US;
const MOST_DELIVERED = 10_000;
const MOST_DEAD = 100_000;

const keptAt = (atUs: number, mostBytes: number): Kept => ({
  mostBytes,
  deliveredSinceUs: atUs - DELIVERED_KEPT_US,
  deadSinceUs: atUs - DEAD_KEPT_US,
  mostDelivered: MOST_DELIVERED,
  mostDead: MOST_DEAD,
});

export function courier(ports: CourierPorts): Courier {
  const { records, nowUs, random, bounds, sign, secrets, isCredential } = ports;
  const { deliveries } = records;
  const counts: CourierCounts = { accepted: 0, delivered: 0, failed: 0, dead: 0, lost: 0 };
  const underWay = new Map<string, number>(); // by webhook
  let waiting = new Map<string, Happening>();
  let separate = 0; // what is never merged has a name of its own
  let prunedUs = 0;

  const keep = (name: string, happening: Happening): void => {
    const other = waiting.get(name);
    if (other !== undefined) waiting.set(name, merged(other, happening));
    else if (waiting.size < MOST_ACCEPTED) waiting.set(name, happening);
    else counts.lost++;
  };

  const shown = (happening: Happening): Happening =>
    withoutCredentials(happening, isCredential, secrets.hashOf);

  const write = async (): Promise<void> => {
    const taken = waiting;
    if (taken.size === 0) return;
    waiting = new Map();
    try {
      const happenings = [...taken.values()].map(shown);
      counts.lost += await deliveries.queue(happenings, bounds());
    } catch (error) {
      const since = waiting;
      waiting = taken;
      for (const [name, happening] of since) keep(name, happening);
      throw error;
    }
  };

  const settle = async (delivery: Delivery, receipt: Receipt, isFinal: boolean): Promise<void> => {
    const atUs = nowUs();
    const settled = settledBy(delivery, receipt, isFinal, atUs, random);
    if (settled.state === "delivered") counts.delivered++;
    else counts.failed++;
    if (settled.state === "dead") counts.dead++;
    await deliveries.settle(delivery, settled);
  };

  const letterFor = async (delivery: Delivery): Promise<Letter | null> => {
    const stored = await records.read("webhooks", delivery.webhook);
    if (stored?.isDamaged === true) {
      await settle(delivery, { status: null, error: "the webhook's record is damaged" }, false);
      return null;
    }
    if (stored === null || !shownWebhook(stored).Events.includes(delivery.event)) {
      const error = stored === null ? "the webhook is gone" : "the webhook lists this no longer";
      await settle(delivery, { status: null, error }, true);
      return null;
    }
    try {
      const document = unsealFields(secrets, "webhooks", stored.id, stored.document);
      const webhook = shownWebhook({ id: stored.id, document });
      return letterOf(delivery, webhook, secretIn(document), nowUs(), sign);
    } catch (error) {
      // One record that does not open keeps no other webhook waiting.
      await settle(delivery, { status: null, error: String(error) }, false);
      return null;
    }
  };

  const take = async (atUs: number, letters: Letter[]): Promise<void> => {
    for (const webhook of await deliveries.due(atUs)) {
      const room = MOST_AT_ONCE - (underWay.get(webhook) ?? 0);
      if (room === 0) continue;
      for (const delivery of await deliveries.claim(webhook, room, atUs, LEASE_US)) {
        const letter = await letterFor(delivery);
        if (letter !== null) letters.push(letter);
      }
    }
  };

  const prune = async (atUs: number): Promise<void> => {
    if (atUs < prunedUs + MINUTE_US) return;
    counts.lost += await deliveries.prune(keptAt(atUs, records.bounds().deliveriesBytes));
    prunedUs = atUs;
  };

  return {
    counts,
    accept: (event) => {
      const happening = ofLimiter(event);
      if (happening === null) return;
      counts.accepted++;
      const { budget } = happening;
      keep(budget === null ? `${separate++}` : `${happening.event} ${budget}`, happening);
    },
    hasAccepted: () => waiting.size > 0,
    write,
    turn: async () => {
      await write();
      const atUs = nowUs();
      const letters: Letter[] = [];
      let againUs: number | null = null;
      let fault: unknown;
      try {
        await take(atUs, letters);
        await prune(atUs);
        againUs = await deliveries.nextDueUs(atUs);
      } catch (error) {
        fault = error; // what is taken is sent all the same: nobody else does before its lease is over
      }
      for (const { delivery } of letters) count(underWay, delivery.webhook, 1);
      return { letters, againUs, fault };
    },
    ended: async ({ delivery }, receipt) => {
      count(underWay, delivery.webhook, -1);
      await settle(delivery, receipt, false);
    },
  };
}

const secretIn = ({ Secret }: JsonObject): string | null =>
  typeof Secret === "string" ? Secret : null;

function settledBy(
  { attempts }: Delivery,
  { status, error }: Receipt,
  isFinal: boolean,
  atUs: number,
  random: () => number,
): Settled {
  const common = { atUs, status, error };
  if (status !== null && status >= 200 && status < 300)
    return { ...common, state: "delivered", dueUs: atUs };
  const waitUs = isFinal ? null : retryAfterUs(attempts, random);
  return waitUs === null
    ? { ...common, state: "dead", dueUs: atUs }
    : { ...common, state: "waiting", dueUs: atUs + waitUs };
}

function count(of: Map<string, number>, name: string, more: number): void {
  const now = (of.get(name) ?? 0) + more;
  if (now === 0) of.delete(name);
  else of.set(name, now);
}

const LONGEST_PATH = 2_048;

/** Whoever is told of an event had a key that is known. */
function withoutCredentials(
  happening: Happening,
  isCredential: (text: string) => boolean,
  hashOf: (text: string) => string,
): Happening {
  const { path, meta, budget: mergedBy } = happening;
  const masking = { own: null, isCredential, isStrange: false };
  const { budget } = meta;
  const shownBy = mergedBy === null ? null : maskedBudget(mergedBy, masking);
  return {
    ...happening,
    path: path === null ? null : maskedPath(startOfPath(path, LONGEST_PATH), masking),
    meta: typeof budget === "string" ? { ...meta, budget: maskedBudget(budget, masking) } : meta,
    // What gathers is stored under it, and two budgets stay two.
    budget: shownBy === mergedBy ? mergedBy : `${shownBy} ${hashOf(mergedBy!)}`,
  };
}
