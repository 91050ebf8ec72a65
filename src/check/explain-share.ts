// Why a gateway enforces less than the whole limit (ALG-C4): which gateways it counts as active, and which of those have
// ended already.
import { formatDuration, micros } from "../core/units.ts";
import { many } from "../reading/legible.ts";
import type { Entry } from "../oracle/entries.ts";
import type { OracleLevel } from "../oracle/levels.ts";
import type { GatewayEnd, OracleWorld } from "../oracle/world.ts";
import type { History } from "../scenario/history.ts";
import { SPECS } from "../spec/by-algorithm.ts";

export interface ShareExplanation {
  readonly gateway: number;
  readonly active: number; // gateways, as that one counts them
  /** Counted as active although they have ended: their last heartbeats have not expired. */
  readonly ended: readonly GatewayEnd[];
  /** The first later request for which this gateway counted others; null: there is none. */
  readonly next: { readonly atUs: number; readonly active: number } | null;
}

/** Null if the limit is not divided, or by one. */
export function explainShare(
  history: History,
  { gatewayRestarts }: OracleWorld,
  { moment: { row, gateway, toUs }, gateways: active }: Entry,
  { algorithm }: OracleLevel,
): ShareExplanation | null {
  if (SPECS[algorithm].countedBy !== "gateway" || active < 2) return null;
  const next = findNextCount(history, row, gateway, active);
  // The history shows how long a gateway was counted after its end: until this one counted fewer.
  const fewerUs = findLastCount(history, row, gateway, active);
  const ended = gatewayRestarts.filter(
    ({ gateway: other, atUs, how }) =>
      how === "crashed" &&
      other !== gateway &&
      atUs <= toUs &&
      (fewerUs === null || atUs > fewerUs) &&
      !gatewayRestarts.some((one) => one.gateway === other && one.atUs > atUs && one.atUs <= toUs),
  );
  return { gateway, active, ended, next };
}

function findNextCount(
  { requests }: History,
  row: number,
  gateway: number,
  active: number,
): ShareExplanation["next"] {
  for (let later = row + 1; later < requests.length; later++)
    if (requests.gateway[later] === gateway && requests.fleet[later] !== active)
      return { atUs: requests.toUs[later]!, active: requests.fleet[later]! };
  return null;
}

/** When this gateway last counted more or fewer before; null: never. */
function findLastCount(
  { requests }: History,
  row: number,
  gateway: number,
  active: number,
): number | null {
  for (let earlier = row - 1; earlier >= 0; earlier--)
    if (requests.gateway[earlier] === gateway && requests.fleet[earlier] !== active)
      return requests.toUs[earlier]!;
  return null;
}

const timeText = (us: number): string => formatDuration(micros(Math.round(us)));

/** "gateway 0 counts 3 active gateways, so its share of 30 is 10; gateway 2 crashed at 5s and ..." */
export function shareText(
  { gateway, active, ended, next }: ShareExplanation,
  rate: number,
  share: number,
  heartbeatUs: number,
): string {
  const crashed = ended.map(
    ({ gateway: other, atUs }) =>
      `; gateway ${other} crashed at ${timeText(atUs)}, and counts as active until its last heartbeat is ${timeText(heartbeatUs)} old`,
  );
  const later =
    ended.length === 0 || next === null
      ? ""
      : ` (at ${timeText(next.atUs)} gateway ${gateway} counts ${next.active})`;
  return `gateway ${gateway} counts ${many(active, "active gateway")}, so its share of ${rate} is ${share}${crashed.join("")}${later}`;
}
