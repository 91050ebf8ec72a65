// The units that a request spends of each limit (LIM-C19).
import { UNKNOWN_SENDER, type Sender } from "./client.ts";
import type { GatewayOptions } from "./config.ts";

export const MOST_COST = 1_000;

/** The cost from the header that `cost_header` names; 1 without option or header. Null: the cost is invalid. */
export function costOf(
  { costHeader }: Pick<GatewayOptions, "costHeader">,
  sender: Sender = UNKNOWN_SENDER,
): number | null {
  if (costHeader === null) return 1;
  const text = sender.header(costHeader);
  return text === null ? 1 : parseCost(text);
}

/** An integer from 1 to 1000; null for any other text. */
export function parseCost(text: string): number | null {
  const cost = /^\d{1,4}$/.test(text) ? Number(text) : 0;
  return cost >= 1 && cost <= MOST_COST ? cost : null;
}
