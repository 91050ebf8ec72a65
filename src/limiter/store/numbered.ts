// A level whose clients have numbers, for a replay of many requests: the number of a client is its row. So requests
// need no look-up, and no row is dropped until the replay ends.
import type { Level, Reply } from "../core/store.ts";
import { emptyReply } from "../core/store.ts";
import type { Micros } from "../../kit/units.ts";
import { bind } from "./bound.ts";
import type { BoundLevel } from "./counting.ts";
import { enlargeTo, newRing, newTable } from "./table.ts";

export interface NumberedLevel {
  readonly bound: BoundLevel;
  readonly reply: Reply;
}

/**
 * Builds the level; null if a row alone cannot count it: a sentinel writes after the decision (ALG-C5), and an
 * imitation may drop clients.
 */
export function levelByNumber(level: Level): NumberedLevel | null {
  if (level.traits.isWrittenInBackground || level.imitation !== null) return null;
  const table = newTable(level.traits.state, level.budget.limit.perUs, newRing());
  return { bound: bind(level, table), reply: emptyReply() };
}

/** Enlarges the table so that it has a row for each of this many clients. */
export const makeRoom = ({ bound }: NumberedLevel, clients: number): void =>
  enlargeTo(bound.table, clients);

/** Decides and writes one request as `take` does. Returns its wait; 0: it is admitted. */
export function takeByNumber(
  { bound, reply }: NumberedLevel,
  client: number,
  atUs: Micros,
  units: number = 1,
): number {
  const { counting } = bound;
  bound.row = client;
  const waitUs = counting.evaluate(bound, atUs, true, units);
  if (waitUs === 0) {
    if (counting.delay !== undefined) reply.delayUs = counting.delay(bound, atUs);
    reply.shown = -1;
    counting.spend(bound, 0, atUs, reply, units);
  } else counting.writeRefused(bound, atUs, reply, unitsToWrite(bound, units));
  return waitUs;
}

/** How long until at least one unit remains. Writes nothing, because the cost of the request is not known yet. */
export function waitByNumber({ bound }: NumberedLevel, client: number, atUs: Micros): number {
  bound.row = client;
  return bound.counting.evaluate(bound, atUs, false, 1);
}

/** Spends the cost of an admitted request, even if less remains. */
export function spendByNumber(
  { bound, reply }: NumberedLevel,
  client: number,
  atUs: Micros,
  units: number,
): void {
  bound.row = client;
  reply.shown = -1;
  bound.counting.spend(bound, 0, atUs, reply, unitsToWrite(bound, units));
}

/** How many units to write. A log has a timestamp for each unit; more timestamps than the capacity decide nothing. */
const unitsToWrite = ({ table, level }: BoundLevel, units: number): number =>
  table.kind === "log" ? Math.min(units, level.capacity) : units;
