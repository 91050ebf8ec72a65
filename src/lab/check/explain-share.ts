// Explains why a gateway enforces less than the whole limit (ALG-C4): which gateways it counts as active, and which of
// these have ended already.
import { formatDuration, micros } from "../../kit/units.ts";
import { many } from "../../kit/reading/legible.ts";
import type { Entry } from "../oracle/entries.ts";
import type { OracleLevel } from "../oracle/levels.ts";
import type { GatewayEnd, OracleWorld } from "../oracle/world.ts";
import { isLost, type History } from "../scenario/history.ts";
import { SPECS } from "../../limiter/spec/by-algorithm.ts";

export interface ShareExplanation {
  readonly gateway: number;
  readonly active: number; // number of gateways that this gateway counts as active
  readonly admits: number; // units that it may admit of the whole limit
  /** Gateways that have ended and still count as active, because their last heartbeats have not expired. */
  readonly ended: readonly GatewayEnd[];
  /** True during an outage of the store: no heartbeat arrives, and the count stays the same (ALG-C8). */
  readonly isFrozen: boolean;
  /** The first later request for which this gateway counted another number of gateways; null: there is none. */
  readonly next: { readonly atUs: number; readonly active: number } | null;
}

/** Null if the gateway enforces the whole limit: the limit is not divided, or only one gateway is active. */
export function explainShare(
  history: History,
  world: OracleWorld,
  { moment: { row, gateway, toUs }, gateways: active, outage, configuration }: Entry,
  { algorithm, limit }: OracleLevel,
): ShareExplanation | null {
  if (SPECS[algorithm].countedBy !== "gateway" || active < 2) return null;
  const isFrozen = outage !== "none";
  // During an outage, heartbeats that had not expired when the outage began stay valid.
  const sinceUs = (isFrozen ? startOfOutage(history, toUs) : toUs) - world.heartbeatUs;
  const ended = world.gatewayRestarts.filter(
    ({ gateway: other, atUs, how }) =>
      how !== "restarted" &&
      other !== gateway &&
      atUs > Math.max(sinceUs, startOf(gateway, toUs, world)) &&
      atUs <= toUs &&
      startOf(other, toUs, world) <= atUs,
  );
  const { burst, queue, fixedWindowStart } = configuration.options;
  const admits = SPECS[algorithm].budget({
    ...limit,
    gateways: active,
    burst,
    queue,
    fixedWindowStart,
  });
  const next = findNextCount(history, row, gateway, active);
  return { gateway, active, admits, ended, isFrozen, next };
}

/** When a gateway last started. A gateway does not count gateways that ended before its own start. */
const startOf = (
  gateway: number,
  untilUs: number,
  { joinsUs, gatewayRestarts }: OracleWorld,
): number =>
  gatewayRestarts.reduce(
    (startUs, one) =>
      one.how === "restarted" && one.gateway === gateway && one.atUs <= untilUs
        ? Math.max(startUs, one.atUs)
        : startUs,
    joinsUs.get(gateway) ?? Number.NEGATIVE_INFINITY,
  );

/** The start of the store's latest outage that began at or before `us`. */
const startOfOutage = ({ spans }: History, us: number): number =>
  spans.reduce(
    (startUs, { what, fromUs }) =>
      what === "store_down" && fromUs <= us ? Math.max(startUs, fromUs) : startUs,
    Number.NEGATIVE_INFINITY,
  );

function findNextCount(
  { requests }: History,
  row: number,
  gateway: number,
  active: number,
): ShareExplanation["next"] {
  for (let later = row + 1; later < requests.length; later++)
    if (
      requests.gateway[later] === gateway &&
      !isLost(requests.status[later]!) &&
      requests.fleet[later] !== active
    )
      return { atUs: requests.toUs[later]!, active: requests.fleet[later]! };
  return null;
}

const timeText = (us: number): string => formatDuration(micros(Math.round(us)));

/** A text such as "gateway 0 counts 3 active gateways, so its share of 30 is 10; gateway 2 crashed at 5s, and ...". */
export function shareText(
  { gateway, active, admits, ended, isFrozen, next }: ShareExplanation,
  rate: number,
  heartbeatUs: number,
): string {
  const until = isFrozen
    ? "as long as the store is unreachable, because no heartbeat arrives"
    : `until its last heartbeat is ${timeText(heartbeatUs)} old`;
  const gone = ended.map(
    ({ gateway: other, atUs, how }) =>
      `; gateway ${other} ${how} at ${timeText(atUs)}, and counts as active ${until}`,
  );
  const later =
    ended.length === 0 || next === null
      ? ""
      : ` (at ${timeText(next.atUs)} gateway ${gateway} counts ${next.active})`;
  return `gateway ${gateway} counts ${many(active, "active gateway")}, so its share of ${rate} is ${admits}${gone.join("")}${later}`;
}
