// The address of an arrival's client, and the name by which a balancer distinguishes clients.
import { LOOPBACK } from "../scenario/history.ts";
import type { Plan } from "../scenario/types.ts";

/** The index of the address in the plan's list; -1 if the flow has no addresses. */
export const placeOfAddress = ({ address }: Plan, arrival: number): number =>
  address?.[arrival] ?? -1;

export const addressOf = ({ addresses }: Plan, place: number): string =>
  place < 0 ? LOOPBACK : addresses![place]!;

/** The name of an arrival's client for a balancer: the same for all requests of a client, even without a credential. */
export function clientName({ flows, flow, client }: Plan, arrival: number): string {
  const place = flow[arrival]!;
  return `${place - (flows[place]!.mix?.part ?? 0)}/${client[arrival]}`;
}
