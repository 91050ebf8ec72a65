// Where the client of an arrival is, and whom a balancer takes it for.
import { LOOPBACK } from "../scenario/history.ts";
import type { Plan } from "../scenario/types.ts";

/** The place of the address in those of the plan; -1: the flow says none. */
export const placeOfAddress = ({ address }: Plan, arrival: number): number =>
  address?.[arrival] ?? -1;

export const addressOf = ({ addresses }: Plan, place: number): string =>
  place < 0 ? LOOPBACK : addresses![place]!;

/** What a balancer knows a client by that shows nothing: it is the same whatever it sends. */
export function clientName({ flows, flow, client }: Plan, arrival: number): string {
  const place = flow[arrival]!;
  return `${place - (flows[place]!.mix?.part ?? 0)}/${client[arrival]}`;
}
